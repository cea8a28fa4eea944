// RUN: relay-opt %s --prefetch-panels --canonicalize | FileCheck %s

// The panel of one %j is 32 KiB, and read for each of 4 %i: 16 iterations of %k, a loop of their own now, ask
// for 4 vectors of the next one.
// CHECK-LABEL: func.func @panel
// CHECK: tir.for %[[J:.+]] =
// CHECK: tir.for %[[I:.+]] =
// CHECK: tir.for %[[STRIP:.+]] = 0 to 32 {
// CHECK: %[[BEFORE:.+]] = arith.muli %[[I]], %c512
// CHECK: %[[STRIPS:.+]] = arith.muli %[[STRIP]], %c16
// CHECK: %[[DONE:.+]] = arith.addi %[[BEFORE]], %[[STRIPS]]
// CHECK: %[[NEXT:.+]] = arith.addi %[[J]], %c1
// CHECK: %[[PANEL:.+]] = arith.muli %[[NEXT]], %c8192
// CHECK: %[[LINE:.+]] = arith.divsi %[[DONE]], %c4
// CHECK: %[[IN_PANEL:.+]] = arith.muli %[[LINE]], %c16
// CHECK: %[[AT:.+]] = arith.addi %[[PANEL]], %[[IN_PANEL]]
// CHECK: %[[ALL:.+]] = memref.reinterpret_cast %arg0 to offset: [0], sizes: [65536], strides: [1]
// CHECK: memref.prefetch %[[ALL]][%[[AT]]], read, locality<2>, data
// CHECK: arith.addi %[[DONE]], %c4
// CHECK: memref.prefetch
// CHECK: arith.addi %[[DONE]], %c8
// CHECK: memref.prefetch
// CHECK: arith.addi %[[DONE]], %c12
// CHECK: memref.prefetch
// CHECK: tir.for %[[K:.+]] = 0 to 16 {
// CHECK: %[[OUTER:.+]] = arith.muli %[[STRIP]], %c16
// CHECK: %[[WHOLE:.+]] = arith.addi %[[OUTER]], %[[K]]
// CHECK: vector.load %arg0[%[[J]], %[[WHOLE]], %c0]
func.func @panel(%b: memref<8x512x16xf32>, %c: memref<4x16xf32>) {
  %c0 = arith.constant 0 : index
  tir.for %j = 0 to 8 parallel {
    tir.for %i = 0 to 4 {
      tir.for %k = 0 to 512 {
        %v = vector.load %b[%j, %k, %c0] : memref<8x512x16xf32>, vector<16xf32>
        vector.store %v, %c[%i, %c0] : memref<4x16xf32>, vector<16xf32>
      }
    }
  }
  return
}

// 500 iterations are no whole strips: each asks for a vector, by the number of those done.
// CHECK-LABEL: func.func @no_strips
// CHECK: tir.for %{{.+}} =
// CHECK: tir.for %[[I:.+]] =
// CHECK: tir.for %[[K:.+]] =
// CHECK: %[[BEFORE:.+]] = arith.muli %[[I]], %c500
// CHECK: %[[DONE:.+]] = arith.addi %[[BEFORE]], %[[K]]
// CHECK: arith.divsi %[[DONE]], %c4
// CHECK: memref.prefetch
// CHECK-NOT: memref.prefetch
// CHECK: vector.load
func.func @no_strips(%b: memref<8x500x16xf32>, %c: memref<4x16xf32>) {
  %c0 = arith.constant 0 : index
  tir.for %j = 0 to 8 parallel {
    tir.for %i = 0 to 4 {
      tir.for %k = 0 to 500 {
        %v = vector.load %b[%j, %k, %c0] : memref<8x500x16xf32>, vector<16xf32>
        vector.store %v, %c[%i, %c0] : memref<4x16xf32>, vector<16xf32>
      }
    }
  }
  return
}

// The next panel of a loop that is two in one: quotient and remainder of its next iteration, which
// together are that iteration again.
// CHECK-LABEL: func.func @fused
// CHECK: tir.for %[[F:.+]] =
// CHECK: %[[NEXT:.+]] = arith.addi %[[F]], %c1
// CHECK: arith.muli %[[NEXT]], %c8192
// CHECK: memref.prefetch
func.func @fused(%b: memref<2x4x512x16xf32>, %c: memref<4x16xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  tir.for %f = 0 to 8 parallel {
    %e = arith.divsi %f, %c4 : index
    %j = arith.remsi %f, %c4 : index
    tir.for %i = 0 to 4 {
      tir.for %k = 0 to 512 {
        %v = vector.load %b[%e, %j, %k, %c0] : memref<2x4x512x16xf32>, vector<16xf32>
        vector.store %v, %c[%i, %c0] : memref<4x16xf32>, vector<16xf32>
      }
    }
  }
  return
}

// Four iterations that follow one another read the same panel: there is no loop of their own.
// CHECK-LABEL: func.func @rows_of_panels
// CHECK: tir.for %[[F:.+]] =
// CHECK: tir.for %{{.+}} =
// CHECK: %[[DONE:.+]] = arith.remsi %[[F]], %c4
// CHECK: arith.muli %[[DONE]], %c512
// CHECK: %[[NEXT:.+]] = arith.addi %[[F]], %c4
// CHECK: %[[J:.+]] = arith.divsi %[[NEXT]], %c4
// CHECK: arith.muli %[[J]], %c8192
// CHECK: memref.prefetch
func.func @rows_of_panels(%b: memref<8x32x16x16xf32>, %c: memref<4x16xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  tir.for %f = 0 to 32 parallel {
    %j = arith.divsi %f, %c4 : index
    %i = arith.remsi %f, %c4 : index
    tir.for %k = 0 to 32 {
      tir.for %l = 0 to 16 {
        %v = vector.load %b[%j, %k, %l, %c0] : memref<8x32x16x16xf32>, vector<16xf32>
        vector.store %v, %c[%i, %c0] : memref<4x16xf32>, vector<16xf32>
      }
    }
  }
  return
}

// Half of what lies between the first and the last element of a panel is not of it.
// CHECK-LABEL: func.func @with_gaps
// CHECK-NOT: memref.prefetch
func.func @with_gaps(%b: memref<8x64x16x16xf32>, %c: memref<4x16xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  tir.for %j = 0 to 8 parallel {
    tir.for %i = 0 to 4 {
      tir.for %k = 0 to 32 {
        tir.for %l = 0 to 16 {
          %even = arith.muli %k, %c2 : index
          %v = vector.load %b[%j, %even, %l, %c0] : memref<8x64x16x16xf32>, vector<16xf32>
          vector.store %v, %c[%i, %c0] : memref<4x16xf32>, vector<16xf32>
        }
      }
    }
  }
  return
}

// Not a panel that stays in the first cache, nor one that is read once.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: memref.prefetch
func.func @stays(%b: memref<8x512x16xf32>, %s: memref<8x16x16xf32>, %c: memref<4x16xf32>) {
  %c0 = arith.constant 0 : index
  tir.for %j = 0 to 8 {
    tir.for %i = 0 to 4 {
      tir.for %k = 0 to 16 {
        %v = vector.load %s[%j, %k, %c0] : memref<8x16x16xf32>, vector<16xf32>
        vector.store %v, %c[%i, %c0] : memref<4x16xf32>, vector<16xf32>
      }
    }
    tir.for %k = 0 to 512 {
      %v = vector.load %b[%j, %k, %c0] : memref<8x512x16xf32>, vector<16xf32>
      vector.store %v, %c[%c0, %c0] : memref<4x16xf32>, vector<16xf32>
    }
  }
  return
}
