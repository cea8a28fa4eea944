// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @sparse_dense
func.func @sparse_dense(%x: tensor<5x12xf32>, %e: tensor<7xf32>, %b: tensor<7x4x3xf32>, %i: tensor<7xi32>, %p: tensor<9xi64>)
    -> (tensor<5x8xf32>, tensor<5x32xf32>, tensor<32x5xf32>) {
  // CHECK: relay.nn.sparse_dense %arg0, %arg1, %arg3, %arg4 : {{.*}} -> tensor<5x8xf32>
  %0 = relay.nn.sparse_dense %x, %e, %i, %p : (tensor<5x12xf32>, tensor<7xf32>, tensor<7xi32>, tensor<9xi64>) -> tensor<5x8xf32>
  // CHECK: relay.nn.sparse_dense {{.*}} -> tensor<5x32xf32>
  %1 = relay.nn.sparse_dense %x, %b, %i, %p : (tensor<5x12xf32>, tensor<7x4x3xf32>, tensor<7xi32>, tensor<9xi64>) -> tensor<5x32xf32>
  // CHECK: relay.nn.sparse_dense {{.*}} {sparse_lhs = true} : {{.*}} -> tensor<32x5xf32>
  %2 = relay.nn.sparse_dense %x, %b, %i, %p {sparse_lhs = true} : (tensor<5x12xf32>, tensor<7x4x3xf32>, tensor<7xi32>, tensor<9xi64>) -> tensor<32x5xf32>
  return %0, %1, %2 : tensor<5x8xf32>, tensor<5x32xf32>, tensor<32x5xf32>
}

// CHECK-LABEL: func.func @sparse_dense_dynamic
func.func @sparse_dense_dynamic(%x: tensor<?x?xi8>, %b: tensor<?x4x?xi8>, %i: tensor<?xui8>, %p: tensor<?xi32>, %q: tensor<3xi32>)
    -> (tensor<?x?xi8>, tensor<?x8xi8>) {
  // CHECK: relay.nn.sparse_dense {{.*}} -> tensor<?x?xi8>
  %0 = relay.nn.sparse_dense %x, %b, %i, %p : (tensor<?x?xi8>, tensor<?x4x?xi8>, tensor<?xui8>, tensor<?xi32>) -> tensor<?x?xi8>
  // CHECK: relay.nn.sparse_dense {{.*}} -> tensor<?x8xi8>
  %1 = relay.nn.sparse_dense %x, %b, %i, %q : (tensor<?x?xi8>, tensor<?x4x?xi8>, tensor<?xui8>, tensor<3xi32>) -> tensor<?x8xi8>
  return %0, %1 : tensor<?x?xi8>, tensor<?x8xi8>
}

// CHECK-LABEL: func.func @sparse_conv2d
func.func @sparse_conv2d(%x: tensor<1x8x9x6xf32>, %y: tensor<1x6x8x9xf32>, %f: tensor<7x4xf32>, %b: tensor<7x4x3xf32>, %i: tensor<7xi32>, %p: tensor<4xi32>)
    -> (tensor<1x8x9x12xf32>, tensor<1x12x8x9xf32>) {
  // CHECK: relay.nn.sparse_conv2d %arg0, %arg2, %arg4, %arg5 : {{.*}} -> tensor<1x8x9x12xf32>
  %0 = relay.nn.sparse_conv2d %x, %f, %i, %p : (tensor<1x8x9x6xf32>, tensor<7x4xf32>, tensor<7xi32>, tensor<4xi32>) -> tensor<1x8x9x12xf32>
  // CHECK: relay.nn.sparse_conv2d %arg1, %arg3, %arg4, %arg5 {kernel_size = array<i64: 3, 3>, layout = "NCHW"} : {{.*}} -> tensor<1x12x8x9xf32>
  %1 = relay.nn.sparse_conv2d %y, %b, %i, %p {layout = "NCHW", kernel_size = array<i64: 3, 3>} : (tensor<1x6x8x9xf32>, tensor<7x4x3xf32>, tensor<7xi32>, tensor<4xi32>) -> tensor<1x12x8x9xf32>
  return %0, %1 : tensor<1x8x9x12xf32>, tensor<1x12x8x9xf32>
}

// CHECK-LABEL: func.func @sparse_transpose
func.func @sparse_transpose(%d: tensor<?xf16>, %i: tensor<7xi64>, %p: tensor<9xi32>) -> (tensor<7xf16>, tensor<7xi64>, tensor<9xi32>) {
  // CHECK: relay.nn.sparse_transpose %arg0, %arg1, %arg2 : (tensor<?xf16>, tensor<7xi64>, tensor<9xi32>) -> (tensor<7xf16>, tensor<7xi64>, tensor<9xi32>)
  %0:3 = relay.nn.sparse_transpose %d, %i, %p : (tensor<?xf16>, tensor<7xi64>, tensor<9xi32>) -> (tensor<7xf16>, tensor<7xi64>, tensor<9xi32>)
  return %0#0, %0#1, %0#2 : tensor<7xf16>, tensor<7xi64>, tensor<9xi32>
}

// CHECK-LABEL: func.func @sparse_add
func.func @sparse_add(%x: tensor<?x4xf32>, %d: tensor<7xf32>, %i: tensor<7xi64>, %p: tensor<9xi32>) -> tensor<8x4xf32> {
  // CHECK: relay.nn.sparse_add {{.*}} -> tensor<8x4xf32>
  %0 = relay.nn.sparse_add %x, %d, %i, %p : (tensor<?x4xf32>, tensor<7xf32>, tensor<7xi64>, tensor<9xi32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// Inference leaves the extents of a kernel that no operand's type says.
// RUN: relay-opt %s --infer-type | FileCheck %s --check-prefix=INFERRED
// INFERRED: kernel_size = array<i64: 3, 3>
