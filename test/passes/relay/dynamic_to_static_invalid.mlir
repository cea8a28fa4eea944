// RUN: relay-opt %s --dynamic-to-static=all=true --split-input-file --verify-diagnostics

func.func @no_such_shape(%x: tensor<2x3xf32>) -> tensor<?x?xf32> {
  %s = relay.constant dense<[4, 2]> : tensor<2xi64>
  // expected-error @+1 {{[2, 3] does not reshape to [4, 2] (C2)}}
  %0 = relay.dyn.reshape %x, %s : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @no_such_code(%x: tensor<2x3xf32>) -> tensor<?x?xf32> {
  %s = relay.constant dense<[-4, 2]> : tensor<2xi64>
  // expected-error @+1 {{newshape [-4, 2] holds -4, which is no dimension}}
  %0 = relay.dyn.reshape %x, %s : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @open(%x: tensor<2x3xf32>, %s: !relay.incomplete) -> !relay.incomplete {
  // expected-error @+1 {{has types that are to be inferred; run infer-type before}}
  %0 = relay.dyn.reshape %x, %s : (tensor<2x3xf32>, !relay.incomplete) -> !relay.incomplete
  return %0 : !relay.incomplete
}

// -----

// With `all`, what is left is an error, which says what the shape depends on.
func.func @parameter(%x: tensor<6xf32>, %s: tensor<2xi64> {relay.name = "size"}, %y: tensor<?x2xf32>) -> tensor<?x?xf32> {
  %0 = relay.shape_of %y {dtype = i64} : (tensor<?x2xf32>) -> tensor<2xi64>
  %1 = relay.add %0, %s : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  // expected-error @+1 {{has a shape that must be known when compiling, and it depends on the shape of parameter 2, parameter 'size'}}
  %2 = relay.dyn.reshape %x, %1 : (tensor<6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// -----

func.func @other(%c: tensor<i1>, %s: tensor<1xi32>, %t: tensor<1xi32>) -> tensor<?xf32> {
  %0 = relay.if %c : (tensor<i1>) -> tensor<1xi32> {
    relay.yield %s : tensor<1xi32>
  } else {
    relay.yield %t : tensor<1xi32>
  }
  // expected-error @+1 {{has a shape that must be known when compiling, and it depends on the result of 'relay.if'}}
  %1 = relay.dyn.zeros %0 {dtype = f32} : (tensor<1xi32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
