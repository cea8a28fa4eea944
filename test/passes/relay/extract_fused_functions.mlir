// RUN: relay-opt %s --fuse-ops --extract-fused-functions | FileCheck %s
// RUN: relay-opt %s --extract-fused-functions | FileCheck %s --check-prefix=NONE

// Two kernels, for softmax is computed by rows, and the product before it takes the addition.
// CHECK: module
// CHECK-NEXT: module @[[FIRST:.+]] {
// CHECK-NEXT: func.func @main(%arg0: tensor<4x8xf32>, %arg1: tensor<8x8xf32>) -> tensor<4x8xf32> {
// CHECK-NEXT: relay.nn.dense
// CHECK: module @{{.+}} {
// CHECK-NEXT: func.func @main(%arg0: tensor<{{.*}}>) -> tensor<4x8xf32> {
// CHECK-NEXT: relay.nn.softmax
// CHECK-NOT: func.func

// Without primitive functions, nothing is left.
// NONE: module {
// NONE-NEXT: }
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = relay.nn.dense %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = relay.nn.relu %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = relay.nn.softmax %1 {axis = -1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
