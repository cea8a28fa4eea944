// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @sum
func.func @sum(%a: memref<4x8xf32>, %b: memref<4xf32>, %i: index, %k: index) {
  %zero = arith.constant 0.0 : f32
  // CHECK: tir.block "sum"(%{{.+}}, %{{.+}}) ["spatial", "reduce"] {
  // CHECK-NEXT: ^bb0(%{{.+}}: index, %{{.+}}: index):
  // CHECK: } init {
  // CHECK-NEXT: ^bb0(%{{.+}}: index, %{{.+}}: index):
  // CHECK: memref.store
  tir.block "sum" (%i, %k) ["spatial", "reduce"] {
  ^bb0(%vi: index, %vk: index):
    %x = memref.load %a[%vi, %vk] : memref<4x8xf32>
    %old = memref.load %b[%vi] : memref<4xf32>
    %new = arith.addf %old, %x : f32
    memref.store %new, %b[%vi] : memref<4xf32>
  } init {
  ^bb0(%vi: index, %vk: index):
    memref.store %zero, %b[%vi] : memref<4xf32>
  }
  // CHECK: tir.block "root"() [] {
  // CHECK-NOT: init
  // CHECK: return
  tir.block "root" () [] {
    memref.store %zero, %b[%i] : memref<4xf32>
  }
  return
}
