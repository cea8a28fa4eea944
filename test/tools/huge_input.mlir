// Inputs that no machine has the memory for are an error where they are asked for.
// RUN: relayc compile %s -o %t.so
// RUN: not relayc run %t.so 2>&1 | FileCheck %s
// CHECK: error[R0405]: the model failed: there is not enough memory for a tensor of f32 [1099511627776]
func.func @main(%x: tensor<1099511627776xf32> {relay.name = "x"}) -> (tensor<f32> {relay.name = "y"}) {
  %0 = relay.sum %x {axis = array<i64: 0>} : (tensor<1099511627776xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
