// RUN: relay-opt %s --unroll-loop --split-input-file --verify-diagnostics --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @unrolled
// CHECK-SAME: (%[[B:.+]]: memref<3xf32>, %[[V:.+]]: f32)
func.func @unrolled(%b: memref<3xf32>, %v: f32) {
  // CHECK-NOT: tir.for
  // CHECK: memref.store %[[V]], %[[B]][%c0]
  // CHECK: memref.store %[[V]], %[[B]][%c1]
  // CHECK: memref.store %[[V]], %[[B]][%c2]
  tir.for %i = 0 to 3 unrolled {
    memref.store %v, %b[%i] : memref<3xf32>
  }
  return
}

// CHECK-LABEL: func.func @serial
func.func @serial(%b: memref<3xf32>, %v: f32) {
  // CHECK: tir.for
  tir.for %i = 0 to 3 {
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
  tir.for %i = 0 to 3 unrolled {
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
  %zero = arith.constant 0.0 : f32
  // CHECK: tir.for %i = 0 to 64 attributes {
  tir.for %i = 0 to 64 attributes {tir.auto_unroll_max_step = 4 : i64} {
    // CHECK-NOT: tir.for
    // CHECK-COUNT-2: memref.store
    tir.for %j = 0 to 2 {
      memref.store %zero, %a[%j] : memref<64xf32>
    }
  }
  // CHECK: tir.for %i = 0 to 64 attributes {
  tir.for %i = 0 to 64 attributes {tir.unroll_explicit = 0 : i64} {
    // CHECK: tir.for %{{.+}} = 0 to 2 {
    tir.for %j = 0 to 2 unrolled {
      memref.store %zero, %a[%j] : memref<64xf32>
    }
  }
  return
}

// -----

func.func @bounds(%b: memref<4xf32>, %v: f32, %n: index) {
  // expected-error@+1 {{is unrolled, but its bounds are not constants}}
  tir.for %i = 0 to %n unrolled {
    memref.store %v, %b[%i] : memref<4xf32>
  }
  return
}
