// RUN: relay-opt %s --vectorize-loop --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @contiguous
// CHECK-SAME: (%[[A:.+]]: memref<4x16xf32>, %[[B:.+]]: memref<16xf32>, %[[S:.+]]: f32, %[[N:.+]]: index)
func.func @contiguous(%a: memref<4x16xf32>, %b: memref<16xf32>, %s: f32, %n: index) {
  // CHECK-NOT: tir.for
  // CHECK: %[[X:.+]] = vector.load %[[A]][%[[N]], %c0] : memref<4x16xf32>, vector<16xf32>
  // CHECK: %[[T:.+]] = vector.broadcast %[[S]] : f32 to vector<16xf32>
  // CHECK: %[[Y:.+]] = arith.mulf %[[X]], %[[T]] : vector<16xf32>
  // CHECK: vector.store %[[Y]], %[[B]][%c0]
  tir.for %i = 0 to 16 vectorized {
    %x = memref.load %a[%n, %i] : memref<4x16xf32>
    %y = arith.mulf %x, %s : f32
    memref.store %y, %b[%i] : memref<16xf32>
  }
  return
}

// Lanes that are no power of two are those of several vectors.
// CHECK-LABEL: func.func @pieces
func.func @pieces(%a: memref<2x7xf32>, %b: memref<7xf32>, %n: index) {
  // CHECK: %[[FOUR:.+]] = vector.load %arg0[%arg2, %c0] : memref<2x7xf32>, vector<4xf32>
  // CHECK: vector.store %[[FOUR]], %arg1[%c0]
  // CHECK: %[[TWO:.+]] = vector.load %arg0[%arg2, %c4] : memref<2x7xf32>, vector<2xf32>
  // CHECK: vector.store %[[TWO]], %arg1[%c4]
  // CHECK: %[[ONE:.+]] = vector.load %arg0[%arg2, %c6] : memref<2x7xf32>, vector<1xf32>
  // CHECK: vector.store %[[ONE]], %arg1[%c6]
  tir.for %i = 0 to 7 vectorized {
    %x = memref.load %a[%n, %i] : memref<2x7xf32>
    memref.store %x, %b[%i] : memref<7xf32>
  }
  return
}

// A load that does not depend on the lane is done once.
// CHECK-LABEL: func.func @uniform
func.func @uniform(%a: memref<16xf32>, %b: memref<16xf32>, %n: index) {
  // CHECK: %[[X:.+]] = memref.load
  // CHECK: %[[V:.+]] = vector.broadcast %[[X]]
  // CHECK: vector.store %[[V]]
  tir.for %i = 0 to 16 vectorized {
    %x = memref.load %a[%n] : memref<16xf32>
    memref.store %x, %b[%i] : memref<16xf32>
  }
  return
}

// Every second element: two loads that reach no further than the last one.
// CHECK-LABEL: func.func @every_second
func.func @every_second(%a: memref<7xf32>, %b: memref<4xf32>) {
  %c2 = arith.constant 2 : index
  // CHECK: %[[LOW:.+]] = vector.load %arg0[%c0]
  // CHECK: %[[HIGH:.+]] = vector.load %arg0[%c3]
  // CHECK: %[[V:.+]] = vector.shuffle %[[LOW]], %[[HIGH]] [0, 2, 5, 7]
  // CHECK: vector.store %[[V]]
  tir.for %i = 0 to 4 vectorized {
    %at = arith.muli %i, %c2 : index
    %x = memref.load %a[%at] : memref<7xf32>
    memref.store %x, %b[%i] : memref<4xf32>
  }
  return
}

// Lanes that take turns with two elements: these are loaded once.
// CHECK-LABEL: func.func @turns
func.func @turns(%a: memref<3x8xf32>, %b: memref<8xf32>, %n: index) {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  // CHECK: %[[FEW:.+]] = vector.load %arg0[%arg2, %{{.+}}] : memref<3x8xf32>, vector<2xf32>
  // CHECK: %[[V:.+]] = vector.shuffle %[[FEW]], %[[FEW]] [0, 1, 0, 1, 0, 1, 0, 1]
  // CHECK: vector.store %[[V]]
  tir.for %i = 0 to 8 vectorized {
    %rest = arith.remsi %i, %c2 : index
    %at = arith.addi %rest, %c4 : index
    %x = memref.load %a[%n, %at] : memref<3x8xf32>
    memref.store %x, %b[%i] : memref<8xf32>
  }
  return
}

// Turns that the lanes do not divide into are gathered.
// CHECK-LABEL: func.func @uneven_turns
func.func @uneven_turns(%a: memref<8xf32>, %b: memref<8xf32>) {
  %c3 = arith.constant 3 : index
  // CHECK: vector.gather
  tir.for %i = 0 to 8 vectorized {
    %at = arith.remsi %i, %c3 : index
    %x = memref.load %a[%at] : memref<8xf32>
    memref.store %x, %b[%i] : memref<8xf32>
  }
  return
}

// Rows that follow each other are one run.
// CHECK-LABEL: func.func @rows
func.func @rows(%a: memref<3x4x2xf32>, %b: memref<8xf32>, %n: index) {
  %c2 = arith.constant 2 : index
  // CHECK: %[[WHOLE:.+]] = memref.reinterpret_cast %arg0 {{.*}} to memref<3x8xf32>
  // CHECK: %[[V:.+]] = vector.load %[[WHOLE]][%arg2, %{{.+}}] : memref<3x8xf32>, vector<8xf32>
  // CHECK: vector.store %[[V]]
  tir.for %i = 0 to 8 vectorized {
    %row = arith.divsi %i, %c2 : index
    %at = arith.remsi %i, %c2 : index
    %x = memref.load %a[%n, %row, %at] : memref<3x4x2xf32>
    memref.store %x, %b[%i] : memref<8xf32>
  }
  return
}

// Rows of which only the beginning is read are none.
// CHECK-LABEL: func.func @parts_of_rows
func.func @parts_of_rows(%a: memref<4x3xf32>, %b: memref<8xf32>) {
  %c2 = arith.constant 2 : index
  // CHECK-NOT: reinterpret_cast
  // CHECK: vector.gather
  tir.for %i = 0 to 8 vectorized {
    %row = arith.divsi %i, %c2 : index
    %at = arith.remsi %i, %c2 : index
    %x = memref.load %a[%row, %at] : memref<4x3xf32>
    memref.store %x, %b[%i] : memref<8xf32>
  }
  return
}

// Every second element of a whole row, of which the row is loaded as it was stored.
// CHECK-LABEL: func.func @of_row
func.func @of_row(%a: memref<3x8xf32>, %b: memref<4xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // CHECK: %[[ROW:.+]] = vector.load %arg0[%arg2, %{{.+}}] : memref<3x8xf32>, vector<8xf32>
  // CHECK: %[[PAIRS:.+]] = vector.bitcast %[[ROW]] : vector<8xf32> to vector<4xi64>
  // CHECK: %[[UPPER:.+]] = arith.shrui %[[PAIRS]]
  // CHECK: %[[HALF:.+]] = arith.trunci %[[UPPER]] : vector<4xi64> to vector<4xi32>
  // CHECK: vector.bitcast %[[HALF]] : vector<4xi32> to vector<4xf32>
  tir.for %i = 0 to 4 vectorized {
    %twice = arith.muli %i, %c2 : index
    %at = arith.addi %twice, %c1 : index
    %x = memref.load %a[%n, %at] : memref<3x8xf32>
    memref.store %x, %b[%i] : memref<4xf32>
  }
  return
}

// Every fourth: a shuffle.
// CHECK-LABEL: func.func @fourth_of_row
func.func @fourth_of_row(%a: memref<16xf32>, %b: memref<4xf32>) {
  %c4 = arith.constant 4 : index
  // CHECK: %[[ROW:.+]] = vector.load %arg0[%{{.+}}] : memref<16xf32>, vector<16xf32>
  // CHECK: vector.shuffle %[[ROW]], %[[ROW]] [0, 4, 8, 12]
  tir.for %i = 0 to 4 vectorized {
    %at = arith.muli %i, %c4 : index
    %x = memref.load %a[%at] : memref<16xf32>
    memref.store %x, %b[%i] : memref<4xf32>
  }
  return
}

// Loads with wider steps are gathered.
// CHECK-LABEL: func.func @strided
func.func @strided(%a: memref<12xf32>, %b: memref<4xf32>) {
  %c2 = arith.constant 3 : index
  // CHECK: %[[AT:.+]] = arith.constant dense<[0, 3, 6, 9]> : vector<4xi32>
  // CHECK: %[[V:.+]] = vector.gather %arg0[%{{.+}}] [%[[AT]]]
  // CHECK: vector.store %[[V]]
  tir.for %i = 0 to 4 vectorized {
    %at = arith.muli %i, %c2 : index
    %x = memref.load %a[%at] : memref<12xf32>
    memref.store %x, %b[%i] : memref<4xf32>
  }
  return
}

// A condition that holds for the last lanes has no vector form: the loop is unrolled.
// CHECK-LABEL: func.func @divergent
func.func @divergent(%b: memref<4xf32>, %v: f32) {
  %c2 = arith.constant 2 : index
  // CHECK-NOT: vector
  // CHECK-COUNT-2: memref.store
  // CHECK-NOT: memref.store
  tir.for %i = 0 to 4 vectorized {
    %in = arith.cmpi sge, %i, %c2 : index
    scf.if %in {
      memref.store %v, %b[%i] : memref<4xf32>
    }
  }
  return
}

// One that holds for the first lanes is a mask, also for what is divided by a number that is not 0.
// CHECK-LABEL: func.func @masked
func.func @masked(%a: memref<10xi32>, %b: memref<10xi32>, %n: index) {
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %three = arith.constant 3 : i32
  // CHECK-NOT: scf.if
  // CHECK: %[[MASK:.+]] = vector.constant_mask [2] : vector<4xi1>
  // CHECK: %[[X:.+]] = vector.maskedload %arg0[%c8], %[[MASK]], %{{.+}} : memref<10xi32>
  // CHECK: %[[Y:.+]] = arith.divsi %[[X]]
  // CHECK: vector.maskedstore %arg1[%c8], %[[MASK]], %[[Y]]
  tir.for %i = 0 to 4 vectorized {
    %at = arith.addi %c8, %i : index
    %in = arith.cmpi slt, %at, %c10 : index
    scf.if %in {
      %x = memref.load %a[%at] : memref<10xi32>
      %y = arith.divsi %x, %three : i32
      memref.store %y, %b[%at] : memref<10xi32>
    }
  }
  // Where the row begins is known later: what all lanes share is read if one of them is in it.
  // CHECK-DAG: %[[LEFT:.+]] = arith.subi %c10, %arg2 : index
  // CHECK-DAG: %[[MASK:.+]] = vector.create_mask %[[LEFT]] : vector<4xi1>
  // CHECK-DAG: %[[ANY:.+]] = arith.cmpi slt, %arg2, %c10 : index
  // CHECK: scf.if %[[ANY]] {
  // CHECK: memref.load %arg0[%arg2]
  // CHECK: vector.maskedstore %arg1[%arg2], %[[MASK]]
  tir.for %i = 0 to 4 vectorized {
    %at = arith.addi %n, %i : index
    %in = arith.cmpi slt, %at, %c10 : index
    scf.if %in {
      %x = memref.load %a[%n] : memref<10xi32>
      memref.store %x, %b[%at] : memref<10xi32>
    }
  }
  return
}

// What nobody else sees is read and written whole.
// CHECK-LABEL: func.func @masked_accumulator
func.func @masked_accumulator(%a: memref<10xf32>) {
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  // CHECK: %[[SUMS:.+]] = tir.alloc_buffer
  // CHECK: %[[X:.+]] = vector.maskedload %arg0[%c8], %[[MASK:.+]], %
  // CHECK: %[[OLD:.+]] = vector.load %[[SUMS]]
  // CHECK: %[[SUM:.+]] = arith.addf %[[OLD]], %[[X]]
  // CHECK: %[[NEW:.+]] = arith.select %[[MASK]], %[[SUM]], %{{.+}} : vector<4xi1>, vector<4xf32>
  // CHECK: vector.store %[[NEW]], %[[SUMS]]
  %sums = tir.alloc_buffer : memref<4xf32, #tir.scope<local>>
  tir.for %i = 0 to 4 vectorized {
    %at = arith.addi %c8, %i : index
    %in = arith.cmpi slt, %at, %c10 : index
    scf.if %in {
      %x = memref.load %a[%at] : memref<10xf32>
      %old = memref.load %sums[%i] : memref<4xf32, #tir.scope<local>>
      %sum = arith.addf %old, %x : f32
      memref.store %sum, %sums[%i] : memref<4xf32, #tir.scope<local>>
    }
  }
  return
}

// An element that all lanes share is combined with what changes nothing for those masked off.
// CHECK-LABEL: func.func @masked_horizontal
func.func @masked_horizontal(%a: memref<10xf32>, %b: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  // CHECK: %[[LEAST:.+]] = arith.constant dense<0xFF800000> : vector<4xf32>
  // CHECK: %[[X:.+]] = vector.maskedload %arg0[%c8], %[[MASK:.+]], %
  // CHECK: %[[IN:.+]] = arith.select %[[MASK]], %[[X]], %[[LEAST]]
  // CHECK: vector.shuffle %[[IN]], %[[IN]] [0, 1]
  tir.for %i = 0 to 4 vectorized {
    %at = arith.addi %c8, %i : index
    %in = arith.cmpi slt, %at, %c10 : index
    scf.if %in {
      %x = memref.load %a[%at] : memref<10xf32>
      %old = memref.load %b[%c0] : memref<1xf32>
      %new = arith.maximumf %old, %x : f32
      memref.store %new, %b[%c0] : memref<1xf32>
    }
  }
  return
}

// What is computed from a branch that reads at the lane's subscript differs between lanes.
// CHECK-LABEL: func.func @branch_in_branch
// CHECK: scf.if %{{.+}} -> (vector<8xi8>)
// CHECK: scf.if %{{.+}} -> (vector<8xf32>)
// CHECK: arith.fptosi %{{.+}} : vector<8xf32> to vector<8xi8>
func.func @branch_in_branch(%a: memref<8xf32>, %b: memref<8xf32>, %c: memref<8xi8>, %is_inside: i1, %is_first: i1) {
  tir.for %i = 0 to 8 vectorized {
    %0 = scf.if %is_inside -> (i8) {
      %1 = scf.if %is_first -> (f32) {
        %x = memref.load %a[%i] : memref<8xf32>
        scf.yield %x : f32
      } else {
        %y = memref.load %b[%i] : memref<8xf32>
        scf.yield %y : f32
      }
      %2 = arith.fptosi %1 : f32 to i8
      scf.yield %2 : i8
    } else {
      %7 = arith.constant 7 : i8
      scf.yield %7 : i8
    }
    memref.store %0, %c[%i] : memref<8xi8>
  }
  return
}

// Lanes that are masked off must not divide by what may be 0.
// CHECK-LABEL: func.func @masked_division
// CHECK-NOT: vector
// CHECK-COUNT-2: arith.divsi
// CHECK-NOT: arith.divsi
func.func @masked_division(%a: memref<10xi32>, %b: memref<10xi32>) {
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  tir.for %i = 0 to 4 vectorized {
    %at = arith.addi %c8, %i : index
    %in = arith.cmpi slt, %at, %c10 : index
    scf.if %in {
      %x = memref.load %a[%at] : memref<10xi32>
      %y = arith.divsi %x, %x : i32
      memref.store %y, %b[%at] : memref<10xi32>
    }
  }
  return
}

// Nor are truth values stored under a mask, or elements that lie apart loaded.
// CHECK-LABEL: func.func @masked_otherwise
// CHECK-NOT: vector
// CHECK: return
func.func @masked_otherwise(%a: memref<10x2xi32>, %b: memref<10xi32>, %c: memref<10xi1>, %true: i1) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  tir.for %i = 0 to 4 vectorized {
    %at = arith.addi %c8, %i : index
    %in = arith.cmpi slt, %at, %c10 : index
    scf.if %in {
      %x = memref.load %a[%at, %c0] : memref<10x2xi32>
      memref.store %x, %b[%at] : memref<10xi32>
    }
  }
  tir.for %i = 0 to 4 vectorized {
    %at = arith.addi %c8, %i : index
    %in = arith.cmpi slt, %at, %c10 : index
    scf.if %in {
      memref.store %true, %c[%at] : memref<10xi1>
    }
  }
  return
}

// A subscript computed from other numbers of the lane has no value for the first lane alone.
// CHECK-LABEL: func.func @indirect
func.func @indirect(%a: memref<8xf32>, %n: memref<4xi64>, %b: memref<4xf32>) {
  %c7 = arith.constant 7 : index
  // CHECK: %[[N:.+]] = vector.load
  // CHECK: %[[AT:.+]] = arith.index_cast %[[N]] : vector<4xi64> to vector<4xindex>
  // CHECK: %[[IN:.+]] = arith.minsi %[[AT]], %{{.+}} : vector<4xindex>
  // CHECK: %[[SMALL:.+]] = arith.index_cast %[[IN]] : vector<4xindex> to vector<4xi32>
  // CHECK: vector.gather %arg0[%{{.+}}] [%[[SMALL]]]
  tir.for %i = 0 to 4 vectorized {
    %k = memref.load %n[%i] : memref<4xi64>
    %at = arith.index_cast %k : i64 to index
    %in = arith.minsi %at, %c7 : index
    %x = memref.load %a[%in] : memref<8xf32>
    memref.store %x, %b[%i] : memref<4xf32>
  }
  return
}

// Loops of another kind stay.
// CHECK-LABEL: func.func @serial
func.func @serial(%b: memref<4xf32>, %v: f32) {
  // CHECK: tir.for
  tir.for %i = 0 to 4 {
    memref.store %v, %b[%i] : memref<4xf32>
  }
  return
}

// Truth values take a byte each in memory: compared as a vector, stored one by one.
// CHECK-LABEL: func.func @truth
func.func @truth(%a: memref<4xf32>, %b: memref<4xi1>) {
  %zero = arith.constant 0.0 : f32
  // CHECK: %[[IS:.+]] = arith.cmpf ogt, %{{.+}}, %{{.+}} : vector<4xf32>
  // CHECK-COUNT-4: memref.store %{{.+}}, %{{.+}}[%{{.+}}] : memref<4xi1>
  tir.for %i = 0 to 4 vectorized {
    %x = memref.load %a[%i] : memref<4xf32>
    %is = arith.cmpf ogt, %x, %zero : f32
    memref.store %is, %b[%i] : memref<4xi1>
  }
  return
}

// An element that all lanes share: halves of the vector are combined, what is left with the element.
// CHECK-LABEL: func.func @horizontal
func.func @horizontal(%a: memref<4xf32>, %b: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  // CHECK-DAG: %[[OLD:.+]] = memref.load %arg1
  // CHECK-DAG: %[[X:.+]] = vector.load %arg0
  // CHECK: %[[LOW:.+]] = vector.shuffle %[[X]], %[[X]] [0, 1]
  // CHECK: %[[HIGH:.+]] = vector.shuffle %[[X]], %[[X]] [2, 3]
  // CHECK: %[[TWO:.+]] = arith.maximumf %[[LOW]], %[[HIGH]] fastmath<nsz> : vector<2xf32>
  // CHECK: %[[ONE:.+]] = arith.maximumf %{{.+}}, %{{.+}} fastmath<nsz> : vector<1xf32>
  // CHECK: %[[LANE:.+]] = vector.extract %[[ONE]][0]
  // CHECK: %[[NEW:.+]] = arith.maximumf %[[OLD]], %[[LANE]] fastmath<nsz> : f32
  // CHECK: memref.store %[[NEW]], %arg1
  tir.for %i = 0 to 4 vectorized {
    %x = memref.load %a[%i] : memref<4xf32>
    %old = memref.load %b[%c0] : memref<1xf32>
    %new = arith.maximumf %old, %x fastmath<nsz> : f32
    memref.store %new, %b[%c0] : memref<1xf32>
  }
  return
}

// The larger of two, or any of them if one is not a number: a comparison and a choice.
// CHECK-LABEL: func.func @horizontal_choice
func.func @horizontal_choice(%a: memref<2xf32>, %b: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[LOW:.+]] = vector.shuffle %[[X:.+]], %[[X]] [0]
  // CHECK: %[[HIGH:.+]] = vector.shuffle %[[X]], %[[X]] [1]
  // CHECK: %[[KEEPS:.+]] = arith.cmpf ogt, %[[LOW]], %[[HIGH]] : vector<1xf32>
  // CHECK: arith.select %[[KEEPS]], %[[LOW]], %[[HIGH]]
  // CHECK: %[[NEW:.+]] = arith.select %{{.+}}, %{{.+}}, %{{.+}} : f32
  // CHECK: memref.store %[[NEW]], %arg1
  tir.for %i = 0 to 2 vectorized {
    %x = memref.load %a[%i] : memref<2xf32>
    %old = memref.load %b[%c0] : memref<1xf32>
    %keeps = arith.cmpf ogt, %old, %x : f32
    %new = arith.select %keeps, %old, %x : f32
    memref.store %new, %b[%c0] : memref<1xf32>
  }
  return
}

// A choice by another comparison is none of the larger or smaller: lane after lane.
// CHECK-LABEL: func.func @other_choice
// CHECK-COUNT-2: arith.select %{{.+}}, %{{.+}}, %{{.+}} : f32
func.func @other_choice(%a: memref<2xf32>, %b: memref<1xf32>, %limit: f32) {
  %c0 = arith.constant 0 : index
  tir.for %i = 0 to 2 vectorized {
    %x = memref.load %a[%i] : memref<2xf32>
    %old = memref.load %b[%c0] : memref<1xf32>
    %keeps = arith.cmpf ogt, %old, %limit : f32
    %new = arith.select %keeps, %old, %x : f32
    memref.store %new, %b[%c0] : memref<1xf32>
  }
  return
}

// A difference is not the same in any order: its steps follow each other.
// CHECK-LABEL: func.func @ordered
// CHECK-COUNT-4: arith.subf %{{.+}}, %{{.+}} : f32
func.func @ordered(%a: memref<4xf32>, %b: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  tir.for %i = 0 to 4 vectorized {
    %x = memref.load %a[%i] : memref<4xf32>
    %old = memref.load %b[%c0] : memref<1xf32>
    %new = arith.subf %old, %x : f32
    memref.store %new, %b[%c0] : memref<1xf32>
  }
  return
}

// Neither does a value change that the body reads a second time.
// CHECK-LABEL: func.func @read_twice
// CHECK-COUNT-4: arith.addf %{{.+}}, %{{.+}} : f32
func.func @read_twice(%b: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  tir.for %i = 0 to 4 vectorized {
    %x = memref.load %b[%i] : memref<8xf32>
    %old = memref.load %b[%c0] : memref<8xf32>
    %new = arith.addf %old, %x : f32
    memref.store %new, %b[%c0] : memref<8xf32>
  }
  return
}

// Bytes are gathered one by one, as no processor takes them together.
// CHECK-LABEL: func.func @strided_bytes
// CHECK-COUNT-4: memref.load
// CHECK: vector.from_elements
func.func @strided_bytes(%a: memref<4x3xi8>, %b: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  tir.for %i = 0 to 4 vectorized {
    %x = memref.load %a[%i, %c0] : memref<4x3xi8>
    memref.store %x, %b[%i] : memref<4xi8>
  }
  return
}
