// Schedules of loops whose extents are known only when the kernel runs.
// RUN: relay-opt %s --split-input-file --lower-te --canonicalize --cse | FileCheck %s

// A part that is a vector begins earlier where it would go beyond the end. That takes an extent of at least one part: a kernel has a
// version of the loops without parts for shorter ones.
// CHECK-LABEL: func.func @vectors(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index)
// CHECK: %[[FITS:.*]] = arith.cmpi sge, %[[N]], %c16
// CHECK: scf.if %[[FITS]] {
// CHECK: tir.for %{{.*}} = 0 to 16 vectorized {
// CHECK: %[[END:.*]] = arith.maxsi %[[N]], %c16
// CHECK: %[[LAST:.*]] = arith.subi %[[END]], %c16
// CHECK: arith.minsi %{{.*}}, %[[LAST]]
// CHECK-NOT: scf.if
// CHECK: } else {
// CHECK: tir.for %{{.*}} = 0 to %[[N]] {
// CHECK-NOT: scf.if
// CHECK: return
func.func @vectors(%a: tensor<?xf32, ["n"]>) -> tensor<?xf32, ["n"]> {
  %b = te.compute "b" (%i: "n") {
    %x = tensor.extract %a[%i] : tensor<?xf32, ["n"]>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<?xf32, ["n"]>
  te.schedule {
    %stage = te.stage %b : tensor<?xf32, ["n"]>
    %i = te.axes %stage
    %outer, %inner = te.split %i {factor = 16}
    te.vectorize %inner
  }
  return %b : tensor<?xf32, ["n"]>
}

// -----

// Extents that are never shorter need one version.
// CHECK-LABEL: func.func @certain(
// CHECK-NOT: scf.if
// CHECK: tir.for %{{.*}} = 0 to 16 vectorized {
// CHECK-NOT: scf.if
// CHECK: return
module attributes {relay.symbols = {n = array<i64: 16, 9223372036854775807, 1, 64>}} {
  func.func @certain(%a: tensor<?xf32, ["n"]>) -> tensor<?xf32, ["n"]> {
    %b = te.compute "b" (%i: "n") {
      %x = tensor.extract %a[%i] : tensor<?xf32, ["n"]>
      %y = arith.addf %x, %x : f32
      te.yield %y : f32
    } : tensor<?xf32, ["n"]>
    te.schedule {
      %stage = te.stage %b : tensor<?xf32, ["n"]>
      %i = te.axes %stage
      %outer, %inner = te.split %i {factor = 16}
      te.vectorize %inner
    }
    return %b : tensor<?xf32, ["n"]>
  }
}

// -----

// A loop inside a part that is neither a vector nor unrolled ends where the data does, also where it is split again.
// CHECK-LABEL: func.func @clipped(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index)
// CHECK-NOT: scf.if
// CHECK: tir.for %[[PART:.*]] = 0 to %{{.*}} parallel {
// CHECK: tir.for %[[GROUP:.*]] = 0 to 4 {
// CHECK: %[[BEGIN:.*]] = arith.muli %[[PART]], %c8
// CHECK: %[[LEFT:.*]] = arith.subi %[[N]], %[[BEGIN]]
// CHECK: %[[END:.*]] = arith.minsi %[[LEFT]], %c8
// CHECK: %[[BEFORE:.*]] = arith.muli %[[GROUP]], %c2
// CHECK: %[[REST:.*]] = arith.subi %[[END]], %[[BEFORE]]
// CHECK: %[[OWN:.*]] = arith.minsi %[[REST]], %c2
// CHECK: tir.for %{{.*}} = 0 to %[[OWN]] {
// CHECK-NOT: scf.if
// CHECK: return
func.func @clipped(%a: tensor<?xf32, ["n"]>) -> tensor<?xf32, ["n"]> {
  %b = te.compute "b" (%i: "n") {
    %x = tensor.extract %a[%i] : tensor<?xf32, ["n"]>
    te.yield %x : f32
  } : tensor<?xf32, ["n"]>
  te.schedule {
    %stage = te.stage %b : tensor<?xf32, ["n"]>
    %i = te.axes %stage
    %part, %inside = te.split %i {factor = 8}
    %group, %inner = te.split %inside {factor = 2}
    te.parallel %part
  }
  return %b : tensor<?xf32, ["n"]>
}

// -----

// Register tiles: the largest, a quarter of that, single rows of vectors, single elements. The accumulators need no condition.
// CHECK-LABEL: func.func @tiles(
// CHECK: scf.if
// CHECK: memref<8x32xf32
// CHECK-NOT: scf.if
// CHECK: } else {
// CHECK: scf.if
// CHECK: memref<2x16xf32
// CHECK-NOT: scf.if
// CHECK: } else {
// CHECK: scf.if
// CHECK: memref<1x16xf32
// CHECK-NOT: scf.if
// CHECK: } else {
// CHECK: memref<1x1xf32
// CHECK-NOT: scf.if
// CHECK: return
func.func @tiles(%a: tensor<?x4xf32, ["m"]>, %b: tensor<4x?xf32, ["n"]>) -> tensor<?x?xf32, ["m", "n"]> {
  %c = te.compute "c" (%i: "m", %j: "n") sum (%k: 4) {
    %x = tensor.extract %a[%i, %k] : tensor<?x4xf32, ["m"]>
    %y = tensor.extract %b[%k, %j] : tensor<4x?xf32, ["n"]>
    %z = arith.mulf %x, %y : f32
    te.yield %z : f32
  } : tensor<?x?xf32, ["m", "n"]>
  te.schedule {
    %stage = te.stage %c : tensor<?x?xf32, ["m", "n"]>
    %sums = te.cache_write %stage in local
    %i, %j = te.axes %stage
    %tile, %row = te.split %i {factor = 8, shift_inwards}
    %columns, %wide = te.split %j {factor = 32, shift_inwards}
    %vector, %lane = te.split %wide {factor = 16}
    te.reorder %tile, %columns, %row, %vector, %lane
    te.unroll %row
    te.unroll %vector
    te.vectorize %lane
    te.compute_at %sums, %stage, %columns
    %r, %s, %k = te.axes %sums
    te.reorder %k, %r, %s
    te.unroll %r
  }
  return %c : tensor<?x?xf32, ["m", "n"]>
}

// -----

// A producer in a loop over groups of fused axes holds one group: where the outermost axis has one element, rows and columns are put
// together again as the fused place.
// CHECK-LABEL: func.func @group(
// CHECK: tir.for %[[GROUP:.*]] = 0 to
// CHECK: %[[BEGIN:.*]] = arith.minsi
// CHECK: tir.alloc_buffer {{.*}}memref<18xf32
// CHECK: tir.for %[[P:.*]] = 0 to 18 {
// CHECK: %[[PLACE:.*]] = arith.addi %[[BEGIN]], %[[P]]
// CHECK: memref.load %{{.*}}[%[[PLACE]]]
func.func @group(%a: tensor<?xf32, ["h*w"]>) -> tensor<1x?x?xf32, ["h", "w"]> {
  %t = te.compute "t" (%p: "h*w") {
    %x = tensor.extract %a[%p] : tensor<?xf32, ["h*w"]>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<?xf32, ["h*w"]>
  %r = te.compute "r" (%n: 1, %i: "h", %j: "w") {
    %w = te.extent "w"
    %row = arith.muli %i, %w : index
    %p = arith.addi %row, %j : index
    %x = tensor.extract %t[%p] : tensor<?xf32, ["h*w"]>
    te.yield %x : f32
  } : tensor<1x?x?xf32, ["h", "w"]>
  te.schedule {
    %stage = te.stage %r : tensor<1x?x?xf32, ["h", "w"]>
    %before = te.stage %t : tensor<?xf32, ["h*w"]>
    %n, %i, %j = te.axes %stage
    %all = te.fuse %n, %i, %j
    %group, %place = te.split %all {factor = 18, shift_inwards}
    te.compute_at %before, %stage, %group
  }
  return %r : tensor<1x?x?xf32, ["h", "w"]>
}

// -----

// Rows, columns and channels of a fused loop stay below their open numbers, so that nothing has a condition.
// CHECK-LABEL: func.func @fused(
// CHECK-NOT: scf.if
// CHECK: return
func.func @fused(%a: tensor<?xf32, ["h*w"]>) -> tensor<4x?x?xf32, ["h", "w"]> {
  %t = te.compute "t" (%p: "h*w") {
    %x = tensor.extract %a[%p] : tensor<?xf32, ["h*w"]>
    te.yield %x : f32
  } : tensor<?xf32, ["h*w"]>
  %r = te.compute "r" (%c: 4, %i: "h", %j: "w") {
    %w = te.extent "w"
    %row = arith.muli %i, %w : index
    %p = arith.addi %row, %j : index
    %x = tensor.extract %t[%p] : tensor<?xf32, ["h*w"]>
    te.yield %x : f32
  } : tensor<4x?x?xf32, ["h", "w"]>
  te.schedule {
    %stage = te.stage %r : tensor<4x?x?xf32, ["h", "w"]>
    %before = te.stage %t : tensor<?xf32, ["h*w"]>
    %c, %i, %j = te.axes %stage
    %tile, %part = te.split %c {factor = 2}
    te.reorder %tile, %i, %j, %part
    %all = te.fuse %tile, %i, %j
    te.parallel %all
    te.compute_at %before, %stage, %all
  }
  return %r : tensor<4x?x?xf32, ["h", "w"]>
}

// -----

// An operand that is widened once for all rows of a tile is widened where it is read in the loops for fewer rows.
// CHECK-LABEL: func.func @widened(
// CHECK: scf.if
// CHECK: tir.alloc_buffer {{.*}}memref<4x16xf32
// CHECK: memref<8x16xf32
// CHECK: } else {
// CHECK-NOT: memref<4x16xf32
// CHECK: memref<2x16xf32
// CHECK: arith.extf
// CHECK-NEXT: arith.mulf
// CHECK: return
func.func @widened(%a: tensor<?x4xf32, ["m"]>, %b: tensor<4x16xbf16>) -> tensor<?x16xf32, ["m"]> {
  %w = te.compute "w" (%k: 4, %j: 16) as widen {
    %x = tensor.extract %b[%k, %j] : tensor<4x16xbf16>
    %y = arith.extf %x : bf16 to f32
    te.yield %y : f32
  } : tensor<4x16xf32>
  %c = te.compute "c" (%i: "m", %j: 16) sum (%k: 4) as matmul {
    %x = tensor.extract %a[%i, %k] : tensor<?x4xf32, ["m"]>
    %y = tensor.extract %w[%k, %j] : tensor<4x16xf32>
    %z = arith.mulf %x, %y : f32
    te.yield %z : f32
  } : tensor<?x16xf32, ["m"]>
  te.schedule {
    %widened = te.stage %w : tensor<4x16xf32>
    %stage = te.stage %c : tensor<?x16xf32, ["m"]>
    %sums = te.cache_write %stage in local
    %i, %j = te.axes %stage
    %tile, %row = te.split %i {factor = 8, shift_inwards}
    %group, %tiles = te.split %tile {factor = 4}
    te.reorder %group, %tiles, %row, %j
    te.unroll %row
    te.vectorize %j
    te.compute_at %widened, %stage, %group
    te.compute_at %sums, %stage, %tiles
    %si, %sj, %k = te.axes %sums
    te.reorder %k, %si, %sj
    te.unroll %si
    te.vectorize %sj
  }
  return %c : tensor<?x16xf32, ["m"]>
}
