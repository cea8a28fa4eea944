// RUN: relay-opt %s --prefetch-streams --canonicalize | FileCheck %s

// Vectors of %w are asked for 16 steps before they are read, of %a the lines of the next %i.
// CHECK-LABEL: func.func @tile
// CHECK: tir.for %[[I:.+]] =
// CHECK: %[[BLOCK:.+]] = arith.muli %[[I]], %c256
// CHECK: %[[LINE:.+]] = arith.addi %[[BLOCK]], %c256
// CHECK: memref.prefetch %{{.+}}[%[[LINE]]], read, locality<3>, data : memref<2048xf32>
// CHECK-COUNT-7: memref.prefetch %{{.+}}, read, locality<3>, data : memref<2048xf32>
// CHECK: tir.for %[[K:.+]] =
// CHECK-DAG: %[[VECTOR:.+]] = arith.muli %[[K]], %c16
// CHECK-DAG: %[[OF_BLOCK:.+]] = arith.muli %[[I]], %c256
// CHECK-DAG: arith.addi %{{.+}}, %c256
// CHECK: memref.prefetch %{{.+}}, read, locality<3>, data : memref<2048xf32>
// CHECK-NOT: memref.prefetch
func.func @tile(%a: memref<8x16x16xf32>, %w: memref<8x16x16xf32>, %r: memref<8x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %sums = tir.alloc_buffer : memref<8x16xf32, #tir.scope<local>>
  tir.for %i = 0 to 8 {
    tir.for %k = 0 to 16 {
      %v = vector.load %w[%i, %k, %c0] : memref<8x16x16xf32>, vector<16xf32>
      %a0 = memref.load %a[%i, %c0, %k] : memref<8x16x16xf32>
      %b0 = vector.broadcast %a0 : f32 to vector<16xf32>
      %p0 = arith.mulf %b0, %v : vector<16xf32>
      vector.store %p0, %sums[%c0, %c0] : memref<8x16xf32, #tir.scope<local>>, vector<16xf32>
      %a1 = memref.load %a[%i, %c1, %k] : memref<8x16x16xf32>
      %b1 = vector.broadcast %a1 : f32 to vector<16xf32>
      %p1 = arith.mulf %b1, %v : vector<16xf32>
      vector.store %p1, %sums[%c1, %c0] : memref<8x16xf32, #tir.scope<local>>, vector<16xf32>
      %a2 = memref.load %a[%i, %c2, %k] : memref<8x16x16xf32>
      %b2 = vector.broadcast %a2 : f32 to vector<16xf32>
      %p2 = arith.mulf %b2, %v : vector<16xf32>
      vector.store %p2, %sums[%c2, %c0] : memref<8x16xf32, #tir.scope<local>>, vector<16xf32>
      %a3 = memref.load %a[%i, %c3, %k] : memref<8x16x16xf32>
      %b3 = vector.broadcast %a3 : f32 to vector<16xf32>
      %p3 = arith.mulf %b3, %v : vector<16xf32>
      vector.store %p3, %sums[%c3, %c0] : memref<8x16xf32, #tir.scope<local>>, vector<16xf32>
      %a4 = memref.load %a[%i, %c4, %k] : memref<8x16x16xf32>
      %b4 = vector.broadcast %a4 : f32 to vector<16xf32>
      %p4 = arith.mulf %b4, %v : vector<16xf32>
      vector.store %p4, %sums[%c4, %c0] : memref<8x16xf32, #tir.scope<local>>, vector<16xf32>
      %a5 = memref.load %a[%i, %c5, %k] : memref<8x16x16xf32>
      %b5 = vector.broadcast %a5 : f32 to vector<16xf32>
      %p5 = arith.mulf %b5, %v : vector<16xf32>
      vector.store %p5, %sums[%c5, %c0] : memref<8x16xf32, #tir.scope<local>>, vector<16xf32>
      %a6 = memref.load %a[%i, %c6, %k] : memref<8x16x16xf32>
      %b6 = vector.broadcast %a6 : f32 to vector<16xf32>
      %p6 = arith.mulf %b6, %v : vector<16xf32>
      vector.store %p6, %sums[%c6, %c0] : memref<8x16xf32, #tir.scope<local>>, vector<16xf32>
      %a7 = memref.load %a[%i, %c7, %k] : memref<8x16x16xf32>
      %b7 = vector.broadcast %a7 : f32 to vector<16xf32>
      %p7 = arith.mulf %b7, %v : vector<16xf32>
      vector.store %p7, %sums[%c7, %c0] : memref<8x16xf32, #tir.scope<local>>, vector<16xf32>
    }
  }
  return
}

// One block of weights stays in the first cache; the lines of the next one are next to those of this one.
// CHECK-LABEL: func.func @near
// CHECK-NOT: memref.prefetch
func.func @near(%a: memref<16x8x16xf32>, %w: memref<4x16x16xf32>, %r: memref<8x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %sums = tir.alloc_buffer : memref<8x16xf32, #tir.scope<local>>
  tir.for %i = 0 to 4 {
    tir.for %k = 0 to 16 {
      %v = vector.load %w[%i, %k, %c0] : memref<4x16x16xf32>, vector<16xf32>
      %a0 = memref.load %a[%c0, %i, %k] : memref<16x8x16xf32>
      %b0 = vector.broadcast %a0 : f32 to vector<16xf32>
      %p0 = arith.mulf %b0, %v : vector<16xf32>
      vector.store %p0, %sums[%c0, %c0] : memref<8x16xf32, #tir.scope<local>>, vector<16xf32>
      %a1 = memref.load %a[%c1, %i, %k] : memref<16x8x16xf32>
      %b1 = vector.broadcast %a1 : f32 to vector<16xf32>
      %p1 = arith.mulf %b1, %v : vector<16xf32>
      vector.store %p1, %sums[%c1, %c0] : memref<8x16xf32, #tir.scope<local>>, vector<16xf32>
      %a2 = memref.load %a[%c2, %i, %k] : memref<16x8x16xf32>
      %b2 = vector.broadcast %a2 : f32 to vector<16xf32>
      %p2 = arith.mulf %b2, %v : vector<16xf32>
      vector.store %p2, %sums[%c2, %c0] : memref<8x16xf32, #tir.scope<local>>, vector<16xf32>
      %a3 = memref.load %a[%c3, %i, %k] : memref<16x8x16xf32>
      %b3 = vector.broadcast %a3 : f32 to vector<16xf32>
      %p3 = arith.mulf %b3, %v : vector<16xf32>
      vector.store %p3, %sums[%c3, %c0] : memref<8x16xf32, #tir.scope<local>>, vector<16xf32>
      %a4 = memref.load %a[%c4, %i, %k] : memref<16x8x16xf32>
      %b4 = vector.broadcast %a4 : f32 to vector<16xf32>
      %p4 = arith.mulf %b4, %v : vector<16xf32>
      vector.store %p4, %sums[%c4, %c0] : memref<8x16xf32, #tir.scope<local>>, vector<16xf32>
      %a5 = memref.load %a[%c5, %i, %k] : memref<16x8x16xf32>
      %b5 = vector.broadcast %a5 : f32 to vector<16xf32>
      %p5 = arith.mulf %b5, %v : vector<16xf32>
      vector.store %p5, %sums[%c5, %c0] : memref<8x16xf32, #tir.scope<local>>, vector<16xf32>
      %a6 = memref.load %a[%c6, %i, %k] : memref<16x8x16xf32>
      %b6 = vector.broadcast %a6 : f32 to vector<16xf32>
      %p6 = arith.mulf %b6, %v : vector<16xf32>
      vector.store %p6, %sums[%c6, %c0] : memref<8x16xf32, #tir.scope<local>>, vector<16xf32>
      %a7 = memref.load %a[%c7, %i, %k] : memref<16x8x16xf32>
      %b7 = vector.broadcast %a7 : f32 to vector<16xf32>
      %p7 = arith.mulf %b7, %v : vector<16xf32>
      vector.store %p7, %sums[%c7, %c0] : memref<8x16xf32, #tir.scope<local>>, vector<16xf32>
    }
  }
  return
}

// Too few sums for the time that an answer takes.
// CHECK-LABEL: func.func @few_sums
// CHECK-NOT: memref.prefetch
func.func @few_sums(%a: memref<8x16x16xf32>, %w: memref<8x16x16xf32>, %r: memref<4x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %sums = tir.alloc_buffer : memref<4x16xf32, #tir.scope<local>>
  tir.for %i = 0 to 8 {
    tir.for %k = 0 to 16 {
      %v = vector.load %w[%i, %k, %c0] : memref<8x16x16xf32>, vector<16xf32>
      %a0 = memref.load %a[%i, %c0, %k] : memref<8x16x16xf32>
      %b0 = vector.broadcast %a0 : f32 to vector<16xf32>
      %p0 = arith.mulf %b0, %v : vector<16xf32>
      vector.store %p0, %sums[%c0, %c0] : memref<4x16xf32, #tir.scope<local>>, vector<16xf32>
      %a1 = memref.load %a[%i, %c1, %k] : memref<8x16x16xf32>
      %b1 = vector.broadcast %a1 : f32 to vector<16xf32>
      %p1 = arith.mulf %b1, %v : vector<16xf32>
      vector.store %p1, %sums[%c1, %c0] : memref<4x16xf32, #tir.scope<local>>, vector<16xf32>
      %a2 = memref.load %a[%i, %c2, %k] : memref<8x16x16xf32>
      %b2 = vector.broadcast %a2 : f32 to vector<16xf32>
      %p2 = arith.mulf %b2, %v : vector<16xf32>
      vector.store %p2, %sums[%c2, %c0] : memref<4x16xf32, #tir.scope<local>>, vector<16xf32>
      %a3 = memref.load %a[%i, %c3, %k] : memref<8x16x16xf32>
      %b3 = vector.broadcast %a3 : f32 to vector<16xf32>
      %p3 = arith.mulf %b3, %v : vector<16xf32>
      vector.store %p3, %sums[%c3, %c0] : memref<4x16xf32, #tir.scope<local>>, vector<16xf32>
    }
  }
  return
}
