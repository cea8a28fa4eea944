// The example of docs/guide/scheduling.md.
// RUN: relay-opt %s --lower-te --loop-partition --vectorize-loop --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @rows
// CHECK: tir.for %c0 to %c64 "parallel"
// CHECK: %[[PART:.+]] = tir.alloc_buffer "local" : memref<1x8xf32>
// CHECK: vector.store %{{.+}}, %[[PART]][%c0, %c0]
// CHECK: tir.for %c0 to %c32 "serial"
// CHECK: vector.load %{{.+}} : memref<64x256xf32>, vector<8xf32>
// CHECK: arith.addf %{{.+}} : vector<8xf32>
// CHECK: tir.for %c0 to %c8 "serial"
// CHECK: memref.load %[[PART]]
func.func @rows(%a: tensor<64x256xf32>) -> tensor<64xf32> {
  %sum = te.compute "sum" reduce [256] "sum" {
  ^bb0(%i: index, %k: index):
    %x = tensor.extract %a[%i, %k] : tensor<64x256xf32>
    te.yield %x : f32
  } : tensor<64xf32>
  te.schedule {
    %s = te.stage %sum : tensor<64xf32>
    %i, %k = te.axes %s -> !te.axis, !te.axis
    %ko, %ki = te.split %k {factor = 8}
    %partial = te.rfactor %s, %ki {factor_axis = 1}
    te.parallel %i
    te.compute_at %partial, %s, %i
    %pi, %lane, %left = te.axes %partial -> !te.axis, !te.axis, !te.axis
    te.reorder %left, %lane : !te.axis, !te.axis
    te.vectorize %lane
  }
  return %sum : tensor<64xf32>
}
