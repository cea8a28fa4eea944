// RUN: relay-opt %s --target=x86-64-v4 --alter-op-layout | FileCheck %s

// A mask of samples is repeated for all heads, so that the scores keep the shape of their product.
// CHECK-LABEL: func.func @mask_of_samples
func.func @mask_of_samples(%q: tensor<24x64x32xf32>, %k: tensor<24x32x64xf32>, %m: tensor<2x1x1x64xf32>) -> tensor<2x12x64x64xf32> {
  // CHECK: %[[S:.+]] = relay.nn.batch_matmul
  // CHECK: %[[M:.+]] = relay.broadcast_to %arg2 {shape = array<i64: 2, 12, 1, 64>}
  // CHECK: %[[F:.+]] = relay.reshape %[[M]] {newshape = array<i64: 24, 1, 64>}
  // CHECK: %[[A:.+]] = relay.add %[[S]], %[[F]]
  // CHECK: relay.nn.softmax %[[A]] {axis = 2 : i64}
  %0 = relay.nn.batch_matmul %q, %k : (tensor<24x64x32xf32>, tensor<24x32x64xf32>) -> tensor<24x64x64xf32>
  %1 = relay.reshape %0 {newshape = array<i64: 2, 12, 64, 64>} : (tensor<24x64x64xf32>) -> tensor<2x12x64x64xf32>
  %2 = relay.add %1, %m : (tensor<2x12x64x64xf32>, tensor<2x1x1x64xf32>) -> tensor<2x12x64x64xf32>
  %3 = relay.nn.softmax %2 {axis = -1 : i64} : (tensor<2x12x64x64xf32>) -> tensor<2x12x64x64xf32>
  return %3 : tensor<2x12x64x64xf32>
}

// With open sizes, typical ones say whether the mask is short.
// CHECK-LABEL: func.func @open
// CHECK: relay.broadcast_to %arg2 {shape = ["b", 12, 1, "n"]}
// CHECK: relay.add %{{.+}}, %{{.+}} : (tensor<?x?x?xf32, ["12*b", "n", "n"]>, tensor<?x1x?xf32, ["12*b", "n"]>)
func.func @open(%q: tensor<?x?x32xf32, ["12*b", "n"]>, %k: tensor<?x32x?xf32, ["12*b", "n"]>, %m: tensor<?x1x1x?xf32, ["b", "n"]>)
    -> tensor<?x12x?x?xf32, ["b", "n", "n"]> {
  %0 = relay.nn.batch_matmul %q, %k : (tensor<?x?x32xf32, ["12*b", "n"]>, tensor<?x32x?xf32, ["12*b", "n"]>) -> tensor<?x?x?xf32, ["12*b", "n", "n"]>
  %1 = relay.reshape %0 {newshape = ["b", 12, "n", "n"]} : (tensor<?x?x?xf32, ["12*b", "n", "n"]>) -> tensor<?x12x?x?xf32, ["b", "n", "n"]>
  %2 = relay.add %1, %m : (tensor<?x12x?x?xf32, ["b", "n", "n"]>, tensor<?x1x1x?xf32, ["b", "n"]>) -> tensor<?x12x?x?xf32, ["b", "n", "n"]>
  return %2 : tensor<?x12x?x?xf32, ["b", "n", "n"]>
}

// A mask as large as half of the scores stays, and the scores are reshaped.
// CHECK-LABEL: func.func @large_mask
// CHECK-NOT: relay.broadcast_to
func.func @large_mask(%q: tensor<8x4x32xf32>, %k: tensor<8x32x64xf32>, %m: tensor<2x1x4x64xf32>) -> tensor<2x4x4x64xf32> {
  %0 = relay.nn.batch_matmul %q, %k : (tensor<8x4x32xf32>, tensor<8x32x64xf32>) -> tensor<8x4x64xf32>
  %1 = relay.reshape %0 {newshape = array<i64: 2, 4, 4, 64>} : (tensor<8x4x64xf32>) -> tensor<2x4x4x64xf32>
  %2 = relay.add %1, %m : (tensor<2x4x4x64xf32>, tensor<2x1x4x64xf32>) -> tensor<2x4x4x64xf32>
  return %2 : tensor<2x4x4x64xf32>
}
