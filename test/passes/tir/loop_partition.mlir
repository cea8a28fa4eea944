// RUN: relay-opt %s --loop-partition --canonicalize --cse | FileCheck %s

// Two whole parts, then half of one: no conditions, and no loop of one iteration.
// CHECK-LABEL: func.func @imperfect
func.func @imperfect(%a: memref<10xf32>, %v: f32) {
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  // CHECK-NOT: scf.if
  // CHECK: tir.for %{{.+}} = 0 to 2 {
  // CHECK: tir.for %{{.+}} = 0 to 4 unrolled {
  // CHECK: memref.store
  // CHECK: tir.for %[[I:.+]] = 0 to 2 unrolled {
  // CHECK-NEXT: %[[AT:.+]] = arith.addi %[[I]], %c8
  // CHECK-NEXT: memref.store %{{.+}}, %{{.+}}[%[[AT]]]
  // CHECK-NOT: tir.for
  // CHECK: return
  tir.for %o = 0 to 3 {
    tir.for %i = 0 to 4 unrolled {
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
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  // CHECK: tir.for %{{.+}} = 0 to 2 {
  // CHECK: tir.for %{{.+}} = 0 to 4 vectorized {
  // CHECK-NOT: scf.if
  // CHECK: memref.store
  // CHECK: tir.for %{{.+}} = 0 to 4 vectorized {
  // CHECK: scf.if
  // CHECK: memref.store
  tir.for %o = 0 to 3 {
    tir.for %i = 0 to 4 vectorized {
      %base = arith.muli %o, %c4 : index
      %at = arith.addi %base, %i : index
      %in = arith.cmpi slt, %at, %c10 : index
      scf.if %in {
        memref.store %v, %a[%at] : memref<10xf32>
      }
    }
  }
  // CHECK: tir.for %{{.+}} = 3 to 8 vectorized {
  // CHECK-NOT: scf.if
  // CHECK: return
  tir.for %i = 0 to 8 vectorized {
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
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  // CHECK: tir.for %{{.+}} = 0 to 2 parallel {
  // CHECK: tir.for %{{.+}} = 0 to 4 {
  // CHECK-NOT: parallel
  // CHECK: tir.for %{{.+}} = 0 to 2 {
  tir.for %o = 0 to 3 parallel {
    tir.for %i = 0 to 4 {
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

// A parallel loop stays one where its first iterations do nothing.
// CHECK-LABEL: func.func @later_iterations
func.func @later_iterations(%a: memref<8xf32>, %v: f32) {
  %c2 = arith.constant 2 : index
  // CHECK: tir.for %[[I:.+]] = 2 to 8 parallel {
  // CHECK-NEXT: memref.store %{{.+}}, %{{.+}}[%[[I]]]
  tir.for %i = 0 to 8 parallel {
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
  %c7 = arith.constant 7 : index
  // CHECK: tir.for %{{.+}} = 0 to 5 {
  // CHECK-NEXT: tir.for %{{.+}} = 0 to 7 {
  // CHECK: memref.store
  // CHECK-NOT: tir.for
  // CHECK: return
  tir.for %r = 0 to 5 {
    tir.for %i = 0 to 10 {
      %in = arith.cmpi slt, %i, %c7 : index
      scf.if %in {
        memref.store %v, %a[%r, %i] : memref<5x10xf32>
      }
    }
  }
  return
}

// A condition around a loop of many iterations is asked seldom: no copy of that loop is made for it.
// CHECK-LABEL: func.func @around_loop
func.func @around_loop(%a: memref<9x64xf32>, %v: f32) {
  %c1 = arith.constant 1 : index
  // CHECK: tir.for %{{.+}} = 0 to 10 {
  // CHECK: scf.if
  // CHECK: tir.for %{{.+}} = 0 to 64 {
  // CHECK: memref.store
  // CHECK-NOT: memref.store
  // CHECK: return
  tir.for %i = 0 to 10 {
    %in = arith.cmpi sge, %i, %c1 : index
    scf.if %in {
      %at = arith.subi %i, %c1 : index
      tir.for %j = 0 to 64 {
        memref.store %v, %a[%at, %j] : memref<9x64xf32>
      }
    }
  }
  return
}

// A loop of few iterations takes no longer than to ask.
// CHECK-LABEL: func.func @around_few
func.func @around_few(%a: memref<9x2xf32>, %v: f32) {
  %c1 = arith.constant 1 : index
  // CHECK: tir.for %{{.+}} = 1 to 10 {
  // CHECK-NOT: scf.if
  // CHECK: return
  tir.for %i = 0 to 10 {
    %in = arith.cmpi sge, %i, %c1 : index
    scf.if %in {
      %at = arith.subi %i, %c1 : index
      tir.for %j = 0 to 2 {
        memref.store %v, %a[%at, %j] : memref<9x2xf32>
      }
    }
  }
  return
}

// Loops that are unrolled or vectorized are none by then.
// CHECK-LABEL: func.func @around_no_loop
func.func @around_no_loop(%a: memref<9x8xf32>, %v: f32) {
  %c1 = arith.constant 1 : index
  // CHECK: tir.for %{{.+}} = 1 to 10 {
  // CHECK-NOT: scf.if
  // CHECK: return
  tir.for %i = 0 to 10 {
    %in = arith.cmpi sge, %i, %c1 : index
    scf.if %in {
      %at = arith.subi %i, %c1 : index
      tir.for %j = 0 to 8 vectorized {
        memref.store %v, %a[%at, %j] : memref<9x8xf32>
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
  // CHECK: tir.for %{{.+}} = 0 to 8 {
  // CHECK: scf.if
  // CHECK-NOT: tir.for
  // CHECK: return
  tir.for %i = 0 to 8 {
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
  // CHECK: memref.store %{{.+}}, %{{.+}}[%c0]
  // CHECK: tir.for %{{.+}} = 1 to 8 attributes
  // CHECK-NOT: scf.if
  // CHECK: memref.load
  // CHECK: return
  tir.for %i = 0 to 8 attributes {tir.loop_partition_hint = 1 : i64} {
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
  // CHECK: tir.for %{{.+}} = 0 to 8 {
  // CHECK: scf.if
  // CHECK-NOT: tir.for
  // CHECK: return
  tir.for %i = 0 to 8 {
    %x = memref.load %a[%i] : memref<8xf32>
    %in = arith.cmpf olt, %x, %zero : f32
    scf.if %in {
      memref.store %zero, %a[%i] : memref<8xf32>
    }
  }
  return
}

// Where a condition never holds, there is nothing left; where it holds in a part of the inner iterations, these are split.
// CHECK-LABEL: func.func @never
func.func @never(%a: memref<15xf32>, %v: f32) {
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  // CHECK-NOT: scf.if
  // CHECK: tir.for %{{.+}} = 2 to 5 unrolled {
  // CHECK: memref.store
  // CHECK: tir.for %{{.+}} = 0 to 5 unrolled {
  // CHECK: memref.store
  // CHECK-NOT: memref.store
  // CHECK: return
  tir.for %o = 0 to 3 {
    tir.for %i = 0 to 5 unrolled {
      %base = arith.muli %o, %c5 : index
      %at = arith.addi %base, %i : index
      %in = arith.cmpi sge, %at, %c7 : index
      scf.if %in {
        memref.store %v, %a[%at] : memref<15xf32>
      }
    }
  }
  return
}

// Each iteration of an unrolled loop decides for itself in which iterations of loops inside a condition holds.
// CHECK-LABEL: func.func @unrolled
func.func @unrolled(%a: memref<12xf32>, %v: f32) {
  %c5 = arith.constant 5 : index
  %c10 = arith.constant 10 : index
  // CHECK-NOT: scf.if
  // CHECK: tir.for %{{.+}} = 10 to 12 {
  // CHECK: tir.for %{{.+}} = 5 to 12 {
  // CHECK: tir.for %{{.+}} = 0 to 12 {
  // CHECK-NOT: tir.for
  // CHECK: return
  tir.for %tap = 0 to 3 unrolled {
    tir.for %x = 0 to 12 {
      %far = arith.muli %tap, %c5 : index
      %at = arith.addi %x, %far : index
      %in = arith.cmpi sge, %at, %c10 : index
      scf.if %in {
        memref.store %v, %a[%x] : memref<12xf32>
      }
    }
  }
  return
}

// Where a number decides that is known only when the loop runs, the iterations before it need no condition; those after it keep theirs.
// CHECK-LABEL: func.func @open(
// CHECK-SAME: %[[END:[a-z0-9]+]]: index, %[[N:[a-z0-9]+]]: index
func.func @open(%a: memref<?xf32>, %end: index, %n: index, %v: f32) {
  %c4 = arith.constant 4 : index
  // CHECK: %[[LEFT:.+]] = arith.{{.+}} %[[N]]
  // CHECK: arith.floordivsi
  // CHECK: %[[SHORT:.+]] = arith.minsi %{{.+}}, %[[END]]
  // CHECK: %[[MAIN:.+]] = arith.maxsi %[[SHORT]], %c0
  // CHECK: tir.for %{{.+}} = 0 to %[[MAIN]] {
  // CHECK: tir.for %{{.+}} = 0 to 4 vectorized {
  // CHECK-NOT: scf.if
  // CHECK: memref.store
  // CHECK: tir.for %{{.+}} = %[[MAIN]] to %[[END]] {
  // CHECK: tir.for %{{.+}} = 0 to 4 vectorized {
  // CHECK: scf.if
  // CHECK: memref.store
  // CHECK-NOT: tir.for
  // CHECK: return
  tir.for %o = 0 to %end {
    tir.for %i = 0 to 4 vectorized {
      %base = arith.muli %o, %c4 : index
      %at = arith.addi %base, %i : index
      %in = arith.cmpi slt, %at, %n : index
      scf.if %in {
        memref.store %v, %a[%at] : memref<?xf32>
      }
    }
  }
  return
}

// Not where the number varies in the loop, and not a loop that is shared.
// CHECK-LABEL: func.func @open_inside(
func.func @open_inside(%a: memref<?xf32>, %ends: memref<?xindex>, %end: index, %n: index, %v: f32) {
  // CHECK-COUNT-2: tir.for
  // CHECK-NOT: tir.for
  // CHECK: return
  tir.for %o = 0 to %end {
    %own = memref.load %ends[%o] : memref<?xindex>
    %in = arith.cmpi slt, %o, %own : index
    scf.if %in {
      memref.store %v, %a[%o] : memref<?xf32>
    }
  }
  tir.for %o = 0 to %end parallel {
    %in = arith.cmpi slt, %o, %n : index
    scf.if %in {
      memref.store %v, %a[%o] : memref<?xf32>
    }
  }
  return
}
