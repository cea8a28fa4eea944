// RUN: %roundtrip | FileCheck %s
// RUN: relay-opt %s --fuse-ops --relay-to-te --lower-te --lower-tir | FileCheck %s --check-prefix=LOOPS

// Whatever can be an element can be moved.
// CHECK-LABEL: func.func @moved
// CHECK: relay.transpose {{.*}} -> tensor<3x2xui8>
// CHECK: relay.reshape {{.*}} -> tensor<6xui8>
// CHECK: relay.concatenate {{.*}} -> tensor<12xui8>
// LOOPS: memref.load {{.*}} : memref<{{.*}}xui8
func.func @moved(%x: tensor<2x3xui8>) -> tensor<12xui8> {
  %0 = relay.transpose %x {axes = array<i64: 1, 0>} : (tensor<2x3xui8>) -> tensor<3x2xui8>
  %1 = relay.reshape %0 {newshape = array<i64: 6>} : (tensor<3x2xui8>) -> tensor<6xui8>
  %2 = relay.concatenate %1, %1 {axis = 0 : i64} : (tensor<6xui8>, tensor<6xui8>) -> tensor<12xui8>
  return %2 : tensor<12xui8>
}

// CHECK-LABEL: func.func @halves
func.func @halves(%x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = relay.exp %x : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}
