// RUN: relay-opt %s --lower-te --split-input-file --verify-diagnostics
// Passes before it leave all of this alone.
// RUN: relay-opt %s --canonicalize --cse --lower-te --split-input-file --verify-diagnostics

func.func @uneven_split(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %b[%i, %j] : tensor<8x16xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    %t = te.stage %c : tensor<8x16xf32>
    %i, %j = te.axes %t
    %y, %x = te.axes %s
    // expected-error@+1 {{the parts do not divide the loop, and need the predicate}}
    %o, %n = te.split %j {factor = 5, disable_predication}
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @sums_twice(%a: tensor<10x4xf32>) -> tensor<10xf32> {
  %b = te.compute "b" (%i: 10) sum (%k: 4) {
    %x = tensor.extract %a[%i, %k] : tensor<10x4xf32>
    te.yield %x : f32
  } : tensor<10xf32>
  te.schedule {
    %s = te.stage %b : tensor<10xf32>
    %i, %k = te.axes %s
    // expected-error@+1 {{would add some terms twice: the stage reduces; leave shift_inwards out, or split what te.cache_write leaves of the stage}}
    %o, %n = te.split %i {factor = 4, shift_inwards}
  }
  return %b : tensor<10xf32>
}

// -----

func.func @not_a_reader(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %b[%i, %j] : tensor<8x16xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    %t = te.stage %c : tensor<8x16xf32>
    %i, %j = te.axes %t
    %y, %x = te.axes %s
    // expected-error@+1 {{stage 'c' does not read that tensor}}
    %r = te.cache_read %a for %t in local : tensor<8x16xf32>
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @no_reader(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %b[%i, %j] : tensor<8x16xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    %t = te.stage %c : tensor<8x16xf32>
    %i, %j = te.axes %t
    %y, %x = te.axes %s
    // expected-error@+1 {{takes at least one reader}}
    %r = te.cache_read %a for in local : tensor<8x16xf32>
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @layout_of_a_result(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %b[%i, %j] : tensor<8x16xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    %t = te.stage %c : tensor<8x16xf32>
    %i, %j = te.axes %t
    %y, %x = te.axes %s
    // expected-error@+1 {{stage 'c' is a result, whose layout is that of its type}}
    te.transform_layout %t {map = affine_map<(i, j) -> (j, i)>}
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @layout_with_collisions(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %b[%i, %j] : tensor<8x16xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    %t = te.stage %c : tensor<8x16xf32>
    %i, %j = te.axes %t
    %y, %x = te.axes %s
    // expected-error@+1 {{the map takes [0, 2] to a place that another index is taken to}}
    te.transform_layout %s {map = affine_map<(i, j) -> (i, j floordiv 2 + j mod 2)>}
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @layout_before_the_start(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %b[%i, %j] : tensor<8x16xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    %t = te.stage %c : tensor<8x16xf32>
    %i, %j = te.axes %t
    %y, %x = te.axes %s
    // expected-error@+1 {{the map takes [0, 0] to [0, -1]}}
    te.transform_layout %s {map = affine_map<(i, j) -> (i, j - 1)>}
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @layout_of_another_rank(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %b[%i, %j] : tensor<8x16xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    %t = te.stage %c : tensor<8x16xf32>
    %i, %j = te.axes %t
    %y, %x = te.axes %s
    // expected-error@+1 {{the map takes 1 indices, the stage has 2 dimensions}}
    te.transform_layout %s {map = affine_map<(i) -> (i)>}
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @align_the_last(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %b[%i, %j] : tensor<8x16xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    %t = te.stage %c : tensor<8x16xf32>
    %i, %j = te.axes %t
    %y, %x = te.axes %s
    // expected-error@+1 {{the stride of the last dimension is 1}}
    te.storage_align %s, %x {factor = 4, offset = 0}
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @double_at_the_root(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %b[%i, %j] : tensor<8x16xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    %t = te.stage %c : tensor<8x16xf32>
    %i, %j = te.axes %t
    %y, %x = te.axes %s
    // expected-error@+1 {{stage 'b' is not computed inside a loop}}
    te.double_buffer %s
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @double_in_parallel(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %b[%i, %j] : tensor<8x16xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    %t = te.stage %c : tensor<8x16xf32>
    %i, %j = te.axes %t
    %y, %x = te.axes %s
    te.parallel %i
    te.compute_at %s, %t, %i
    // expected-error@+1 {{the iterations of the loop that it is computed in have no order}}
    te.double_buffer %s
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @roll_without_overlap(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %b[%i, %j] : tensor<8x16xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    %t = te.stage %c : tensor<8x16xf32>
    %i, %j = te.axes %t
    %y, %x = te.axes %s
    te.compute_at %s, %t, %i
    // expected-error@+1 {{no iteration reads again what one before it has read}}
    te.rolling_buffer %s
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @roll_for_what_is_ahead(%a: tensor<10xf32>) -> tensor<8xf32> {
  %p = te.compute "p" (%i: 10) {
    %x = tensor.extract %a[%i] : tensor<10xf32>
    te.yield %x : f32
  } : tensor<10xf32>
  %b = te.compute "b" (%i: 8) sum (%k: 3) {
    %at = arith.addi %i, %k : index
    %x = tensor.extract %p[%at] : tensor<10xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  %c = te.compute "c" (%i: 8) {
    %x = tensor.extract %b[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  te.schedule {
    %first = te.stage %p : tensor<10xf32>
    %s = te.stage %b : tensor<8xf32>
    %t = te.stage %c : tensor<8xf32>
    %i = te.axes %t
    te.compute_at %first, %t, %i
    te.compute_at %s, %t, %i
    // expected-error@+1 {{stage 'b', which is computed an iteration ahead in the same loop, reads it; compute one of the two in another loop}}
    te.rolling_buffer %first
    te.double_buffer %s
  }
  return %c : tensor<8xf32>
}

// -----

func.func @double_and_rolling(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    te.rolling_buffer %s
    // expected-error@+1 {{a buffer is either double or rolling, and this one is the other}}
    te.double_buffer %s
  }
  return %b : tensor<8x16xf32>
}

// -----

func.func @unknown_thread(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %b[%i, %j] : tensor<8x16xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    %t = te.stage %c : tensor<8x16xf32>
    %i, %j = te.axes %t
    %y, %x = te.axes %s
    // expected-error@+1 {{expected string or keyword containing one of the following enum values for attribute 'thread' [blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z, vthread]}}
    te.bind %i warp
  }
  return %c : tensor<8x16xf32>
}
