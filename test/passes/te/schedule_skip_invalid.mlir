// RUN: relay-opt %s --lower-te --split-input-file --verify-diagnostics

func.func @other_than_the_identity(%a: tensor<8x8xf32>, %m: tensor<8x8xi32>) -> tensor<8xf32> {
  %f = te.compute "flags" (%k: 8, %i: 8) {
    %x = tensor.extract %m[%i, %k] : tensor<8x8xi32>
    te.yield %x : i32
  } : tensor<8x8xi32>
  %e = te.compute "exp" (%k: 8, %i: 8) {
    %x = tensor.extract %a[%i, %k] : tensor<8x8xf32>
    %y = math.exp %x : f32
    te.yield %y : f32
  } : tensor<8x8xf32>
  %s = te.compute "sum" (%i: 8) custom (%k: 8) identity [0.0 : f32] {
    %flag = tensor.extract %f[%k, %i] : tensor<8x8xi32>
    %zero = arith.constant 0 : i32
    %is_seen = arith.cmpi ne, %flag, %zero : i32
    %x = scf.if %is_seen -> (f32) {
      %y = tensor.extract %e[%k, %i] : tensor<8x8xf32>
      scf.yield %y : f32
    } else {
      %none = arith.constant 1.0 : f32
      scf.yield %none : f32
    }
    te.yield %x : f32
  } combiner {
  ^bb0(%old: f32, %new: f32):
    %0 = arith.addf %old, %new : f32
    te.yield %0 : f32
  } : tensor<8xf32>
  te.schedule {
    %sum = te.stage %s : tensor<8xf32>
    %i, %k = te.axes %sum
    te.reorder %k, %i
    %flags = te.stage %f : tensor<8x8xi32>
    %exp = te.stage %e : tensor<8x8xf32>
    te.compute_at %flags, %sum, %k
    // expected-error@+1 {{stage 'sum' is not its reducer's identity where a flag is zero: it yields no scf.if of 'flag != 0' that has the identities in its other branch, with the element of another stage for the flag}}
    te.skip %sum, %k
  }
  return %s : tensor<8xf32>
}

// -----

func.func @a_data_axis(%a: tensor<8x8xf32>, %m: tensor<8x8xi32>) -> tensor<8xf32> {
  %f = te.compute "flags" (%k: 8, %i: 8) {
    %x = tensor.extract %m[%i, %k] : tensor<8x8xi32>
    te.yield %x : i32
  } : tensor<8x8xi32>
  %e = te.compute "exp" (%k: 8, %i: 8) {
    %x = tensor.extract %a[%i, %k] : tensor<8x8xf32>
    %y = math.exp %x : f32
    te.yield %y : f32
  } : tensor<8x8xf32>
  %s = te.compute "sum" (%i: 8) custom (%k: 8) identity [0.0 : f32] {
    %flag = tensor.extract %f[%k, %i] : tensor<8x8xi32>
    %zero = arith.constant 0 : i32
    %is_seen = arith.cmpi ne, %flag, %zero : i32
    %x = scf.if %is_seen -> (f32) {
      %y = tensor.extract %e[%k, %i] : tensor<8x8xf32>
      scf.yield %y : f32
    } else {
      %none = arith.constant 0.0 : f32
      scf.yield %none : f32
    }
    te.yield %x : f32
  } combiner {
  ^bb0(%old: f32, %new: f32):
    %0 = arith.addf %old, %new : f32
    te.yield %0 : f32
  } : tensor<8xf32>
  te.schedule {
    %sum = te.stage %s : tensor<8xf32>
    %i, %k = te.axes %sum
    te.reorder %k, %i
    %flags = te.stage %f : tensor<8x8xi32>
    %exp = te.stage %e : tensor<8x8xf32>
    te.compute_at %flags, %sum, %k
    // expected-error@+1 {{takes a stage and one of its reduce axes}}
    te.skip %sum, %i
  }
  return %s : tensor<8xf32>
}

// -----

func.func @flags_elsewhere(%a: tensor<8x8xf32>, %m: tensor<8x8xi32>) -> tensor<8xf32> {
  %f = te.compute "flags" (%k: 8, %i: 8) {
    %x = tensor.extract %m[%i, %k] : tensor<8x8xi32>
    te.yield %x : i32
  } : tensor<8x8xi32>
  %e = te.compute "exp" (%k: 8, %i: 8) {
    %x = tensor.extract %a[%i, %k] : tensor<8x8xf32>
    %y = math.exp %x : f32
    te.yield %y : f32
  } : tensor<8x8xf32>
  %s = te.compute "sum" (%i: 8) custom (%k: 8) identity [0.0 : f32] {
    %flag = tensor.extract %f[%k, %i] : tensor<8x8xi32>
    %zero = arith.constant 0 : i32
    %is_seen = arith.cmpi ne, %flag, %zero : i32
    %x = scf.if %is_seen -> (f32) {
      %y = tensor.extract %e[%k, %i] : tensor<8x8xf32>
      scf.yield %y : f32
    } else {
      %none = arith.constant 0.0 : f32
      scf.yield %none : f32
    }
    te.yield %x : f32
  } combiner {
  ^bb0(%old: f32, %new: f32):
    %0 = arith.addf %old, %new : f32
    te.yield %0 : f32
  } : tensor<8xf32>
  te.schedule {
    %sum = te.stage %s : tensor<8xf32>
    %i, %k = te.axes %sum
    te.reorder %k, %i
    %flags = te.stage %f : tensor<8x8xi32>
    %exp = te.stage %e : tensor<8x8xf32>
    // expected-error@+1 {{the flags 'flags' are not computed in that loop: place them there by te.compute_at}}
    te.skip %sum, %k
  }
  return %s : tensor<8xf32>
}

// -----

func.func @twice(%a: tensor<8x8xf32>, %m: tensor<8x8xi32>) -> tensor<8xf32> {
  %f = te.compute "flags" (%k: 8, %i: 8) {
    %x = tensor.extract %m[%i, %k] : tensor<8x8xi32>
    te.yield %x : i32
  } : tensor<8x8xi32>
  %e = te.compute "exp" (%k: 8, %i: 8) {
    %x = tensor.extract %a[%i, %k] : tensor<8x8xf32>
    %y = math.exp %x : f32
    te.yield %y : f32
  } : tensor<8x8xf32>
  %s = te.compute "sum" (%i: 8) custom (%k: 8) identity [0.0 : f32] {
    %flag = tensor.extract %f[%k, %i] : tensor<8x8xi32>
    %zero = arith.constant 0 : i32
    %is_seen = arith.cmpi ne, %flag, %zero : i32
    %x = scf.if %is_seen -> (f32) {
      %y = tensor.extract %e[%k, %i] : tensor<8x8xf32>
      scf.yield %y : f32
    } else {
      %none = arith.constant 0.0 : f32
      scf.yield %none : f32
    }
    te.yield %x : f32
  } combiner {
  ^bb0(%old: f32, %new: f32):
    %0 = arith.addf %old, %new : f32
    te.yield %0 : f32
  } : tensor<8xf32>
  te.schedule {
    %sum = te.stage %s : tensor<8xf32>
    %i, %k = te.axes %sum
    te.reorder %k, %i
    %flags = te.stage %f : tensor<8x8xi32>
    %exp = te.stage %e : tensor<8x8xf32>
    te.compute_at %flags, %sum, %k
    te.skip %sum, %k
    // expected-error@+1 {{follows a te.skip that says it of the stage already, and iterations of one loop are left out; leave one of the two out}}
    te.skip %sum, %k
  }
  return %s : tensor<8xf32>
}

// -----

func.func @split_later(%a: tensor<8x8xf32>, %m: tensor<8x8xi32>) -> tensor<8xf32> {
  %f = te.compute "flags" (%k: 8, %i: 8) {
    %x = tensor.extract %m[%i, %k] : tensor<8x8xi32>
    te.yield %x : i32
  } : tensor<8x8xi32>
  %e = te.compute "exp" (%k: 8, %i: 8) {
    %x = tensor.extract %a[%i, %k] : tensor<8x8xf32>
    %y = math.exp %x : f32
    te.yield %y : f32
  } : tensor<8x8xf32>
  %s = te.compute "sum" (%i: 8) custom (%k: 8) identity [0.0 : f32] {
    %flag = tensor.extract %f[%k, %i] : tensor<8x8xi32>
    %zero = arith.constant 0 : i32
    %is_seen = arith.cmpi ne, %flag, %zero : i32
    %x = scf.if %is_seen -> (f32) {
      %y = tensor.extract %e[%k, %i] : tensor<8x8xf32>
      scf.yield %y : f32
    } else {
      %none = arith.constant 0.0 : f32
      scf.yield %none : f32
    }
    te.yield %x : f32
  } combiner {
  ^bb0(%old: f32, %new: f32):
    %0 = arith.addf %old, %new : f32
    te.yield %0 : f32
  } : tensor<8xf32>
  te.schedule {
    %sum = te.stage %s : tensor<8xf32>
    %i, %k = te.axes %sum
    te.reorder %k, %i
    %flags = te.stage %f : tensor<8x8xi32>
    %exp = te.stage %e : tensor<8x8xf32>
    // expected-error@+1 {{the axis is no longer a loop: it was split or fused}}
    te.skip %sum, %k
    %o, %n = te.split %k {factor = 4 : i64}
  }
  return %s : tensor<8xf32>
}

// -----

func.func @in_no_order(%a: tensor<8x8xf32>, %m: tensor<8x8xi32>) -> tensor<8xf32> {
  %f = te.compute "flags" (%k: 8, %i: 8) {
    %x = tensor.extract %m[%i, %k] : tensor<8x8xi32>
    te.yield %x : i32
  } : tensor<8x8xi32>
  %e = te.compute "exp" (%k: 8, %i: 8) {
    %x = tensor.extract %a[%i, %k] : tensor<8x8xf32>
    %y = math.exp %x : f32
    te.yield %y : f32
  } : tensor<8x8xf32>
  %s = te.compute "sum" (%i: 8) custom (%k: 8) identity [0.0 : f32] {
    %flag = tensor.extract %f[%k, %i] : tensor<8x8xi32>
    %zero = arith.constant 0 : i32
    %is_seen = arith.cmpi ne, %flag, %zero : i32
    %x = scf.if %is_seen -> (f32) {
      %y = tensor.extract %e[%k, %i] : tensor<8x8xf32>
      scf.yield %y : f32
    } else {
      %none = arith.constant 0.0 : f32
      scf.yield %none : f32
    }
    te.yield %x : f32
  } combiner {
  ^bb0(%old: f32, %new: f32):
    %0 = arith.addf %old, %new : f32
    te.yield %0 : f32
  } : tensor<8xf32>
  te.schedule {
    %sum = te.stage %s : tensor<8xf32>
    %i, %k = te.axes %sum
    te.reorder %k, %i
    %flags = te.stage %f : tensor<8x8xi32>
    %exp = te.stage %e : tensor<8x8xf32>
    te.compute_at %flags, %sum, %k
    // expected-error@+1 {{the iterations of that loop have no order}}
    te.skip %sum, %k
    te.unroll %k
  }
  return %s : tensor<8xf32>
}

// -----

func.func @shared_buffer(%a: tensor<8x8xf32>, %m: tensor<8x8xi32>) -> tensor<8xf32> {
  %f = te.compute "flags" (%k: 8, %i: 8) {
    %x = tensor.extract %m[%i, %k] : tensor<8x8xi32>
    te.yield %x : i32
  } : tensor<8x8xi32>
  %e = te.compute "exp" (%k: 8, %i: 8) {
    %x = tensor.extract %a[%i, %k] : tensor<8x8xf32>
    %y = math.exp %x : f32
    te.yield %y : f32
  } : tensor<8x8xf32>
  %s = te.compute "sum" (%i: 8) custom (%k: 8) identity [0.0 : f32] {
    %flag = tensor.extract %f[%k, %i] : tensor<8x8xi32>
    %zero = arith.constant 0 : i32
    %is_seen = arith.cmpi ne, %flag, %zero : i32
    %x = scf.if %is_seen -> (f32) {
      %y = tensor.extract %e[%k, %i] : tensor<8x8xf32>
      scf.yield %y : f32
    } else {
      %none = arith.constant 0.0 : f32
      scf.yield %none : f32
    }
    te.yield %x : f32
  } combiner {
  ^bb0(%old: f32, %new: f32):
    %0 = arith.addf %old, %new : f32
    te.yield %0 : f32
  } : tensor<8xf32>
  te.schedule {
    %sum = te.stage %s : tensor<8xf32>
    %i, %k = te.axes %sum
    te.reorder %k, %i
    %flags = te.stage %f : tensor<8x8xi32>
    %exp = te.stage %e : tensor<8x8xf32>
    te.compute_at %flags, %sum, %k
    te.compute_at %exp, %sum, %k
    te.double_buffer %exp
    // expected-error@+1 {{iterations of that loop share a buffer of stage 'exp', so that none can be left out}}
    te.skip %sum, %k
  }
  return %s : tensor<8xf32>
}
