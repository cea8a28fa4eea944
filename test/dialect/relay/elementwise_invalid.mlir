// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @shapes(%x: tensor<2x4xf32>, %y: tensor<3xf32>) {
  // expected-error@+2 {{shapes [2, 4] and [3] do not broadcast}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.add %x, %y : (tensor<2x4xf32>, tensor<3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @elements(%x: tensor<3xf32>, %y: tensor<3xi64>) {
  // expected-error@+2 {{element types f32 and i64 differ}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.add %x, %y : (tensor<3xf32>, tensor<3xi64>) -> tensor<3xf32>
  return
}

// -----

func.func @result(%x: tensor<3xf32>) {
  // expected-error@+2 {{are incompatible with return type(s) of operation}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.relu %x : (tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @float(%x: tensor<3xi64>) {
  // expected-error@+2 {{takes floats, not i64}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.exp %x : (tensor<3xi64>) -> tensor<3xi64>
  return
}

// -----

func.func @clip(%x: tensor<3xf32>) {
  // expected-error@+2 {{a_min 2 is larger than a_max 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.clip %x {a_min = 2.0, a_max = 1.0} : (tensor<3xf32>) -> tensor<3xf32>
  return
}
