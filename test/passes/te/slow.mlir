// Schedules that are right and slow are warned of where they are written.
// RUN: relay-opt %s --lower-te --split-input-file --verify-diagnostics -o /dev/null

// Lanes that store elements of different rows run one after the other.
func.func @rows(%a: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %b = te.compute "b" (%i: 64, %j: 32) {
    %x = tensor.extract %a[%i, %j] : tensor<64x32xf32>
    te.yield %x : f32
  } : tensor<64x32xf32>
  te.schedule {
    %s = te.stage %b : tensor<64x32xf32>
    %i, %j = te.axes %s
    te.reorder %j, %i
    %io, %ii = te.split %i {factor = 16}
    // expected-warning@+1 {{'te.vectorize' op runs one element at a time: its lanes store elements that lie 32 apart in 'b'; vectorize a loop over the last dimension, here %j, or split that loop and vectorize the inner part}}
    te.vectorize %ii
  }
  return %b : tensor<64x32xf32>
}

// -----

// So do those of the outer part of a row.
func.func @parts(%a: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %b = te.compute "b" (%i: 64, %j: 32) {
    %x = tensor.extract %a[%i, %j] : tensor<64x32xf32>
    te.yield %x : f32
  } : tensor<64x32xf32>
  te.schedule {
    %s = te.stage %b : tensor<64x32xf32>
    %i, %j = te.axes %s
    %jo, %ji = te.split %j {factor = 4}
    te.reorder %ji, %jo
    // expected-warning@+1 {{its lanes store elements that lie 4 apart in 'b'}}
    te.vectorize %jo
  }
  return %b : tensor<64x32xf32>
}

// -----

// Elements of a row, of two rows as one, and of a column lie together.
func.func @together(%a: tensor<64x32xf32>, %c: tensor<64x1xf32>) -> (tensor<64x32xf32>, tensor<4x8xf32>, tensor<64x1xf32>) {
  %b = te.compute "b" (%i: 64, %j: 32) {
    %x = tensor.extract %a[%i, %j] : tensor<64x32xf32>
    te.yield %x : f32
  } : tensor<64x32xf32>
  %d = te.compute "d" (%i: 4, %j: 8) {
    %x = tensor.extract %a[%i, %j] : tensor<64x32xf32>
    te.yield %x : f32
  } : tensor<4x8xf32>
  %e = te.compute "e" (%i: 64, %j: 1) {
    %x = tensor.extract %c[%i, %j] : tensor<64x1xf32>
    te.yield %x : f32
  } : tensor<64x1xf32>
  te.schedule {
    %s = te.stage %b : tensor<64x32xf32>
    %i, %j = te.axes %s
    %jo, %ji = te.split %j {factor = 16}
    te.vectorize %ji
    %t = te.stage %d : tensor<4x8xf32>
    %k, %l = te.axes %t
    %kl = te.fuse %k, %l
    %o, %p = te.split %kl {factor = 16}
    te.vectorize %p
    %u = te.stage %e : tensor<64x1xf32>
    %m, %n = te.axes %u
    %mo, %mi = te.split %m {factor = 16}
    te.vectorize %mi
  }
  return %b, %d, %e : tensor<64x32xf32>, tensor<4x8xf32>, tensor<64x1xf32>
}

// -----

// A long sum of floats that adds one product at a time; what is as long, and sums integers, LLVM turns into vectors.
func.func @sums(%a: tensor<128x64xf32>, %b: tensor<64x128xf32>, %c: tensor<128x64xi32>, %d: tensor<64x128xi32>)
    -> (tensor<128x128xf32>, tensor<128x128xi32>) {
  // expected-warning@+1 {{'te.compute' op takes 1048576 steps one at a time: the innermost loop of 'm' reduces, and no loop is vectorized; in a te.schedule, put a loop over the last dimension innermost and vectorize it, or let `relayc tune` find a schedule}}
  %m = te.compute "m" (%i: 128, %j: 128) sum (%k: 64) {
    %x = tensor.extract %a[%i, %k] : tensor<128x64xf32>
    %y = tensor.extract %b[%k, %j] : tensor<64x128xf32>
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  } : tensor<128x128xf32>
  %n = te.compute "n" (%i: 128, %j: 128) sum (%k: 64) {
    %x = tensor.extract %c[%i, %k] : tensor<128x64xi32>
    %y = tensor.extract %d[%k, %j] : tensor<64x128xi32>
    %p = arith.muli %x, %y : i32
    te.yield %p : i32
  } : tensor<128x128xi32>
  return %m, %n : tensor<128x128xf32>, tensor<128x128xi32>
}

// -----

// A schedule that leaves the sum innermost is no better than none; a short one takes no time.
func.func @inner(%a: tensor<128x64xf32>, %b: tensor<64x128xf32>) -> (tensor<128x128xf32>, tensor<128x2xf32>) {
  // expected-warning@+1 {{takes 1048576 steps one at a time}}
  %m = te.compute "m" (%i: 128, %j: 128) sum (%k: 64) {
    %x = tensor.extract %a[%i, %k] : tensor<128x64xf32>
    %y = tensor.extract %b[%k, %j] : tensor<64x128xf32>
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  } : tensor<128x128xf32>
  %n = te.compute "n" (%i: 128, %j: 2) sum (%k: 64) {
    %x = tensor.extract %a[%i, %k] : tensor<128x64xf32>
    %y = tensor.extract %b[%k, %j] : tensor<64x128xf32>
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  } : tensor<128x2xf32>
  te.schedule {
    %s = te.stage %m : tensor<128x128xf32>
    %i, %j, %k = te.axes %s
    te.parallel %j
  }
  return %m, %n : tensor<128x128xf32>, tensor<128x2xf32>
}

// -----

// Lanes that share a sum, or that have one each, are vectors.
func.func @lanes(%a: tensor<128x64xf32>, %b: tensor<64x128xf32>) -> (tensor<128x128xf32>, tensor<128x128xf32>) {
  %m = te.compute "m" (%i: 128, %j: 128) sum (%k: 64) {
    %x = tensor.extract %a[%i, %k] : tensor<128x64xf32>
    %y = tensor.extract %b[%k, %j] : tensor<64x128xf32>
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  } : tensor<128x128xf32>
  %n = te.compute "n" (%i: 128, %j: 128) sum (%k: 64) {
    %x = tensor.extract %a[%i, %k] : tensor<128x64xf32>
    %y = tensor.extract %b[%k, %j] : tensor<64x128xf32>
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  } : tensor<128x128xf32>
  te.schedule {
    %s = te.stage %m : tensor<128x128xf32>
    %i, %j, %k = te.axes %s
    %ko, %ki = te.split %k {factor = 16}
    te.vectorize %ki
    %t = te.stage %n : tensor<128x128xf32>
    %l, %o, %r = te.axes %t
    te.reorder %l, %r, %o
    %oo, %oi = te.split %o {factor = 16}
    te.vectorize %oi
  }
  return %m, %n : tensor<128x128xf32>, tensor<128x128xf32>
}

// -----

// Rows may be of an open length.
func.func @open_rows(%a: tensor<64x?xf32, ["n"]>) -> tensor<64x?xf32, ["n"]> {
  %b = te.compute "b" (%i: 64, %j: "n") {
    %x = tensor.extract %a[%i, %j] : tensor<64x?xf32, ["n"]>
    te.yield %x : f32
  } : tensor<64x?xf32, ["n"]>
  te.schedule {
    %s = te.stage %b : tensor<64x?xf32, ["n"]>
    %i, %j = te.axes %s
    te.reorder %j, %i
    %io, %ii = te.split %i {factor = 16}
    // expected-warning@+1 {{its lanes store elements that lie in different rows of an open length in 'b'}}
    te.vectorize %ii
  }
  return %b : tensor<64x?xf32, ["n"]>
}
