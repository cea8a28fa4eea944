// RUN: relay-opt %s --to-cps --verify-diagnostics

func.func private @outside(%x: tensor<f32>) -> tensor<f32>
func.func @main() -> ((tensor<f32>) -> tensor<f32>) {
  // expected-error @+1 {{without a body, which cannot hand on its result: call it in a relay.fn}}
  %0 = relay.global @outside : (tensor<f32>) -> tensor<f32>
  return %0 : (tensor<f32>) -> tensor<f32>
}
