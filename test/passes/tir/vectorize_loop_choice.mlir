// RUN: relay-opt %s --vectorize-loop --canonicalize | FileCheck %s

// A condition that holds for the first lanes chooses values: the others have those of its else.
// CHECK-LABEL: func.func @chosen
func.func @chosen(%a: memref<?xf32>, %b: memref<16xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  // CHECK: %[[MASK:.+]] = vector.create_mask
  // CHECK: %[[X:.+]] = vector.maskedload %arg0[%c0], %[[MASK]]
  // CHECK: %[[V:.+]] = arith.select %[[MASK]], %[[X]], %{{.+}} : vector<16xi1>, vector<16xf32>
  // CHECK: vector.store %[[V]], %arg1[%c0]
  tir.for %i = 0 to 16 vectorized {
    %in = arith.cmpi slt, %i, %n : index
    %x = scf.if %in -> f32 {
      %y = memref.load %a[%i] : memref<?xf32>
      scf.yield %y : f32
    } else {
      scf.yield %zero : f32
    }
    memref.store %x, %b[%i] : memref<16xf32>
  }
  return
}

// An else that reads is no choice between vectors.
// CHECK-LABEL: func.func @else_reads
func.func @else_reads(%a: memref<?xf32>, %b: memref<4xf32>, %n: index) {
  // CHECK-NOT: vector.maskedload
  // CHECK-COUNT-4: memref.store
  tir.for %i = 0 to 4 vectorized {
    %in = arith.cmpi slt, %i, %n : index
    %x = scf.if %in -> f32 {
      %y = memref.load %a[%i] : memref<?xf32>
      scf.yield %y : f32
    } else {
      %y = memref.load %b[%i] : memref<4xf32>
      scf.yield %y : f32
    }
    memref.store %x, %b[%i] : memref<4xf32>
  }
  return
}

// An element that all lanes share is read if the condition holds in the first lane: else it may not be there.
// CHECK-LABEL: func.func @one_element
func.func @one_element(%a: memref<?xf32>, %s: memref<?xf32>, %b: memref<16xf32>, %n: index, %at: index) {
  %zero = arith.constant 0.0 : f32
  // CHECK: %[[ANY:.+]] = arith.cmpi sgt, %arg3, %c0 : index
  // CHECK: %[[Y:.+]] = scf.if %[[ANY]] -> (vector<16xf32>) {
  // CHECK: memref.load %arg1[%arg4]
  // CHECK: } else {
  // CHECK: %[[V:.+]] = arith.select %{{.+}}, %[[Y]], %{{.+}} : vector<16xi1>, vector<16xf32>
  // CHECK: vector.store %[[V]], %arg2[%c0]
  tir.for %i = 0 to 16 vectorized {
    %in = arith.cmpi slt, %i, %n : index
    %x = scf.if %in -> f32 {
      %y = memref.load %a[%i] : memref<?xf32>
      %z = memref.load %s[%at] : memref<?xf32>
      %w = arith.mulf %y, %z : f32
      scf.yield %w : f32
    } else {
      scf.yield %zero : f32
    }
    memref.store %x, %b[%i] : memref<16xf32>
  }
  return
}
