// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @loop
// CHECK-SAME: (%[[A:.+]]: memref<16xf32>)
func.func @loop(%a: memref<16xf32>) {
  // CHECK: tir.for %i = 0 to 16 parallel {
  tir.for %i = 0 to 16 parallel {
    // CHECK: memref.load %[[A]][%i]
    %v = memref.load %a[%i] : memref<16xf32>
  }
  return
}

// Bounds are numbers or values, and variables keep their names.
// CHECK-LABEL: func.func @bounds
// CHECK-SAME: (%[[N:.+]]: index)
func.func @bounds(%n: index) {
  // CHECK: tir.for %y.outer = 0 to %[[N]] {
  tir.for %y.outer = 0 to %n {
    // CHECK: tir.for %{{.+}} = %[[N]] to 8 unrolled attributes {tir.unroll_explicit = 0 : i64} {
    tir.for %0 = %n to 8 unrolled attributes {tir.unroll_explicit = 0} {
    }
  }
  // CHECK: tir.for %block = -1 to 4 thread_binding blockIdx.x {
  tir.for %block = -1 to 4 thread_binding blockIdx.x {
  }
  return
}
