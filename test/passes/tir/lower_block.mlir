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
  tir.block "matmul" (%i, %j, %k) ["spatial", "spatial", "reduce"] {
  ^bb0(%vi: index, %vj: index, %vk: index):
    %x = memref.load %a[%vi, %vk] : memref<4x8xf32>
    %old = memref.load %c[%vi, %vj] : memref<4x4xf32>
    %new = arith.addf %old, %x : f32
    memref.store %new, %c[%vi, %vj] : memref<4x4xf32>
  } init {
  ^bb0(%vi: index, %vj: index, %vk: index):
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
  tir.block "outer" (%i) ["spatial"] {
  ^bb0(%vi: index):
    tir.block "inner" (%vi) ["spatial"] {
    ^bb0(%vj: index):
      memref.store %v, %b[%vj] : memref<4xf32>
    }
  }
  return
}

// Nothing to do.
// CHECK-LABEL: func.func @loop
// CHECK: tir.for
func.func @loop(%n: index) {
  tir.for %n to %n "serial" {
  ^bb0(%i: index):
  }
  return
}
