// RUN: relay-opt %s --un-cps --verify-diagnostics

!answer = !relay.type_var<"answer">
// expected-error @+1 {{only what takes and gives none can be called as before}}
func.func @main(%f: (tensor<f32>) -> !answer, %k: (tensor<f32>) -> !answer) -> !answer attributes {relay.type_params = ["answer"]} {
  %0 = relay.constant dense<1.0> : tensor<f32>
  %1 = relay.call %f(%0) : ((tensor<f32>) -> !answer, tensor<f32>) -> !answer
  return %1 : !answer
}
