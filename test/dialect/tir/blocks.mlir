// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @sum
func.func @sum(%a: memref<4x8xf32>, %b: memref<4xf32>, %i: index, %k: index) {
  %zero = arith.constant 0.0 : f32
  // CHECK: tir.block "sum" (%vi = %{{.+}} spatial, %vk = %{{.+}} reduce) {
  // CHECK-NEXT: memref.load %{{.+}}[%vi, %vk]
  // CHECK: } init {
  // CHECK-NEXT: memref.store %{{.+}}, %{{.+}}[%vi]
  tir.block "sum" (%vi = %i spatial, %vk = %k reduce) {
    %x = memref.load %a[%vi, %vk] : memref<4x8xf32>
    %old = memref.load %b[%vi] : memref<4xf32>
    %new = arith.addf %old, %x : f32
    memref.store %new, %b[%vi] : memref<4xf32>
  } init {
    memref.store %zero, %b[%vi] : memref<4xf32>
  }
  // CHECK: tir.block "root" () {
  // CHECK-NOT: init
  // CHECK: return
  tir.block "root" () {
    memref.store %zero, %b[%i] : memref<4xf32>
  }
  return
}
