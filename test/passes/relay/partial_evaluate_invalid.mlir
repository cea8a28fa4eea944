// RUN: relay-opt %s --partial-evaluate --verify-diagnostics

func.func @main(%c: i1, %x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{is an op that partial-evaluate does not know}}
  %0 = scf.if %c -> tensor<f32> {
    %1 = relay.abs %x : (tensor<f32>) -> tensor<f32>
    scf.yield %1 : tensor<f32>
  } else {
    scf.yield %x : tensor<f32>
  }
  return %0 : tensor<f32>
}
