// The example of docs/guide/scheduling.md.
// RUN: relay-opt %s --lower-te --loop-partition --vectorize-loop --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @rows
// CHECK: tir.for %{{.+}} = 0 to 64 parallel
// CHECK: %[[PART:.+]] = tir.alloc_buffer : memref<1x8xf32, #tir.scope<local>>
// CHECK: vector.store %{{.+}}, %[[PART]][%c0, %c0]
// CHECK: tir.for %{{.+}} = 0 to 32 {
// CHECK: vector.load %{{.+}} : memref<64x256xf32>, vector<8xf32>
// CHECK: arith.addf %{{.+}} : vector<8xf32>
// CHECK: tir.for %{{.+}} = 0 to 8 {
// CHECK: memref.load %[[PART]]
func.func @rows(%a: tensor<64x256xf32>) -> tensor<64xf32> {
  %sum = te.compute "sum" (%i: 64) sum (%k: 256) {
    %x = tensor.extract %a[%i, %k] : tensor<64x256xf32>
    te.yield %x : f32
  } : tensor<64xf32>
  te.schedule {
    %s = te.stage %sum : tensor<64xf32>
    %i, %k = te.axes %s
    %ko, %ki = te.split %k {factor = 8}
    %partial = te.rfactor %s, %ki {factor_axis = 1}
    te.parallel %i
    te.compute_at %partial, %s, %i
    %pi, %lane, %left = te.axes %partial
    te.reorder %left, %lane
    te.vectorize %lane
  }
  return %sum : tensor<64xf32>
}
