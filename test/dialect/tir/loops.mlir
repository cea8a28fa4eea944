// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @loop
// CHECK-SAME: (%[[A:.+]]: memref<16xf32>)
func.func @loop(%a: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  // CHECK: tir.for %{{.+}} to %{{.+}} "parallel" {
  // CHECK-NEXT: ^bb0(%[[I:.+]]: index):
  tir.for %c0 to %c16 "parallel" {
  ^bb0(%i: index):
    // CHECK: memref.load %[[A]][%[[I]]]
    %v = memref.load %a[%i] : memref<16xf32>
  }
  return
}
