// Passes that look at shapes refuse types that are yet to be inferred: !relay.incomplete has no shape, as a scalar's.
// RUN: not relay-opt %s --combine-parallel-conv2d 2>&1 | FileCheck %s
// RUN: not relay-opt %s --combine-parallel-dense 2>&1 | FileCheck %s
// RUN: not relay-opt %s --combine-parallel-batch-matmul 2>&1 | FileCheck %s
// RUN: not relay-opt %s --combine-parallel-op-batch 2>&1 | FileCheck %s
// RUN: not relay-opt %s --flatten-atrous-conv 2>&1 | FileCheck %s
// RUN: not relay-opt %s --fold-explicit-padding 2>&1 | FileCheck %s
// RUN: not relay-opt %s --canonicalize-cast 2>&1 | FileCheck %s
// RUN: not relay-opt %s --convert-layout=desired-layouts=nn.conv2d:NHWC,default 2>&1 | FileCheck %s
// RUN: not relay-opt %s --change-batch=function=infer 2>&1 | FileCheck %s
// RUN: not relay-opt %s --recast=dtype=f16 2>&1 | FileCheck %s
// RUN: not relay-opt %s --split-args=max-function-args=3 2>&1 | FileCheck %s
// RUN: not relay-opt %s --simplify-fc-transpose 2>&1 | FileCheck %s
// RUN: not relay-opt %s --canonicalize-ops 2>&1 | FileCheck %s
// RUN: not relay-opt %s --simplify-inference 2>&1 | FileCheck %s
// RUN: not relay-opt %s --simplify-expr 2>&1 | FileCheck %s
// RUN: not relay-opt %s --fold-scale-axis 2>&1 | FileCheck %s
// RUN: not relay-opt %s --to-mixed-precision 2>&1 | FileCheck %s
// RUN: not relay-opt %s --alter-op-layout 2>&1 | FileCheck %s
// RUN: not relay-opt %s --fold-constant 2>&1 | FileCheck %s
// RUN: not relay-opt %s --annotate-used-memory 2>&1 | FileCheck %s
// RUN: not relay-opt %s --all-dtypes 2>&1 | FileCheck %s
// RUN: not relay-opt %s --collage-partition=targets=c 2>&1 | FileCheck %s
// RUN: not relay-opt %s --fuse-ops 2>&1 | FileCheck %s
// RUN: relay-opt %s --infer-type --simplify-expr | FileCheck %s --check-prefix=INFERRED
// CHECK: [[@LINE+5]]:8: error: 'relay.reshape' op has types that are to be inferred; run infer-type before
// CHECK-NOT: error
// INFERRED: relay.transpose

func.func @infer(%x: tensor<2x12xf32>) -> !relay.incomplete {
  %0 = relay.reshape %x {newshape = array<i64: 2, 3, -1>} : (tensor<2x12xf32>) -> !relay.incomplete
  %1 = relay.transpose %0 {axes = array<i64: 2, 1, 0>} : (!relay.incomplete) -> !relay.incomplete
  return %1 : !relay.incomplete
}
