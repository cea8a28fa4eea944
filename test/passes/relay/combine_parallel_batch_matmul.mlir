// RUN: relay-opt %s --combine-parallel-batch-matmul=min-num-branches=2 | FileCheck %s
// RUN: relay-opt %s --combine-parallel-batch-matmul=min-num-branches=4 | FileCheck %s --check-prefix=FOUR
// RUN: not relay-opt %s --combine-parallel-batch-matmul=min-num-branches=0 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: 'func.func' op min-num-branches is 0, expected at least 2

// CHECK-LABEL: func.func @bias
// CHECK-NEXT: %[[W:.*]] = relay.concatenate %arg1, %arg2, %arg3 {axis = 1 : i64}
// CHECK-NEXT: %[[Y:.*]] = relay.nn.batch_matmul %arg0, %[[W]] {transpose_b = true} : (tensor<2x3x4xf32>, tensor<2x16x4xf32>) -> tensor<2x3x16xf32>
// CHECK-NEXT: %[[B:.*]] = relay.concatenate %arg4, %arg5, %arg6 {axis = 0 : i64} : {{.*}} -> tensor<16xf32>
// CHECK-NEXT: %[[Z:.*]] = relay.add %[[Y]], %[[B]]
// CHECK-NEXT: %[[R1:.*]] = relay.strided_slice %[[Z]] {axes = array<i64: 2>, begin = array<i64: 0>, end = array<i64: 5>, strides = array<i64: 1>}
// CHECK-NEXT: %[[R2:.*]] = relay.strided_slice %[[Z]] {axes = array<i64: 2>, begin = array<i64: 5>, end = array<i64: 10>, strides = array<i64: 1>}
// CHECK-NEXT: %[[R3:.*]] = relay.strided_slice %[[Z]] {axes = array<i64: 2>, begin = array<i64: 10>, end = array<i64: 16>, strides = array<i64: 1>}
// CHECK-NEXT: return %[[R1]], %[[R2]], %[[R3]]
// FOUR-LABEL: func.func @bias
// FOUR-COUNT-3: relay.nn.batch_matmul
func.func @bias(%x: tensor<2x3x4xf32>, %w1: tensor<2x5x4xf32>, %w2: tensor<2x5x4xf32>, %w3: tensor<2x6x4xf32>,
                %b1: tensor<5xf32>, %b2: tensor<5xf32>, %b3: tensor<6xf32>) -> (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x6xf32>) {
  %0 = relay.nn.batch_matmul %x, %w1 {transpose_b = true} : (tensor<2x3x4xf32>, tensor<2x5x4xf32>) -> tensor<2x3x5xf32>
  %1 = relay.nn.batch_matmul %x, %w2 {transpose_b = true} : (tensor<2x3x4xf32>, tensor<2x5x4xf32>) -> tensor<2x3x5xf32>
  %2 = relay.nn.batch_matmul %x, %w3 {transpose_b = true} : (tensor<2x3x4xf32>, tensor<2x6x4xf32>) -> tensor<2x3x6xf32>
  %3 = relay.add %0, %b1 : (tensor<2x3x5xf32>, tensor<5xf32>) -> tensor<2x3x5xf32>
  %4 = relay.add %1, %b2 : (tensor<2x3x5xf32>, tensor<5xf32>) -> tensor<2x3x5xf32>
  %5 = relay.add %2, %b3 : (tensor<2x3x6xf32>, tensor<6xf32>) -> tensor<2x3x6xf32>
  return %3, %4, %5 : tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x6xf32>
}

// Without transposes, columns are the last dimension of the second operand; of another transpose, another product.
// CHECK-LABEL: func.func @transposes
// CHECK-NEXT: %[[W:.*]] = relay.concatenate %arg1, %arg2 {axis = 2 : i64}
// CHECK-NEXT: relay.nn.batch_matmul %arg0, %[[W]] : (tensor<2x4x4xf32>, tensor<2x4x10xf32>)
// CHECK: relay.nn.batch_matmul %arg0, %arg3 {transpose_a = true}
func.func @transposes(%x: tensor<2x4x4xf32>, %w1: tensor<2x4x5xf32>, %w2: tensor<2x4x5xf32>, %w3: tensor<2x4x5xf32>)
    -> (tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>) {
  %0 = relay.nn.batch_matmul %x, %w1 : (tensor<2x4x4xf32>, tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %1 = relay.nn.batch_matmul %x, %w2 {transpose_a = false} : (tensor<2x4x4xf32>, tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %2 = relay.nn.batch_matmul %x, %w3 {transpose_a = true} : (tensor<2x4x4xf32>, tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %0, %1, %2 : tensor<2x4x5xf32>, tensor<2x4x5xf32>, tensor<2x4x5xf32>
}

// Other numbers of batches, and products of other tensors, stay apart.
// CHECK-LABEL: func.func @apart
// CHECK-NOT: relay.concatenate
// CHECK-COUNT-3: relay.nn.batch_matmul
func.func @apart(%x: tensor<1x3x4xf32>, %y: tensor<1x3x4xf32>, %w1: tensor<1x4x5xf32>, %w2: tensor<2x4x5xf32>)
    -> (tensor<1x3x5xf32>, tensor<2x3x5xf32>, tensor<1x3x5xf32>) {
  %0 = relay.nn.batch_matmul %x, %w1 : (tensor<1x3x4xf32>, tensor<1x4x5xf32>) -> tensor<1x3x5xf32>
  %1 = relay.nn.batch_matmul %x, %w2 : (tensor<1x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %2 = relay.nn.batch_matmul %y, %w1 : (tensor<1x3x4xf32>, tensor<1x4x5xf32>) -> tensor<1x3x5xf32>
  return %0, %1, %2 : tensor<1x3x5xf32>, tensor<2x3x5xf32>, tensor<1x3x5xf32>
}
