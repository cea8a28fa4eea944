// RUN: relay-opt %s --lower-te --canonicalize --cse --split-input-file | FileCheck %s

// The vector that is read 16 iterations later, by the place in memory: the last of %k ask for the next %o.
// CHECK-LABEL: func.func @stream
// CHECK: tir.for %[[O:.+]] = 0 to 4 {
// CHECK: tir.for %[[K:.+]] = 0 to 16 {
// CHECK: %[[LATER:.+]] = arith.addi %[[K]], %c16
// CHECK: memref.prefetch %arg0[%[[O]], %[[LATER]], %c0], read, locality<3>, data
// CHECK-NOT: memref.prefetch
func.func @stream(%w: tensor<4x16x16xf32>) -> tensor<16xf32> {
  %c = te.compute "c" (%l: 16) sum (%o: 4, %k: 16) {
    %x = tensor.extract %w[%o, %k, %l] : tensor<4x16x16xf32>
    te.yield %x : f32
  } : tensor<16xf32>
  te.schedule {
    %s = te.stage %c : tensor<16xf32>
    %l, %o, %k = te.axes %s
    te.reorder %o, %k, %l
    te.prefetch %w, %k {offset = 16} : tensor<4x16x16xf32>
    te.vectorize %l
  }
  return %c : tensor<16xf32>
}

// -----

// Two vectors of eight share a line, which is asked for once.
// CHECK-LABEL: func.func @half_lines
// CHECK: tir.for %[[K:.+]] = 0 to 8 {
// CHECK: memref.prefetch
// CHECK-NOT: memref.prefetch
// CHECK: tir.for %{{.+}} = 0 to 2 {
func.func @half_lines(%w: tensor<16x8xf32>) -> tensor<8xf32> {
  %c = te.compute "c" (%l: 8) sum (%k: 16) {
    %x = tensor.extract %w[%k, %l] : tensor<16x8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  te.schedule {
    %s = te.stage %c : tensor<8xf32>
    %l, %k = te.axes %s
    %ko, %ki = te.split %k {factor = 2}
    te.reorder %ko, %ki, %l
    te.prefetch %w, %ko {offset = 8} : tensor<16x8xf32>
    te.vectorize %l
  }
  return %c : tensor<8xf32>
}

// -----

// A row of 40 columns is three lines, one after the other; the rows of a column lie apart.
// CHECK-LABEL: func.func @box
// CHECK: tir.for %[[I:.+]] = 0 to 4 {
// CHECK: tir.for %[[ROW:.+]] = 0 to 2 unrolled {
// CHECK: tir.for %[[LINE:.+]] = 0 to 3 unrolled {
// CHECK: memref.prefetch
func.func @box(%a: tensor<8x64xf32>) -> tensor<8x40xf32> {
  %c = te.compute "c" (%i: 8, %j: 40) {
    %x = tensor.extract %a[%i, %j] : tensor<8x64xf32>
    te.yield %x : f32
  } : tensor<8x40xf32>
  te.schedule {
    %t = te.stage %c : tensor<8x40xf32>
    %i, %j = te.axes %t
    %io, %ii = te.split %i {factor = 2}
    te.prefetch %a, %io {offset = 1} : tensor<8x64xf32>
  }
  return %c : tensor<8x40xf32>
}

// -----

// The panel of one %j, 512 lines, is read by four tiles of rows. The 32 iterations of %k.outer of each ask for four
// lines of the next one: 4 * 32 * 4 are 512.
// CHECK-LABEL: func.func @panel
// CHECK: tir.for %[[J:.+]] = 0 to 8 parallel {
// CHECK: %[[NEXT:.+]] = arith.addi %[[J]], %c1
// CHECK: tir.for %[[I:.+]] = 0 to 4 {
// CHECK: tir.for %[[K:.+]] = 0 to 32 {
// CHECK: %[[BEFORE:.+]] = arith.muli %[[I]], %c32
// CHECK: %[[DONE:.+]] = arith.addi %[[BEFORE]], %[[K]]
// CHECK: %[[FIRST:.+]] = arith.muli %[[DONE]], %c64
// CHECK: tir.for %[[LINE:.+]] = 0 to 4 unrolled {
// CHECK: %[[STEP:.+]] = arith.muli %[[LINE]], %c16
// CHECK: %[[AT:.+]] = arith.addi %[[FIRST]], %[[STEP]]
// CHECK: memref.prefetch %arg1[%[[NEXT]], %c0, %[[AT]]], read, locality<2>, data
// CHECK: tir.for %{{.+}} = 0 to 16 {
func.func @panel(%a: tensor<64x512xf32>, %b: tensor<8x512x16xf32>) -> tensor<64x8x16xf32> {
  %m = te.compute "m" (%i: 64, %j: 8, %l: 16) sum (%k: 512) {
    %x = tensor.extract %a[%i, %k] : tensor<64x512xf32>
    %y = tensor.extract %b[%j, %k, %l] : tensor<8x512x16xf32>
    %z = arith.mulf %x, %y : f32
    te.yield %z : f32
  } : tensor<64x8x16xf32>
  te.schedule {
    %r = te.stage %m : tensor<64x8x16xf32>
    %s = te.cache_write %r in local
    %i, %j, %l = te.axes %r
    %io, %ii = te.split %i {factor = 16}
    te.reorder %j, %io, %ii, %l
    te.parallel %j
    te.compute_at %s, %r, %io
    %si, %sj, %sl, %k = te.axes %s
    %ko, %ki = te.split %k {factor = 16}
    te.reorder %ko, %ki, %si, %sj, %sl
    te.prefetch %b, %j into l2 over %ko {offset = 1} : tensor<8x512x16xf32>
  }
  return %m : tensor<64x8x16xf32>
}

// -----

// Four iterations of the loop that is two in one read one panel: they share its lines, a quarter each.
// CHECK-LABEL: func.func @fused
// CHECK: tir.for %[[F:.+]] = 0 to 32 parallel {
// CHECK-DAG: %[[J:.+]] = arith.divsi %[[F]], %c4
// CHECK-DAG: %[[I:.+]] = arith.remsi %[[F]], %c4
// CHECK-DAG: %[[NEXT:.+]] = arith.addi %[[J]], %c1
// CHECK: tir.for %[[K:.+]] = 0 to 32 {
// CHECK: %[[BEFORE:.+]] = arith.muli %[[I]], %c32
// CHECK: arith.addi %[[BEFORE]], %[[K]]
// CHECK: tir.for %{{.+}} = 0 to 4 unrolled {
// CHECK: memref.prefetch %arg1[%[[NEXT]],
func.func @fused(%a: tensor<4x512xf32>, %b: tensor<8x512x16xf32>) -> tensor<4x8x16xf32> {
  %m = te.compute "m" (%i: 4, %j: 8, %l: 16) sum (%k: 512) {
    %x = tensor.extract %a[%i, %k] : tensor<4x512xf32>
    %y = tensor.extract %b[%j, %k, %l] : tensor<8x512x16xf32>
    %z = arith.mulf %x, %y : f32
    te.yield %z : f32
  } : tensor<4x8x16xf32>
  te.schedule {
    %s = te.stage %m : tensor<4x8x16xf32>
    %i, %j, %l, %k = te.axes %s
    te.reorder %j, %i
    %f = te.fuse %j, %i
    te.parallel %f
    %ko, %ki = te.split %k {factor = 16}
    te.reorder %ko, %ki, %l
    te.prefetch %b, %f into l2 over %ko {offset = 4, every = 4} : tensor<8x512x16xf32>
  }
  return %m : tensor<4x8x16xf32>
}

// -----

// 500 iterations in all for 40 lines: each asks for the line that its place in the panel is in.
// CHECK-LABEL: func.func @few_lines
// CHECK: tir.for %{{.+}} = 0 to 5
// CHECK: tir.for %{{.+}} = 0 to 100
// CHECK: %[[PLACE:.+]] = arith.muli %{{.+}}, %c2
// CHECK: arith.divsi %[[PLACE]], %c25
// CHECK: memref.prefetch
// CHECK-NOT: memref.prefetch
func.func @few_lines(%b: tensor<8x640xf32>) -> tensor<8x500xf32> {
  %c0 = arith.constant 0 : index
  %m = te.compute "m" (%i: 8, %j: 500) sum (%k: 640) {
    %y = tensor.extract %b[%i, %k] : tensor<8x640xf32>
    te.yield %y : f32
  } : tensor<8x500xf32>
  te.schedule {
    %s = te.stage %m : tensor<8x500xf32>
    %i, %j, %k = te.axes %s
    %jo, %ji = te.split %j {factor = 100}
    te.prefetch %b, %i into l2 over %ji {offset = 1} : tensor<8x640xf32>
  }
  return %m : tensor<8x500xf32>
}

// -----

// Eight iterations of the vectors of a stage inside share the lines of the next row that is read, and of the one that
// is written.
// CHECK-LABEL: func.func @written
// CHECK: tir.for %[[I:.+]] = 0 to 8
// CHECK: %[[NEXT:.+]] = arith.addi %[[I]], %c1
// CHECK: tir.for %[[J:.+]] = 0 to 8
// CHECK: %[[SHARE:.+]] = arith.muli %[[J]], %c32
// CHECK: tir.for %{{.+}} = 0 to 2 unrolled
// CHECK: memref.prefetch %arg0[%[[NEXT]], %{{.+}}], read, locality<3>, data
// CHECK: tir.for %{{.+}} = 0 to 2 unrolled
// CHECK: memref.prefetch %arg1[%[[I]], %{{.+}}], write, locality<3>, data
// CHECK: tir.for %{{.+}} = 0 to 32 vectorized
func.func @written(%a: tensor<8x256xf32>) -> tensor<8x256xf32> {
  %b = te.compute "b" (%i: 8, %j: 256) {
    %x = tensor.extract %a[%i, %j] : tensor<8x256xf32>
    te.yield %x : f32
  } : tensor<8x256xf32>
  %c = te.compute "c" (%i: 8, %j: 256) {
    %x = tensor.extract %b[%i, %j] : tensor<8x256xf32>
    te.yield %x : f32
  } : tensor<8x256xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x256xf32>
    %t = te.stage %c : tensor<8x256xf32>
    %i, %j = te.axes %t
    te.compute_at %s, %t, %i
    %y, %x = te.axes %s
    %xo, %xi = te.split %x {factor = 32}
    te.vectorize %xi
    te.prefetch %a, %i over %xo {offset = 1} : tensor<8x256xf32>
    te.prefetch %c, %i over %xo {offset = 0} : tensor<8x256xf32>
  }
  return %c : tensor<8x256xf32>
}

// -----

// What a stage in the loop copies is read in the loop, too.
// CHECK-LABEL: func.func @copied
// CHECK: tir.for %[[J:.+]] = 0 to 4 {
// CHECK: memref.prefetch %arg0[
// CHECK: memref.load %arg0[
func.func @copied(%a: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %c = te.compute "c" (%i: 4, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<4x16xf32>
    te.yield %x : f32
  } : tensor<4x16xf32>
  te.schedule {
    %t = te.stage %c : tensor<4x16xf32>
    %copy = te.cache_read %a for %t in local : tensor<4x16xf32>
    %i, %j = te.axes %t
    te.compute_at %copy, %t, %i
    te.prefetch %a, %i {offset = 1} : tensor<4x16xf32>
  }
  return %c : tensor<4x16xf32>
}

// -----

// A loop of one iteration is none, and what would be read next is a row further on. A loop of no iteration asks for nothing.
// CHECK-LABEL: func.func @one_iteration
// CHECK: memref.prefetch %arg0[%c1, %c0]
// CHECK-LABEL: func.func @no_iteration
// CHECK-NOT: memref.prefetch
func.func @one_iteration(%a: tensor<1x16xf32>) -> tensor<1x16xf32> {
  %c = te.compute "c" (%i: 1, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<1x16xf32>
    te.yield %x : f32
  } : tensor<1x16xf32>
  te.schedule {
    %t = te.stage %c : tensor<1x16xf32>
    %i, %j = te.axes %t
    te.prefetch %a, %i {offset = 1} : tensor<1x16xf32>
  }
  return %c : tensor<1x16xf32>
}

func.func @no_iteration(%a: tensor<4x0xf32>) -> tensor<4x0xf32> {
  %c = te.compute "c" (%i: 4, %j: 0) {
    %x = tensor.extract %a[%i, %j] : tensor<4x0xf32>
    te.yield %x : f32
  } : tensor<4x0xf32>
  te.schedule {
    %t = te.stage %c : tensor<4x0xf32>
    %i, %j = te.axes %t
    te.prefetch %a, %i over %j {offset = 1} : tensor<4x0xf32>
  }
  return %c : tensor<4x0xf32>
}
