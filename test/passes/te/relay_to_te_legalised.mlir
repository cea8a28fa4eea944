// Operators that `qnn-legalize` writes as others have no expression of their own.
// RUN: not relay-opt %s --fuse-ops --relay-to-te 2>&1 | FileCheck %s

// CHECK: is written as other operators by qnn-legalize; run that before
func.func @main(%x: tensor<3xi8>, %s: tensor<f32>, %z: tensor<i32>) -> tensor<3xi8> {
  %0 = relay.qnn.abs %x, %s, %z, %s, %z : (tensor<3xi8>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<3xi8>
  return %0 : tensor<3xi8>
}
