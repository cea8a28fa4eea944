// Elements are computed in blocks, which say when they run and what they touch.
// RUN: relay-opt %s --lower-te=blocks=true --canonicalize --cse | FileCheck %s
// RUN: relay-opt %s --lower-te | FileCheck %s --check-prefix=LOOPS --implicit-check-not=tir.block

// The variables are the axes of the expression, whatever the loops are; an init sets what the body adds to.
// CHECK-LABEL: func.func @matmul
// CHECK-SAME: (%[[A:.+]]: memref<8x16xf32>, %[[B:.+]]: memref<16x4xf32>, %[[C:.+]]: memref<8x4xf32>)
// LOOPS-LABEL: func.func @matmul
func.func @matmul(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>) -> tensor<8x4xf32> {
  // CHECK: tir.for %i.outer = 0 to 2 parallel {
  // CHECK-NEXT: tir.for %k = 0 to 16 {
  // CHECK-NEXT: tir.for %i.inner = 0 to 4 {
  // CHECK-NEXT: tir.for %j = 0 to 4 vectorized {
  // CHECK: %[[I:.+]] = arith.addi %{{.+}}, %i.inner
  // CHECK-NEXT: tir.block "c" (%vi = %[[I]] spatial, %vj = %j spatial, %vk = %k reduce) {
  // CHECK-NEXT: tir.reads %[[A]][%vi, %vk] : memref<8x16xf32>
  // CHECK-NEXT: tir.reads %[[B]][%vk, %vj] : memref<16x4xf32>
  // CHECK-NEXT: tir.writes %[[C]][%vi, %vj] : memref<8x4xf32>
  // CHECK-NEXT: memref.load %[[A]][%vi, %vk]
  // CHECK: memref.store %{{.+}}, %[[C]][%vi, %vj]
  // CHECK-NEXT: } init {
  // CHECK-NEXT: memref.store %{{.+}}, %[[C]][%vi, %vj]
  // CHECK-NEXT: }
  %c = te.compute "c" (%i: 8, %j: 4) sum (%k: 16) {
    %x = tensor.extract %a[%i, %k] : tensor<8x16xf32>
    %y = tensor.extract %b[%k, %j] : tensor<16x4xf32>
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  } : tensor<8x4xf32>
  te.schedule {
    %s = te.stage %c : tensor<8x4xf32>
    %i, %j, %k = te.axes %s
    %io, %ii = te.split %i {factor = 4}
    te.reorder %io, %k, %ii, %j
    te.parallel %io
    te.vectorize %j
  }
  return %c : tensor<8x4xf32>
}

// The conditions of imperfect splits are the block's.
// CHECK-LABEL: func.func @guarded
// LOOPS-LABEL: func.func @guarded
func.func @guarded(%a: tensor<10xf32>) -> tensor<f32> {
  // CHECK: %[[K:.+]] = arith.addi
  // CHECK: %[[INSIDE:.+]] = arith.cmpi slt, %[[K]], %c10
  // CHECK: tir.block "b" (%vk = %[[K]] reduce) {
  // CHECK-NEXT: tir.where %[[INSIDE]]
  // CHECK-NEXT: tir.reads %{{.+}}[%vk] : memref<10xf32>
  // CHECK-NEXT: tir.writes %{{.+}}[] : memref<f32>
  %b = te.compute "b" () sum (%k: 10) {
    %x = tensor.extract %a[%k] : tensor<10xf32>
    te.yield %x : f32
  } : tensor<f32>
  te.schedule {
    %s = te.stage %b : tensor<f32>
    %k = te.axes %s
    %o, %i = te.split %k {factor = 4}
  }
  return %b : tensor<f32>
}

// What lies at fixed distances is one region; where a value decides, it is the whole dimension.
// CHECK-LABEL: func.func @neighbours
// CHECK-SAME: (%[[A:.+]]: memref<34xf32>, %[[AT:.+]]: memref<16xindex>, %[[OUT:.+]]: memref<16xf32>)
func.func @neighbours(%a: tensor<34xf32>, %at: tensor<16xindex>) -> tensor<16xf32> {
  // CHECK: tir.block "b" (%vi = %i spatial) {
  // CHECK-NEXT: tir.reads %[[A]][%vi * 2] extents [3] : memref<34xf32>
  // CHECK-NEXT: tir.reads %[[AT]][%vi] : memref<16xindex>
  // CHECK-NEXT: tir.reads %[[A]][0] extents [34] : memref<34xf32>
  // CHECK-NEXT: tir.writes %[[OUT]][%vi] : memref<16xf32>
  %c2 = arith.constant 2 : index
  %b = te.compute "b" (%i: 16) {
    %left = arith.muli %i, %c2 : index
    %right = arith.addi %left, %c2 : index
    %x = tensor.extract %a[%left] : tensor<34xf32>
    %y = tensor.extract %a[%right] : tensor<34xf32>
    %place = tensor.extract %at[%i] : tensor<16xindex>
    %z = tensor.extract %a[%place] : tensor<34xf32>
    %s = arith.addf %x, %y : f32
    %t = arith.addf %s, %z : f32
    te.yield %t : f32
  } : tensor<16xf32>
  return %b : tensor<16xf32>
}

// Quotients and remainders of axes are affine.
// CHECK-LABEL: func.func @flat
func.func @flat(%a: tensor<4x6xf32>) -> tensor<24xf32> {
  // CHECK: tir.reads %{{.+}}[%vi floordiv 6, %vi mod 6] : memref<4x6xf32>
  %c6 = arith.constant 6 : index
  %b = te.compute "b" (%i: 24) {
    %row = arith.divsi %i, %c6 : index
    %column = arith.remsi %i, %c6 : index
    %x = tensor.extract %a[%row, %column] : tensor<4x6xf32>
    te.yield %x : f32
  } : tensor<24xf32>
  return %b : tensor<24xf32>
}

// A partial result that nothing is left for is set all the same: of a data axis that is a part of a reduction, the
// condition stands in the body, behind the init.
// CHECK-LABEL: func.func @partial
func.func @partial(%a: tensor<10xf32>) -> tensor<f32> {
  // CHECK: tir.block "b.rf" (%v{{.+}} = %{{.+}} spatial, %v{{.+}} = %{{.+}} reduce) {
  // CHECK-NOT: tir.where
  // CHECK: scf.if
  // CHECK-NEXT: memref.load
  // CHECK: } init {
  %b = te.compute "b" () sum (%k: 10) {
    %x = tensor.extract %a[%k] : tensor<10xf32>
    te.yield %x : f32
  } : tensor<f32>
  te.schedule {
    %s = te.stage %b : tensor<f32>
    %k = te.axes %s
    %o, %i = te.split %k {factor = 4}
    %partial = te.rfactor %s, %i
  }
  return %b : tensor<f32>
}

// A reduction over nothing has no first point: there is no block.
// CHECK-LABEL: func.func @nothing
// CHECK-NOT: tir.block
// CHECK: memref.store
func.func @nothing(%a: tensor<4x0xf32>) -> tensor<4xf32> {
  %b = te.compute "b" (%i: 4) sum (%k: 0) {
    %x = tensor.extract %a[%i, %k] : tensor<4x0xf32>
    te.yield %x : f32
  } : tensor<4xf32>
  return %b : tensor<4xf32>
}
