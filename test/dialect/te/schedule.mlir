// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @primitives
func.func @primitives(%a: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %c = te.compute "c" reduce [] "" {
  ^bb0(%i: index, %j: index):
    %x = tensor.extract %a[%i, %j] : tensor<32x48xf32>
    te.yield %x : f32
  } : tensor<32x48xf32>
  // CHECK: te.schedule {
  te.schedule {
    // CHECK: %[[S:.+]] = te.stage %{{.+}} : tensor<32x48xf32>
    // CHECK: %[[CACHE:.+]] = te.cache_write %[[S]] {scope = "local"}
    // CHECK: %[[A:.+]]:2 = te.axes %[[S]] -> !te.axis, !te.axis
    // CHECK: %[[O:.+]], %[[I:.+]] = te.split %[[A]]#0 {factor = 4 : i64}
    // CHECK: te.reorder %[[O]], %[[A]]#1, %[[I]] : !te.axis, !te.axis, !te.axis
    // CHECK: te.compute_at %[[CACHE]], %[[S]], %[[O]]
    // CHECK: te.parallel %[[O]]
    // CHECK: te.vectorize %[[I]]
    %s = te.stage %c : tensor<32x48xf32>
    %cache = te.cache_write %s {scope = "local"}
    %i, %j = te.axes %s -> !te.axis, !te.axis
    %io, %ii = te.split %i {factor = 4}
    te.reorder %io, %j, %ii : !te.axis, !te.axis, !te.axis
    te.compute_at %cache, %s, %io
    te.parallel %io
    te.vectorize %ii
  }
  return %c : tensor<32x48xf32>
}
