// RUN: relay-opt %s --hoist-if-then-else | FileCheck %s

// A condition on %y goes out of all loops but that over %y, with what computes it; that on %x stays.
// CHECK-LABEL: func.func @outwards
func.func @outwards(%a: memref<8x8x4xf32>, %v: f32) {
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  // CHECK: tir.for %[[Y:.+]] = 0 to 8 {
  // CHECK: %[[MOVED:.+]] = arith.addi %[[Y]], %c2
  // CHECK: %[[ABOVE:.+]] = arith.cmpi slt, %[[MOVED]], %c6
  // CHECK: scf.if %[[ABOVE]] {
  // CHECK: tir.for %[[X:.+]] = 0 to 8 {
  // CHECK: %[[BESIDE:.+]] = arith.cmpi sge, %[[X]], %c2
  // CHECK: scf.if %[[BESIDE]] {
  // CHECK: tir.for %{{.+}} = 0 to 4 vectorized {
  // CHECK: memref.store
  tir.for %y = 0 to 8 {
    tir.for %x = 0 to 8 {
      tir.for %l = 0 to 4 vectorized {
        %beside = arith.cmpi sge, %x, %c2 : index
        scf.if %beside {
          %moved = arith.addi %y, %c2 : index
          %above = arith.cmpi slt, %moved, %c6 : index
          scf.if %above {
            memref.store %v, %a[%y, %x, %l] : memref<8x8x4xf32>
          }
        }
      }
    }
  }
  return
}

// Requests for memory come under the condition.
// CHECK-LABEL: func.func @requests
func.func @requests(%a: memref<8xf32>, %v: f32, %n: index) {
  %c2 = arith.constant 2 : index
  // CHECK: scf.if
  // CHECK: tir.for
  // CHECK: memref.prefetch
  // CHECK: memref.store
  tir.for %i = 0 to 8 {
    memref.prefetch %a[%i], read, locality<3>, data : memref<8xf32>
    %in = arith.cmpi slt, %n, %c2 : index
    scf.if %in {
      memref.store %v, %a[%i] : memref<8xf32>
    }
  }
  return
}

// Something else happens in each iteration; another branch; threads share the loop; what is loaded may change.
// CHECK-LABEL: func.func @stay
func.func @stay(%a: memref<8xf32>, %v: f32, %n: index, %flags: memref<1xi1>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  // CHECK-NEXT: arith.constant
  // CHECK-NEXT: arith.constant
  // CHECK-NEXT: tir.for
  // CHECK-NEXT: memref.store
  tir.for %i = 0 to 8 {
    memref.store %v, %a[%c0] : memref<8xf32>
    %in = arith.cmpi slt, %n, %c2 : index
    scf.if %in {
      memref.store %v, %a[%i] : memref<8xf32>
    }
  }
  // CHECK: tir.for
  // CHECK-NEXT: arith.cmpi
  tir.for %i = 0 to 8 {
    %in = arith.cmpi slt, %n, %c2 : index
    scf.if %in {
      memref.store %v, %a[%i] : memref<8xf32>
    } else {
      memref.store %v, %a[%c0] : memref<8xf32>
    }
  }
  // CHECK: tir.for {{.*}} parallel
  // CHECK-NEXT: arith.cmpi
  tir.for %i = 0 to 8 parallel {
    %in = arith.cmpi slt, %n, %c2 : index
    scf.if %in {
      memref.store %v, %a[%i] : memref<8xf32>
    }
  }
  // CHECK: tir.for
  // CHECK-NEXT: memref.load
  tir.for %i = 0 to 8 {
    %in = memref.load %flags[%c0] : memref<1xi1>
    scf.if %in {
      memref.store %v, %a[%i] : memref<8xf32>
    }
  }
  return
}

// A division by what may be zero is not computed where its condition does not hold.
// CHECK-LABEL: func.func @divides
func.func @divides(%a: memref<8xf32>, %v: f32, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  // CHECK: %[[SOME:.+]] = arith.cmpi ne
  // CHECK-NEXT: scf.if %[[SOME]] {
  // CHECK-NEXT: tir.for
  // CHECK-NEXT: arith.divsi
  tir.for %i = 0 to 8 {
    %some = arith.cmpi ne, %n, %c0 : index
    scf.if %some {
      %share = arith.divsi %m, %n : index
      %in = arith.cmpi slt, %share, %c2 : index
      scf.if %in {
        memref.store %v, %a[%i] : memref<8xf32>
      }
    }
  }
  return
}
