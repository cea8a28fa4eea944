// RUN: relay-opt %s --tir-simplify | FileCheck %s

// What a loop's bounds say: (8i + j) / 8 is i, the remainder j, and neither limit is met.
// CHECK-LABEL: func.func @bounds
func.func @bounds(%a: memref<4x8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c40 = arith.constant 40 : index
  // CHECK: tir.for %[[I:.+]] =
  // CHECK: tir.for %[[J:.+]] =
  // CHECK-NEXT: memref.store %{{.+}}, %{{.+}}[%[[I]], %[[J]]]
  // CHECK-NEXT: }
  tir.for %i = 0 to 4 {
    tir.for %j = 0 to 8 {
      %row = arith.muli %i, %c8 : index
      %flat = arith.addi %row, %j : index
      %y = arith.divsi %flat, %c8 : index
      %x = arith.remsi %flat, %c8 : index
      %most = arith.minsi %x, %c7 : index
      %least = arith.maxsi %most, %c0 : index
      %in = arith.cmpi slt, %flat, %c40 : index
      scf.if %in {
        memref.store %v, %a[%y, %least] : memref<4x8xf32>
      }
    }
  }
  return
}

// What remainders say: 6i + 3 leaves 0 when divided by 3, is odd, and so never 4i.
// CHECK-LABEL: func.func @remainders
func.func @remainders(%a: memref<64xi1>, %b: memref<64xindex>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  // CHECK: tir.for %[[I:.+]] =
  tir.for %i = 0 to 5 {
    %six = arith.muli %i, %c6 : index
    %odd = arith.addi %six, %c3 : index
    // CHECK: %[[ONE:.+]] = arith.constant 1 : index
    // CHECK: memref.store %[[ONE]], %{{.+}}[%[[I]]] : memref<64xindex>
    %rest = arith.remsi %odd, %c2 : index
    memref.store %rest, %b[%i] : memref<64xindex>
    %j = memref.load %b[%i] : memref<64xindex>
    %four = arith.muli %j, %c4 : index
    // CHECK: %[[FALSE:.+]] = arith.constant false
    // CHECK: memref.store %[[FALSE]], %{{.+}}[%[[I]]] : memref<64xi1>
    %same = arith.cmpi eq, %odd, %four : index
    memref.store %same, %a[%i] : memref<64xi1>
  }
  return
}

// What cancels: i + j - i.
// CHECK-LABEL: func.func @cancels
func.func @cancels(%n: index, %m: index, %a: memref<8xf32>, %v: f32) {
  // CHECK-NEXT: memref.store %{{.+}}, %{{.+}}[%arg1]
  %sum = arith.addi %n, %m : index
  %rest = arith.subi %sum, %n : index
  memref.store %v, %a[%rest] : memref<8xf32>
  return
}

// What is not known stays: a quotient of what may be negative, a limit that may be met.
// CHECK-LABEL: func.func @unknown
func.func @unknown(%n: index, %a: memref<8xf32>, %v: f32) {
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  // CHECK: arith.muli
  // CHECK: arith.divsi
  // CHECK: arith.minsi
  %m = arith.muli %n, %c8 : index
  %q = arith.divsi %m, %c8 : index
  %at = arith.minsi %q, %c7 : index
  memref.store %v, %a[%at] : memref<8xf32>
  return
}

// A loop of 4n iterations, cut at n: the quotient is 0 to 3, so that what it selects is always there. Of 4n + 1 iterations it may be 4.
// CHECK-LABEL: func.func @open_quotient
func.func @open_quotient(%n: index, %a: memref<8xi1>) attributes {tir.symbols = ["n"]} {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %all = arith.muli %n, %c4 : index
  %more = arith.addi %all, %c1 : index
  // CHECK: tir.for %[[I:.+]] =
  tir.for %i = 0 to %all {
    // CHECK: %[[TRUE:.+]] = arith.constant true
    // CHECK: memref.store %[[TRUE]]
    %q = arith.divsi %i, %n : index
    %inside = arith.cmpi slt, %q, %c4 : index
    memref.store %inside, %a[%c1] : memref<8xi1>
  }
  // CHECK: tir.for
  tir.for %i = 0 to %more {
    // CHECK: %[[INSIDE:.+]] = arith.cmpi slt
    // CHECK: memref.store %[[INSIDE]]
    %q = arith.divsi %i, %n : index
    %inside = arith.cmpi slt, %q, %c4 : index
    memref.store %inside, %a[%c1] : memref<8xi1>
  }
  return
}
