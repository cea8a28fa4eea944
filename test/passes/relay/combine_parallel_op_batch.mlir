// RUN: relay-opt %s --combine-parallel-op-batch='op-name=nn.dense batch-op-name=nn.batch_matmul min-num-branches=2' | FileCheck %s --check-prefix=DENSE
// RUN: relay-opt %s --combine-parallel-op-batch='op-name=subtract batch-op-name=subtract min-num-branches=2' | FileCheck %s --check-prefix=SUBTRACT
// RUN: relay-opt %s --combine-parallel-op-batch='op-name=nn.matmul batch-op-name=nn.batch_matmul' | FileCheck %s --check-prefix=MATMUL
// RUN: not relay-opt %s --combine-parallel-op-batch='op-name=nn.conv2d' 2>&1 | FileCheck %s --check-prefix=PAIR
// RUN: not relay-opt %s --combine-parallel-op-batch='op-name=dance' 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not relay-opt %s --combine-parallel-op-batch=min-num-branches=1 2>&1 | FileCheck %s --check-prefix=ONE
// PAIR: error: 'func.func' op 'relay.nn.batch_matmul' is not known to compute batches of 'relay.nn.conv2d'
// NAME: error: 'func.func' op there is no operator 'relay.dance'
// ONE: error: 'func.func' op min-num-branches is 1, expected at least 2

// DENSE-LABEL: func.func @products
// DENSE-NEXT: %[[X:.+]] = relay.expand_dims %arg0 {axis = 0 : i64} : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
// DENSE-NEXT: %[[W:.+]] = relay.stack %arg1, %arg2, %arg3
// DENSE-NEXT: %[[Y:.+]] = relay.nn.batch_matmul %[[X]], %[[W]] {transpose_b = true}
// DENSE-NEXT: relay.split %[[Y]] {axis = 0 : i64, indices = array<i64: 1, 2>}
// DENSE: relay.nn.matmul
// MATMUL-LABEL: func.func @products
// MATMUL: %[[X:.+]] = relay.expand_dims %arg0
// MATMUL-NEXT: %[[W:.+]] = relay.stack %arg1, %arg2, %arg3
// MATMUL-NEXT: relay.nn.batch_matmul %[[X]], %[[W]] {transpose_a = true}
// MATMUL-NOT: relay.nn.matmul
// MATMUL: return
func.func @products(%x: tensor<4x4xf32>, %a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %c: tensor<4x4xf32>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = relay.nn.dense %x, %a : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = relay.nn.dense %x, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = relay.nn.dense %x, %c : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = relay.nn.matmul %x, %a {transpose_a = true} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = relay.nn.matmul %x, %b {transpose_a = true} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = relay.nn.matmul %x, %c {transpose_a = true} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// An operator that works element by element is its own; what follows both is in the batch.
// SUBTRACT-LABEL: func.func @elements
// SUBTRACT: %[[X:.+]] = relay.expand_dims %arg0 {axis = 0 : i64} : (tensor<3x2xf32>) -> tensor<1x3x2xf32>
// SUBTRACT-NEXT: %[[S:.+]] = relay.stack %arg1, %arg2
// SUBTRACT-NEXT: %[[Y:.+]] = relay.subtract %[[X]], %[[S]] : (tensor<1x3x2xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
// SUBTRACT-NEXT: %[[R:.+]] = relay.nn.relu %[[Y]]
// SUBTRACT-NEXT: relay.split %[[R]]
// DENSE-LABEL: func.func @elements
// DENSE-COUNT-2: relay.subtract
func.func @elements(%x: tensor<3x2xf32>, %a: tensor<3x2xf32>, %b: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %0 = relay.subtract %x, %a : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %1 = relay.nn.relu %0 : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %2 = relay.subtract %x, %b : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %3 = relay.nn.relu %2 : (tensor<3x2xf32>) -> tensor<3x2xf32>
  return %1, %3 : tensor<3x2xf32>, tensor<3x2xf32>
}

// Operands of other types, and of fewer dimensions, which would meet the batch.
// SUBTRACT-LABEL: func.func @others
// SUBTRACT-COUNT-4: relay.subtract {{.*}} -> tensor<3x2xf32>
// SUBTRACT: return
func.func @others(%x: tensor<3x2xf32>, %a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<3x1xf32>, %d: tensor<3x2xf32>)
    -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>) {
  %0 = relay.subtract %x, %a : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %1 = relay.subtract %x, %b : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %2 = relay.subtract %x, %c : (tensor<3x2xf32>, tensor<3x1xf32>) -> tensor<3x2xf32>
  %3 = relay.subtract %x, %d : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %0, %1, %2, %3 : tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>
}
