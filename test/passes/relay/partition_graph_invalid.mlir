// RUN: relay-opt --partition-graph --split-input-file --verify-diagnostics %s

// A region that waits for itself by way of the exponential.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.abs %x {relay.region = 0 : i64, relay.target = "test"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.exp %0 : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{reads what waits for its own region, which cannot be one function: merge-compiler-regions makes regions that can}}
  %2 = relay.abs %1 {relay.region = 0 : i64, relay.target = "test"} : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

func.func @main(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.if %c : (tensor<i1>) -> tensor<4xf32> {
    %1 = relay.abs %x {relay.region = 0 : i64, relay.target = "test"} : (tensor<4xf32>) -> tensor<4xf32>
    relay.yield %1 : tensor<4xf32>
  } else {
    // expected-error@+1 {{is in another block than an operator of its region}}
    %1 = relay.abs %x {relay.region = 0 : i64, relay.target = "test"} : (tensor<4xf32>) -> tensor<4xf32>
    relay.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
