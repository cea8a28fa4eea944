// For a GPU, layouts stay. Reshapes end behind what an attention computes of its scores.
// RUN: relay-opt %s --attach-target='target="nvidia/h100"' --alter-op-layout | FileCheck %s

// What follows a dense layer works on the reshaped rows, as a normalisation behind it does.
// CHECK-LABEL: func.func @dense
// CHECK: %[[DENSE:.+]] = relay.nn.dense {{.+}} -> tensor<6x8xf32>
// CHECK: %[[RESHAPED:.+]] = relay.reshape %[[DENSE]]
// CHECK: relay.add %[[RESHAPED]]
func.func @dense(%x: tensor<6x4xf32>, %w: tensor<8x4xf32>, %b: tensor<8xf32>) -> tensor<2x3x8xf32> {
  %0 = relay.nn.dense %x, %w : (tensor<6x4xf32>, tensor<8x4xf32>) -> tensor<6x8xf32>
  %1 = relay.reshape %0 {newshape = array<i64: 2, 3, 8>} : (tensor<6x8xf32>) -> tensor<2x3x8xf32>
  %2 = relay.add %1, %b : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %3 = relay.nn.relu %2 : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  return %3 : tensor<2x3x8xf32>
}

// The mask of each sample is repeated for its heads. So scores and softmax have the product's shape.
// CHECK-LABEL: func.func @masked
// CHECK: %[[SCORES:.+]] = relay.nn.batch_matmul {{.+}} -> tensor<6x16x16xf32>
// CHECK: %[[REPEATED:.+]] = relay.broadcast_to %{{.+}} {shape = array<i64: 2, 3, 1, 16>}
// CHECK: %[[MASK:.+]] = relay.reshape %[[REPEATED]] {{.+}} -> tensor<6x1x16xf32>
// CHECK: %[[ADD:.+]] = relay.add %[[SCORES]], %[[MASK]]
// CHECK: relay.nn.softmax %[[ADD]] {axis = 2 : i64}
func.func @masked(%q: tensor<6x16x4xf32>, %k: tensor<6x4x16xf32>, %m: tensor<2x1x1x16xf32>) -> tensor<2x3x16x16xf32> {
  %0 = relay.nn.batch_matmul %q, %k : (tensor<6x16x4xf32>, tensor<6x4x16xf32>) -> tensor<6x16x16xf32>
  %1 = relay.reshape %0 {newshape = array<i64: 2, 3, 16, 16>} : (tensor<6x16x16xf32>) -> tensor<2x3x16x16xf32>
  %2 = relay.add %1, %m : (tensor<2x3x16x16xf32>, tensor<2x1x1x16xf32>) -> tensor<2x3x16x16xf32>
  %3 = relay.nn.softmax %2 {axis = -1 : i64} : (tensor<2x3x16x16xf32>) -> tensor<2x3x16x16xf32>
  return %3 : tensor<2x3x16x16xf32>
}

// A mask of all queries would be as long as the scores.
// CHECK-LABEL: func.func @long_mask
// CHECK-NOT: relay.broadcast_to
// CHECK: return
func.func @long_mask(%q: tensor<6x16x4xf32>, %k: tensor<6x4x16xf32>, %m: tensor<2x1x16x16xf32>) -> tensor<2x3x16x16xf32> {
  %0 = relay.nn.batch_matmul %q, %k : (tensor<6x16x4xf32>, tensor<6x4x16xf32>) -> tensor<6x16x16xf32>
  %1 = relay.reshape %0 {newshape = array<i64: 2, 3, 16, 16>} : (tensor<6x16x16xf32>) -> tensor<2x3x16x16xf32>
  %2 = relay.add %1, %m : (tensor<2x3x16x16xf32>, tensor<2x1x16x16xf32>) -> tensor<2x3x16x16xf32>
  return %2 : tensor<2x3x16x16xf32>
}
