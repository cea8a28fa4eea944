// RUN: relay-opt %s --lower-te --split-input-file --verify-diagnostics

func.func @reduce_axis(%a: tensor<8xf32>) -> tensor<f32> {
  %b = te.compute "b" () sum (%k: 8) {
    %x = tensor.extract %a[%k] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<f32>
  te.schedule {
    %s = te.stage %b : tensor<f32>
    %k = te.axes %s
    // expected-error@+1 {{a reduce axis can be unrolled or vectorized, but not parallel}}
    te.parallel %k
  }
  return %b : tensor<f32>
}

// -----

func.func @split_twice(%a: tensor<8xf32>) -> tensor<8xf32> {
  %b = te.compute "b" (%i: 8) {
    %x = tensor.extract %a[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  te.schedule {
    %s = te.stage %b : tensor<8xf32>
    %i = te.axes %s
    %o, %n = te.split %i {factor = 4}
    // expected-error@+1 {{operand 0 is no longer a loop: it was split or fused}}
    te.vectorize %i
  }
  return %b : tensor<8xf32>
}

// -----

func.func @not_neighbours(%a: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %b = te.compute "b" (%i: 2, %j: 3, %k: 4) {
    %x = tensor.extract %a[%i, %j, %k] : tensor<2x3x4xf32>
    te.yield %x : f32
  } : tensor<2x3x4xf32>
  te.schedule {
    %s = te.stage %b : tensor<2x3x4xf32>
    %i, %j, %k = te.axes %s
    // expected-error@+1 {{takes neighbouring loops of one stage, outermost first}}
    %f = te.fuse %i, %k
  }
  return %b : tensor<2x3x4xf32>
}

// -----

func.func @inline_reduction(%a: tensor<8xf32>) -> tensor<f32> {
  %b = te.compute "b" () sum (%k: 8) {
    %x = tensor.extract %a[%k] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<f32>
  te.schedule {
    %s = te.stage %b : tensor<f32>
    // expected-error@+1 {{stage 'b' reduces and cannot be inlined}}
    te.compute_inline %s
  }
  return %b : tensor<f32>
}

// -----

func.func @read_outside(%a: tensor<8xf32>) -> tensor<8xf32> {
  %b = te.compute "b" (%i: 8) {
    %x = tensor.extract %a[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  %c = te.compute "c" (%i: 8) {
    %x = tensor.extract %b[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  %d = te.compute "d" (%i: 8) {
    %x = tensor.extract %b[%i] : tensor<8xf32>
    %y = tensor.extract %c[%i] : tensor<8xf32>
    %z = arith.addf %x, %y : f32
    te.yield %z : f32
  } : tensor<8xf32>
  te.schedule {
    %sb = te.stage %b : tensor<8xf32>
    %sc = te.stage %c : tensor<8xf32>
    %sd = te.stage %d : tensor<8xf32>
    %i = te.axes %sd
    // expected-error@+1 {{stage 'b' is also read outside of that loop, by 'c'}}
    te.compute_at %sb, %sd, %i
  }
  return %d : tensor<8xf32>
}

// -----

func.func @split_after_compute_at(%a: tensor<8xf32>) -> tensor<8xf32> {
  %b = te.compute "b" (%i: 8) {
    %x = tensor.extract %a[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  %c = te.compute "c" (%i: 8) {
    %x = tensor.extract %b[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  %d = te.compute "d" (%i: 8) {
    %x = tensor.extract %b[%i] : tensor<8xf32>
    %y = tensor.extract %c[%i] : tensor<8xf32>
    %z = arith.addf %x, %y : f32
    te.yield %z : f32
  } : tensor<8xf32>
  te.schedule {
    %sb = te.stage %b : tensor<8xf32>
    %sc = te.stage %c : tensor<8xf32>
    %sd = te.stage %d : tensor<8xf32>
    %i = te.axes %sd
    // expected-error@+1 {{the axis is no longer a loop: it was split or fused}}
    te.compute_at %sc, %sd, %i
    %o, %n = te.split %i {factor = 4}
  }
  return %d : tensor<8xf32>
}

// -----

func.func @in_an_inlined_stage(%a: tensor<8xf32>) -> tensor<8xf32> {
  %b = te.compute "b" (%i: 8) {
    %x = tensor.extract %a[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  %c = te.compute "c" (%i: 8) {
    %x = tensor.extract %b[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  %d = te.compute "d" (%i: 8) {
    %x = tensor.extract %b[%i] : tensor<8xf32>
    %y = tensor.extract %c[%i] : tensor<8xf32>
    %z = arith.addf %x, %y : f32
    te.yield %z : f32
  } : tensor<8xf32>
  te.schedule {
    %sb = te.stage %b : tensor<8xf32>
    %sc = te.stage %c : tensor<8xf32>
    %sd = te.stage %d : tensor<8xf32>
    %i = te.axes %sd
    %j = te.axes %sc
    // expected-error@+1 {{stage 'c' is inlined and has no loops}}
    te.compute_at %sb, %sc, %j
    te.compute_inline %sc
  }
  return %d : tensor<8xf32>
}

// -----

func.func @result_inlined(%a: tensor<8xf32>) -> tensor<8xf32> {
  %b = te.compute "b" (%i: 8) {
    %x = tensor.extract %a[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  %c = te.compute "c" (%i: 8) {
    %x = tensor.extract %b[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  %d = te.compute "d" (%i: 8) {
    %x = tensor.extract %b[%i] : tensor<8xf32>
    %y = tensor.extract %c[%i] : tensor<8xf32>
    %z = arith.addf %x, %y : f32
    te.yield %z : f32
  } : tensor<8xf32>
  te.schedule {
    %sb = te.stage %b : tensor<8xf32>
    %sc = te.stage %c : tensor<8xf32>
    %sd = te.stage %d : tensor<8xf32>
    %i = te.axes %sd
    // expected-error@+1 {{stage 'd' is a result and must be computed at the root}}
    te.compute_inline %sd
  }
  return %d : tensor<8xf32>
}

// -----

func.func @global_in_a_loop(%a: tensor<8xf32>) -> tensor<8xf32> {
  %b = te.compute "b" (%i: 8) {
    %x = tensor.extract %a[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  %c = te.compute "c" (%i: 8) {
    %x = tensor.extract %b[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  %d = te.compute "d" (%i: 8) {
    %x = tensor.extract %b[%i] : tensor<8xf32>
    %y = tensor.extract %c[%i] : tensor<8xf32>
    %z = arith.addf %x, %y : f32
    te.yield %z : f32
  } : tensor<8xf32>
  te.schedule {
    %sb = te.stage %b : tensor<8xf32>
    %sc = te.stage %c : tensor<8xf32>
    %sd = te.stage %d : tensor<8xf32>
    %i = te.axes %sd
    te.compute_inline %sb
    te.compute_at %sc, %sd, %i
    // expected-error@+1 {{stage 'c' is computed inside a loop, where its scope is local}}
    te.set_scope %sc global
  }
  return %d : tensor<8xf32>
}

// -----

func.func @tile_one_axis(%a: tensor<8xf32>) -> tensor<8xf32> {
  %b = te.compute "b" (%i: 8) {
    %x = tensor.extract %a[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  %c = te.compute "c" (%i: 8) {
    %x = tensor.extract %b[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  %d = te.compute "d" (%i: 8) {
    %x = tensor.extract %b[%i] : tensor<8xf32>
    %y = tensor.extract %c[%i] : tensor<8xf32>
    %z = arith.addf %x, %y : f32
    te.yield %z : f32
  } : tensor<8xf32>
  te.schedule {
    %sb = te.stage %b : tensor<8xf32>
    %sc = te.stage %c : tensor<8xf32>
    %sd = te.stage %d : tensor<8xf32>
    %i = te.axes %sd
    // expected-error@+1 {{takes two axes of one stage}}
    %o, %p, %q, %r = te.tile %i, %i {x_factor = 2, y_factor = 2}
  }
  return %d : tensor<8xf32>
}

// -----

func.func @late_cache(%a: tensor<8xf32>) -> tensor<8xf32> {
  %b = te.compute "b" (%i: 8) {
    %x = tensor.extract %a[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  %c = te.compute "c" (%i: 8) {
    %x = tensor.extract %b[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  %d = te.compute "d" (%i: 8) {
    %x = tensor.extract %b[%i] : tensor<8xf32>
    %y = tensor.extract %c[%i] : tensor<8xf32>
    %z = arith.addf %x, %y : f32
    te.yield %z : f32
  } : tensor<8xf32>
  te.schedule {
    %sb = te.stage %b : tensor<8xf32>
    %sc = te.stage %c : tensor<8xf32>
    %sd = te.stage %d : tensor<8xf32>
    %i = te.axes %sd
    te.vectorize %i
    // expected-error@+1 {{comes before the primitives on the loops of its stage}}
    %e = te.cache_write %sd in local
  }
  return %d : tensor<8xf32>
}

// -----

func.func @two_schedules(%a: tensor<8xf32>) -> tensor<8xf32> {
  %b = te.compute "b" (%i: 8) {
    %x = tensor.extract %a[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  te.schedule {
  }
  // expected-error@+1 {{is the second schedule of its function}}
  te.schedule {
  }
  return %b : tensor<8xf32>
}

// -----

func.func @loop_in_an_expression(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %b = te.compute "b" (%i: 8) {
    // expected-error@+1 {{has a region; of such ops a compute takes scf.if only}}
    %s = scf.for %j = %c0 to %i step %c1 iter_args(%sum = %zero) -> (f32) {
      %x = tensor.extract %a[%j] : tensor<8xf32>
      %y = arith.addf %sum, %x : f32
      scf.yield %y : f32
    }
    te.yield %s : f32
  } : tensor<8xf32>
  return %b : tensor<8xf32>
}
