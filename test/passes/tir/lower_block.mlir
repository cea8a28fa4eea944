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

// Body and init are under the block's condition; what it says of buffers goes.
// CHECK-LABEL: func.func @guarded
// CHECK-SAME: %[[I:[a-z0-9]+]]: index, %[[K:[a-z0-9]+]]: index, %[[INSIDE:[a-z0-9]+]]: i1
func.func @guarded(%a: memref<4x8xf32>, %b: memref<4xf32>, %i: index, %k: index, %inside: i1) {
  %zero = arith.constant 0.0 : f32
  // CHECK: scf.if %[[INSIDE]] {
  // CHECK: %[[FIRST:.+]] = arith.cmpi eq, %[[K]], %c0
  // CHECK: scf.if %[[FIRST]] {
  // CHECK-NEXT: memref.store
  // CHECK-NEXT: }
  // CHECK-NEXT: memref.load %{{.+}}[%[[I]], %[[K]]]
  // CHECK-NOT: tir.
  // CHECK: return
  tir.block "sum" (%vi = %i spatial, %vk = %k reduce) {
    tir.where %inside
    tir.reads %a[%vi, %vk] : memref<4x8xf32>
    tir.writes %b[%vi] : memref<4xf32>
    %x = memref.load %a[%vi, %vk] : memref<4x8xf32>
    %old = memref.load %b[%vi] : memref<4xf32>
    %new = arith.addf %old, %x : f32
    memref.store %new, %b[%vi] : memref<4xf32>
  } init {
    memref.store %zero, %b[%vi] : memref<4xf32>
  }
  return
}

// The variable of an axis of one element is 0: there is no condition.
// CHECK-LABEL: func.func @first
// CHECK-NOT: scf.if
// CHECK: return
func.func @first(%b: memref<4xf32>, %i: index) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  tir.block "sum" (%vi = %i spatial, %vk = %c0 reduce) {
  } init {
    memref.store %zero, %b[%vi] : memref<4xf32>
  }
  return
}
