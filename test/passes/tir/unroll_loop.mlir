// RUN: relay-opt %s --unroll-loop --split-input-file --verify-diagnostics --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @unrolled
// CHECK-SAME: (%[[B:.+]]: memref<3xf32>, %[[V:.+]]: f32)
func.func @unrolled(%b: memref<3xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  // CHECK-NOT: tir.for
  // CHECK: memref.store %[[V]], %[[B]][%c0]
  // CHECK: memref.store %[[V]], %[[B]][%c1]
  // CHECK: memref.store %[[V]], %[[B]][%c2]
  tir.for %c0 to %c3 "unrolled" {
  ^bb0(%i: index):
    memref.store %v, %b[%i] : memref<3xf32>
  }
  return
}

// CHECK-LABEL: func.func @serial
func.func @serial(%b: memref<3xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  // CHECK: tir.for
  tir.for %c0 to %c3 "serial" {
  ^bb0(%i: index):
    memref.store %v, %b[%i] : memref<3xf32>
  }
  return
}

// Of a condition that the iteration decides, only the branch taken is repeated.
// CHECK-LABEL: func.func @decided
// CHECK-NOT: scf.if
// CHECK: memref.store %arg1
// CHECK: memref.store %arg2
// CHECK: memref.store %arg2
func.func @decided(%b: memref<3xf32>, %v: f32, %w: f32) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  tir.for %c0 to %c3 "unrolled" {
  ^bb0(%i: index):
    %first = arith.cmpi eq, %i, %c0 : index
    %x = scf.if %first -> f32 {
      scf.yield %v : f32
    } else {
      scf.yield %w : f32
    }
    memref.store %x, %b[%i] : memref<3xf32>
  }
  return
}

// Serial loops of few stores on request, and none where that is LLVM's.
// CHECK-LABEL: func.func @pragmas
func.func @pragmas(%a: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  // CHECK: tir.for %c0 to %c64 "serial"
  tir.for %c0 to %c64 "serial" attributes {tir.auto_unroll_max_step = 4 : i64} {
  ^bb0(%i: index):
    // CHECK-NOT: tir.for
    // CHECK-COUNT-2: memref.store
    tir.for %c0 to %c2 "serial" {
    ^bb0(%j: index):
      memref.store %zero, %a[%j] : memref<64xf32>
    }
  }
  // CHECK: tir.for %c0 to %c64 "serial"
  tir.for %c0 to %c64 "serial" attributes {tir.unroll_explicit = 0 : i64} {
  ^bb0(%i: index):
    // CHECK: tir.for %c0 to %c2 "serial"
    tir.for %c0 to %c2 "unrolled" {
    ^bb0(%j: index):
      memref.store %zero, %a[%j] : memref<64xf32>
    }
  }
  return
}

// -----

func.func @bounds(%b: memref<4xf32>, %v: f32, %n: index) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{is unrolled, but its bounds are not constants}}
  tir.for %c0 to %n "unrolled" {
  ^bb0(%i: index):
    memref.store %v, %b[%i] : memref<4xf32>
  }
  return
}
