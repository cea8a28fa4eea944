// Who no longer reads what a tool prints hears no complaint.
// RUN: %python %S/Inputs/closed_pipe.py relayc inspect %examples/digits/digits.onnx
// RUN: %python %S/Inputs/closed_pipe.py relayc compile %s --emit tir
// RUN: %python %S/Inputs/closed_pipe.py relayc bench %s --repeat 1
// RUN: %python %S/Inputs/closed_pipe.py relay-opt %s
// RUN: %python %S/Inputs/closed_pipe.py relay-translate --to-llvm %s
func.func @main(%x: tensor<4x3xf32>, %b: tensor<3xf32>) -> tensor<4x3xf32> {
  %0 = relay.add %x, %b : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
