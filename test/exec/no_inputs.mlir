// A model without inputs runs without a list of them, from C as from relayc.
// RUN: relayc compile %s -o %t.so
// RUN: %python %S/Inputs/no_inputs.py %t.so

func.func @main() -> (tensor<3xf32> {relay.name = "out"}) {
  %0 = relay.constant dense<[1.0, -2.0, 3.0]> : tensor<3xf32>
  %1 = relay.nn.relu %0 : (tensor<3xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}
