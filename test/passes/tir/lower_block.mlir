// RUN: relay-opt %s --lower-block | FileCheck %s

// CHECK-LABEL: func.func @matmul
// CHECK-SAME: %[[I:[a-z0-9]+]]: index, %[[J:[a-z0-9]+]]: index, %[[K:[a-z0-9]+]]: index
func.func @matmul(%a: memref<4x8xf32>, %c: memref<4x4xf32>, %i: index, %j: index, %k: index) {
  %zero = arith.constant 0.0 : f32
  // CHECK-NOT: tir.block
  // CHECK: %[[FIRST:.+]] = arith.cmpi eq, %[[K]], %c0
  // CHECK: scf.if %[[FIRST]] {
  // CHECK-NEXT: memref.store %{{.+}}, %{{.+}}[%[[I]], %[[J]]]
  // CHECK-NEXT: }
  // CHECK: memref.load %{{.+}}[%[[I]], %[[K]]]
  tir.block "matmul" (%vi = %i spatial, %vj = %j spatial, %vk = %k reduce) {
    %x = memref.load %a[%vi, %vk] : memref<4x8xf32>
    %old = memref.load %c[%vi, %vj] : memref<4x4xf32>
    %new = arith.addf %old, %x : f32
    memref.store %new, %c[%vi, %vj] : memref<4x4xf32>
  } init {
    memref.store %zero, %c[%vi, %vj] : memref<4x4xf32>
  }
  return
}

// Without an init there is no condition; a block in a block is written, too.
// CHECK-LABEL: func.func @nested
// CHECK-SAME: (%[[B:.+]]: memref<4xf32>, %[[V:.+]]: f32, %[[I:.+]]: index)
func.func @nested(%b: memref<4xf32>, %v: f32, %i: index) {
  // CHECK-NEXT: memref.store %[[V]], %[[B]][%[[I]]]
  // CHECK-NEXT: return
  tir.block "outer" (%vi = %i spatial) {
    tir.block "inner" (%vj = %vi spatial) {
      memref.store %v, %b[%vj] : memref<4xf32>
    }
  }
  return
}

// Nothing to do.
// CHECK-LABEL: func.func @loop
// CHECK: tir.for
func.func @loop(%n: index) {
  tir.for %i = %n to %n {
  }
  return
}
