// RUN: relay-opt %s --split-args=max-function-args=4 | FileCheck %s
// RUN: relay-opt %s --split-args=max-function-args=3 | FileCheck %s --check-prefix=THREE
// RUN: relay-opt %s --split-args | FileCheck %s --check-prefix=ANY
// RUN: relay-opt %s --split-args=max-function-args=4 --fuse-ops=max-function-args=4 | FileCheck %s --check-prefix=FUSED
// RUN: not relay-opt %s --split-args=max-function-args=2 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not relay-opt %s --split-args=max-function-args=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not relay-opt %s --fuse-ops=max-function-args=-1 2>&1 | FileCheck %s --check-prefix=FUSE
// FEW: error: 'func.func' op max-function-args is 2, expected 0 or at least 3
// NEGATIVE: error: 'func.func' op max-function-args is -1, expected 0 or at least 3
// FUSE: error: 'builtin.module' op max-function-args is negative

// Three operands and a result each; the last one has what is left.
// CHECK-LABEL: func.func @six
// CHECK-NEXT: %[[A:.*]] = relay.concatenate %arg0, %arg1, %arg2 {axis = 1 : i64} : {{.*}} -> tensor<1x6xf32>
// CHECK-NEXT: %[[B:.*]] = relay.concatenate %[[A]], %arg3, %arg0 {axis = 1 : i64} : {{.*}} -> tensor<1x11xf32>
// CHECK-NEXT: %[[C:.*]] = relay.concatenate %[[B]], %arg2 {axis = 1 : i64} : {{.*}} -> tensor<1x14xf32>
// CHECK-NEXT: %[[D:.*]] = relay.abs %[[C]]
// CHECK-NEXT: return %[[D]]
// THREE-LABEL: func.func @six
// THREE-COUNT-5: relay.concatenate
// THREE-NOT: relay.concatenate
// THREE: return
// ANY-LABEL: func.func @six
// ANY-NEXT: relay.concatenate %arg0, %arg1, %arg2, %arg3, %arg0, %arg2
// What has been taken apart is not fused again, but what fits is.
// FUSED-LABEL: func.func @six
// FUSED-NEXT: %[[A:.*]] = call @fused_concatenate(%arg0, %arg1, %arg2)
// FUSED-NEXT: %[[B:.*]] = call @fused_concatenate_1(%[[A]], %arg3, %arg0)
// FUSED-NEXT: %[[C:.*]] = call @fused_concatenate_abs(%[[B]], %arg2)
// FUSED-NEXT: return %[[C]]
func.func @six(%a: tensor<1x1xf32>, %b: tensor<1x2xf32>, %c: tensor<1x3xf32>, %d: tensor<1x4xf32>) -> tensor<1x14xf32> {
  %0 = relay.concatenate %a, %b, %c, %d, %a, %c {axis = 1 : i64}
    : (tensor<1x1xf32>, tensor<1x2xf32>, tensor<1x3xf32>, tensor<1x4xf32>, tensor<1x1xf32>, tensor<1x3xf32>) -> tensor<1x14xf32>
  %1 = relay.abs %0 : (tensor<1x14xf32>) -> tensor<1x14xf32>
  return %1 : tensor<1x14xf32>
}

// What fits stays, and so does any other operator.
// CHECK-LABEL: func.func @fits
// CHECK-NEXT: relay.concatenate %arg0, %arg1, %arg2
// CHECK-NEXT: relay.stack %arg0, %arg0, %arg0, %arg0, %arg0
func.func @fits(%a: tensor<1x1xf32>, %b: tensor<1x2xf32>, %c: tensor<1x3xf32>) -> (tensor<1x6xf32>, tensor<5x1x1xf32>) {
  %0 = relay.concatenate %a, %b, %c {axis = 1 : i64} : (tensor<1x1xf32>, tensor<1x2xf32>, tensor<1x3xf32>) -> tensor<1x6xf32>
  %1 = relay.stack %a, %a, %a, %a, %a : (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<5x1x1xf32>
  return %0, %1 : tensor<1x6xf32>, tensor<5x1x1xf32>
}

// Without concatenations, too: a sum of many tensors becomes several functions.
// FUSED-LABEL: func.func @sums
// FUSED-NEXT: %[[A:.*]] = call @fused_add_add(%arg0, %arg1, %arg2)
// FUSED-NEXT: %[[B:.*]] = call @fused_add_add(%[[A]], %arg3, %arg4)
// FUSED-NEXT: return %[[B]]
func.func @sums(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.add %0, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.add %1, %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.add %2, %e : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
