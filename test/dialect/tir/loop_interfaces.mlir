// Upstream's passes know loops by MLIR's own interface.
// RUN: relay-opt %s --loop-invariant-code-motion --split-input-file | FileCheck %s

// What does not change from one iteration to the next leaves both loops; what reads memory, and what uses a variable,
// stays.
// CHECK-LABEL: func.func @nest
// CHECK-SAME: (%[[A:.+]]: memref<8x16xf32>, %[[N:.+]]: index, %[[V:.+]]: f32)
func.func @nest(%a: memref<8x16xf32>, %n: index, %v: f32) {
  // CHECK-DAG: %[[TWICE:.+]] = arith.addf %[[V]], %[[V]]
  // CHECK-DAG: %[[LAST:.+]] = arith.subi %[[N]]
  // CHECK: tir.for %i = 0 to %[[N]] {
  // CHECK-NEXT: %[[ROW:.+]] = arith.addi %i, %[[LAST]]
  // CHECK-NEXT: tir.for %j = 0 to 16 parallel {
  // CHECK-NEXT: memref.load %[[A]][%[[ROW]], %j]
  tir.for %i = 0 to %n {
    tir.for %j = 0 to 16 parallel {
      %c1 = arith.constant 1 : index
      %last = arith.subi %n, %c1 : index
      %row = arith.addi %i, %last : index
      %x = memref.load %a[%row, %j] : memref<8x16xf32>
      %twice = arith.addf %v, %v : f32
      %y = arith.addf %x, %twice : f32
      memref.store %y, %a[%i, %j] : memref<8x16xf32>
    }
  }
  return
}

// -----

// An op with effects that nobody declared stays in its loop.
// CHECK-LABEL: func.func @call
// CHECK: tir.for
// CHECK-NEXT: func.call @outside
func.func @call(%v: f32) {
  tir.for %i = 0 to 4 {
    %x = func.call @outside(%v) : (f32) -> f32
  }
  return
}
func.func private @outside(f32) -> f32
