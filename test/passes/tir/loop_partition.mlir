// RUN: relay-opt %s --loop-partition --canonicalize --cse | FileCheck %s

// Two whole parts, then half of one: no conditions, and no loop of one iteration.
// CHECK-LABEL: func.func @imperfect
func.func @imperfect(%a: memref<10xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  // CHECK-NOT: scf.if
  // CHECK: tir.for %c0 to %c2 "serial" {
  // CHECK: tir.for %c0 to %c4 "unrolled" {
  // CHECK: memref.store
  // CHECK: tir.for %c0 to %c2 "unrolled" {
  // CHECK-NEXT: ^bb0(%[[I:.+]]: index):
  // CHECK-NEXT: %[[AT:.+]] = arith.addi %[[I]], %c8
  // CHECK-NEXT: memref.store %{{.+}}, %{{.+}}[%[[AT]]]
  // CHECK-NOT: tir.for
  // CHECK: return
  tir.for %c0 to %c3 "serial" {
  ^bb0(%o: index):
    tir.for %c0 to %c4 "unrolled" {
    ^bb0(%i: index):
      %base = arith.muli %o, %c4 : index
      %at = arith.addi %base, %i : index
      %in = arith.cmpi slt, %at, %c10 : index
      scf.if %in {
        memref.store %v, %a[%at] : memref<10xf32>
      }
    }
  }
  return
}

// What is left of a vectorized loop stays a whole vector, to be masked; not where the condition holds for
// its last iterations.
// CHECK-LABEL: func.func @vectorized
func.func @vectorized(%a: memref<10xf32>, %b: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  // CHECK: tir.for %c0 to %c2 "serial" {
  // CHECK: tir.for %c0 to %c4 "vectorized" {
  // CHECK-NOT: scf.if
  // CHECK: memref.store
  // CHECK: tir.for %c0 to %c4 "vectorized" {
  // CHECK: scf.if
  // CHECK: memref.store
  tir.for %c0 to %c3 "serial" {
  ^bb0(%o: index):
    tir.for %c0 to %c4 "vectorized" {
    ^bb0(%i: index):
      %base = arith.muli %o, %c4 : index
      %at = arith.addi %base, %i : index
      %in = arith.cmpi slt, %at, %c10 : index
      scf.if %in {
        memref.store %v, %a[%at] : memref<10xf32>
      }
    }
  }
  // CHECK: tir.for %c3 to %c8 "vectorized" {
  // CHECK-NOT: scf.if
  // CHECK: return
  %c8 = arith.constant 8 : index
  tir.for %c0 to %c8 "vectorized" {
  ^bb0(%i: index):
    %in = arith.cmpi sge, %i, %c3 : index
    scf.if %in {
      memref.store %v, %b[%i] : memref<8xf32>
    }
  }
  return
}

// The whole parts are shared among threads; what is left is no loop of theirs.
// CHECK-LABEL: func.func @parallel
func.func @parallel(%a: memref<10xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  // CHECK: tir.for %c0 to %c2 "parallel" {
  // CHECK: tir.for %c0 to %c4 "serial" {
  // CHECK-NOT: "parallel"
  // CHECK: tir.for %c0 to %c2 "serial" {
  tir.for %c0 to %c3 "parallel" {
  ^bb0(%o: index):
    tir.for %c0 to %c4 "serial" {
    ^bb0(%i: index):
      %base = arith.muli %o, %c4 : index
      %at = arith.addi %base, %i : index
      %in = arith.cmpi slt, %at, %c10 : index
      scf.if %in {
        memref.store %v, %a[%at] : memref<10xf32>
      }
    }
  }
  return
}

// A parallel loop starts at 0, whichever its first iteration was.
// CHECK-LABEL: func.func @later_iterations
func.func @later_iterations(%a: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  // CHECK: tir.for %c0 to %c6 "parallel" {
  // CHECK-NEXT: ^bb0(%[[I:.+]]: index):
  // CHECK-NEXT: %[[AT:.+]] = arith.addi %[[I]], %c2
  // CHECK-NEXT: memref.store %{{.+}}, %{{.+}}[%[[AT]]]
  tir.for %c0 to %c8 "parallel" {
  ^bb0(%i: index):
    %in = arith.cmpi sge, %i, %c2 : index
    scf.if %in {
      memref.store %v, %a[%i] : memref<8xf32>
    }
  }
  return
}

// Only the loops that a condition depends on are split: the one around them is not.
// CHECK-LABEL: func.func @around
func.func @around(%a: memref<5x10xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c10 = arith.constant 10 : index
  // CHECK: tir.for %c0 to %c5 "serial" {
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT: tir.for %c0 to %c7 "serial" {
  // CHECK: memref.store
  // CHECK-NOT: tir.for
  // CHECK: return
  tir.for %c0 to %c5 "serial" {
  ^bb0(%r: index):
    tir.for %c0 to %c10 "serial" {
    ^bb0(%i: index):
      %in = arith.cmpi slt, %i, %c7 : index
      scf.if %in {
        memref.store %v, %a[%r, %i] : memref<5x10xf32>
      }
    }
  }
  return
}

// Padding is computed where it stands...
// CHECK-LABEL: func.func @padding
func.func @padding(%a: memref<8xf32>, %b: memref<8xf32>, %zero: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // CHECK: tir.for %c0 to %c8 "serial" {
  // CHECK: scf.if
  // CHECK-NOT: tir.for
  // CHECK: return
  tir.for %c0 to %c8 "serial" {
  ^bb0(%i: index):
    %at = arith.subi %i, %c1 : index
    %in = arith.cmpi sge, %at, %c0 : index
    %x = scf.if %in -> (f32) {
      %y = memref.load %a[%at] : memref<8xf32>
      scf.yield %y : f32
    } else {
      scf.yield %zero : f32
    }
    memref.store %x, %b[%i] : memref<8xf32>
  }
  return
}

// ... if nobody asks for the inside without it.
// CHECK-LABEL: func.func @hint
func.func @hint(%a: memref<8xf32>, %b: memref<8xf32>, %zero: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // CHECK: memref.store %{{.+}}, %{{.+}}[%c0]
  // CHECK: tir.for %c1 to %c8 "serial"
  // CHECK-NOT: scf.if
  // CHECK: memref.load
  // CHECK: return
  tir.for %c0 to %c8 "serial" attributes {tir.loop_partition_hint = 1 : i64} {
  ^bb0(%i: index):
    %at = arith.subi %i, %c1 : index
    %in = arith.cmpi sge, %at, %c0 : index
    %x = scf.if %in -> (f32) {
      %y = memref.load %a[%at] : memref<8xf32>
      scf.yield %y : f32
    } else {
      scf.yield %zero : f32
    }
    memref.store %x, %b[%i] : memref<8xf32>
  }
  return
}

// A condition on data splits no loop.
// CHECK-LABEL: func.func @data
func.func @data(%a: memref<8xf32>, %zero: f32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  // CHECK: tir.for %c0 to %c8 "serial"
  // CHECK: scf.if
  // CHECK-NOT: tir.for
  // CHECK: return
  tir.for %c0 to %c8 "serial" {
  ^bb0(%i: index):
    %x = memref.load %a[%i] : memref<8xf32>
    %in = arith.cmpf olt, %x, %zero : f32
    scf.if %in {
      memref.store %zero, %a[%i] : memref<8xf32>
    }
  }
  return
}
