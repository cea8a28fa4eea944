// Passes on functions have nothing to do where there is no body.
// RUN: relay-opt %s --pass-pipeline='builtin.module(func.func(simplify-inference,legalize,canonicalize-ops,eliminate-common-subexpr,simplify-expr,fold-scale-axis,to-mixed-precision,alter-op-layout,lower-block,lower-thread-binding,loop-partition,tir-simplify,vectorize-loop,unroll-loop,lower-tir,approximate-math,promote-accumulators))' | FileCheck %s
// RUN: relay-opt %s --infer-type --fold-constant --fuse-ops --relay-to-te --lower-te --aot-lower-main --plan-memory --outline-parallel --plan-workspace --erase-scopes | FileCheck %s --check-prefix=MODULE
// CHECK: func.func private @outside(tensor<4xf32>) -> tensor<4xf32>
// MODULE: func.func private @outside
func.func private @outside(tensor<4xf32>) -> tensor<4xf32>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
