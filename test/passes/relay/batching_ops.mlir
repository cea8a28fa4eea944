// RUN: relay-opt %s --batching-ops | FileCheck %s
// RUN: relay-opt %s --batching-ops=min-num-branches=2 | FileCheck %s --check-prefix=TWO
// RUN: not relay-opt %s --batching-ops=min-num-branches=0 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: 'func.func' op min-num-branches is 0, expected at least 2

// Three products of a matrix, and two of a batch.
// CHECK-LABEL: func.func @products
// CHECK: relay.nn.batch_matmul {{.*}} -> tensor<3x4x4xf32>
// CHECK-NOT: relay.nn.dense
// CHECK-COUNT-2: relay.nn.batch_matmul {{.*}} -> tensor<2x4x4xf32>
// TWO-LABEL: func.func @products
// TWO: relay.nn.batch_matmul {{.*}} -> tensor<3x4x4xf32>
// TWO: relay.nn.batch_matmul {{.*}} -> tensor<2x4x8xf32>
// TWO-NOT: relay.nn.batch_matmul
// TWO: return
func.func @products(%x: tensor<4x4xf32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>, %y: tensor<2x4x4xf32>, %d: tensor<2x4x4xf32>, %e: tensor<2x4x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>) {
  %0 = relay.nn.dense %x, %a : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = relay.nn.dense %x, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = relay.nn.dense %x, %c : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = relay.nn.batch_matmul %y, %d : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %4 = relay.nn.batch_matmul %y, %e : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %0, %1, %2, %3, %4 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>
}
