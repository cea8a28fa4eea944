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

// What a block says of itself: subscripts are affine expressions of values, extents of 1 are not written.
// CHECK-LABEL: func.func @says
func.func @says(%a: memref<10x8xf32>, %w: memref<3x8xf32>, %b: memref<8xf32>, %y: index, %r: index, %inside: i1) {
  // CHECK: tir.block "convolved" (%vy = %{{.+}} spatial, %vr = %{{.+}} reduce) {
  // CHECK-NEXT: tir.where %{{[a-z0-9]+$}}
  // CHECK-NEXT: tir.reads %{{.+}}[%vy + %vr, 0] extents [1, 8] : memref<10x8xf32>
  // CHECK-NEXT: tir.reads %{{.+}}[%vr, 0] extents [1, 8] : memref<3x8xf32>
  // CHECK-NEXT: tir.writes %{{.+}}[%vy floordiv 2 + %vy mod 2] : memref<8xf32>
  // CHECK-NEXT: }
  tir.block "convolved" (%vy = %y spatial, %vr = %r reduce) {
    tir.where %inside
    tir.reads %a[%vy + %vr, 0] extents [1, 8] : memref<10x8xf32>
    tir.reads %w[%vr, 0] extents [1, 8] : memref<3x8xf32>
    tir.writes %b[%vy floordiv 2 + %vy mod 2] : memref<8xf32>
  }
  // A buffer without dimensions has no subscripts.
  // CHECK: tir.reads %{{.+}}[] : memref<f32>
  %scalar = tir.alloc_buffer : memref<f32>
  tir.block "scalar" () {
    tir.reads %scalar[] : memref<f32>
  }
  return
}

// A block of another one may touch what that one says, and buffers of its own.
// CHECK-LABEL: func.func @inner
func.func @inner(%a: memref<8x4xf32>, %i: index, %j: index) {
  // CHECK: tir.reads %{{.+}}[%vi, 0] extents [1, 4] : memref<8x4xf32>
  // CHECK: tir.block "inner"
  // CHECK-NEXT: tir.reads %{{.+}}[%vi, %vj] : memref<8x4xf32>
  // CHECK-NEXT: tir.writes %own[%vj] : memref<4xf32>
  tir.block "outer" (%vi = %i spatial) {
    tir.reads %a[%vi, 0] extents [1, 4] : memref<8x4xf32>
    tir.writes %a[%vi, 0] extents [1, 4] : memref<8x4xf32>
    %own = tir.alloc_buffer : memref<4xf32>
    tir.block "inner" (%vj = %j spatial) {
      tir.reads %a[%vi, %vj] : memref<8x4xf32>
      tir.writes %own[%vj] : memref<4xf32>
      %x = memref.load %a[%vi, %vj] : memref<8x4xf32>
      memref.store %x, %own[%vj] : memref<4xf32>
    }
  }
  return
}
