// RUN: relay-opt %s --lower-te --split-input-file --verify-diagnostics
// Passes before it leave all of this alone.
// RUN: relay-opt %s --canonicalize --cse --lower-te --split-input-file --verify-diagnostics

func.func @unknown_pragma(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
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
    // expected-error@+1 {{expected string or keyword containing one of the following enum values for attribute 'name' [auto_unroll_max_step, unroll_explicit, loop_partition_hint]}}
    te.pragma %i import_c = 1
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @bind_a_reduction(%a: tensor<8x16xf32>) -> tensor<8xf32> {
  %b = te.compute "b" (%i: 8) sum (%k: 16) {
    %x = tensor.extract %a[%i, %k] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  te.schedule {
    %s = te.stage %b : tensor<8xf32>
    %i, %k = te.axes %s
    // expected-error@+1 {{a reduce axis can be unrolled or vectorized, but not parallel; use rfactor}}
    te.bind %k threadIdx.x
  }
  return %b : tensor<8xf32>
}

// -----

func.func @rfactor_a_data_axis(%a: tensor<8x16xf32>) -> tensor<8xf32> {
  %b = te.compute "b" (%i: 8) sum (%k: 16) {
    %x = tensor.extract %a[%i, %k] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  te.schedule {
    %s = te.stage %b : tensor<8xf32>
    %i, %k = te.axes %s
    // expected-error@+1 {{takes a reduce loop of the stage}}
    %r = te.rfactor %s, %i
  }
  return %b : tensor<8xf32>
}

// -----

func.func @late_rfactor(%a: tensor<8x16xf32>) -> tensor<8xf32> {
  %b = te.compute "b" (%i: 8) sum (%k: 16) {
    %x = tensor.extract %a[%i, %k] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  te.schedule {
    %s = te.stage %b : tensor<8xf32>
    %i, %k = te.axes %s
    te.parallel %i
    // expected-error@+1 {{comes before the primitives on the data axes of its stage}}
    %r = te.rfactor %s, %k
  }
  return %b : tensor<8xf32>
}

// -----

func.func @rfactor_beyond_the_rank(%a: tensor<8x16xf32>) -> tensor<8xf32> {
  %b = te.compute "b" (%i: 8) sum (%k: 16) {
    %x = tensor.extract %a[%i, %k] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  te.schedule {
    %s = te.stage %b : tensor<8xf32>
    %i, %k = te.axes %s
    // expected-error@+1 {{factor_axis is from -2 to 1}}
    %r = te.rfactor %s, %k {factor_axis = 2}
  }
  return %b : tensor<8xf32>
}

// -----

// Outside of its condition it is one.
func.func @guards_of_ones(%a: tensor<8xf32>, %b: tensor<3xf32>) -> tensor<8xf32> {
  %pad = te.compute "pad" (%i: 10) {
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %after = arith.cmpi sge, %i, %c1 : index
    %before = arith.cmpi slt, %i, %c9 : index
    %inside = arith.andi %after, %before : i1
    %at = arith.subi %i, %c1 : index
    %x = scf.if %inside -> (f32) {
      %y = tensor.extract %a[%at] : tensor<8xf32>
      scf.yield %y : f32
    } else {
      %other = arith.constant 1.0 : f32
      scf.yield %other : f32
    }
    te.yield %x : f32
  } : tensor<10xf32>
  %conv = te.compute "conv" (%i: 8) sum (%k: 3) {
    %at = arith.addi %i, %k : index
    %x = tensor.extract %pad[%at] : tensor<10xf32>
    %w = tensor.extract %b[%k] : tensor<3xf32>
    %p = arith.mulf %x, %w : f32
    te.yield %p : f32
  } : tensor<8xf32>
  te.schedule {
    %s = te.stage %pad : tensor<10xf32>
    // expected-error@+1 {{stage 'pad' is not zero outside of a condition}}
    te.compute_inline %s {guards}
  }
  return %conv : tensor<8xf32>
}

// -----

// Zeros change this sum.
func.func @guards_of_differences(%a: tensor<8xf32>, %b: tensor<3xf32>) -> tensor<8xf32> {
  %pad = te.compute "pad" (%i: 10) {
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %after = arith.cmpi sge, %i, %c1 : index
    %before = arith.cmpi slt, %i, %c9 : index
    %inside = arith.andi %after, %before : i1
    %at = arith.subi %i, %c1 : index
    %x = scf.if %inside -> (f32) {
      %y = tensor.extract %a[%at] : tensor<8xf32>
      scf.yield %y : f32
    } else {
      %other = arith.constant 0.0 : f32
      scf.yield %other : f32
    }
    te.yield %x : f32
  } : tensor<10xf32>
  %conv = te.compute "conv" (%i: 8) sum (%k: 3) {
    %at = arith.addi %i, %k : index
    %x = tensor.extract %pad[%at] : tensor<10xf32>
    %w = tensor.extract %b[%k] : tensor<3xf32>
    %p = arith.subf %x, %w : f32
    te.yield %p : f32
  } : tensor<8xf32>
  te.schedule {
    %s = te.stage %pad : tensor<10xf32>
    // expected-error@+1 {{'conv', which reads stage 'pad', does not sum products with it element by element}}
    te.compute_inline %s {guards}
  }
  return %conv : tensor<8xf32>
}

// -----

func.func @axes_that_nobody_uses(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %b = te.compute "b" (%i: 4, %j: 8) {
    %x = tensor.extract %a[%i, %j] : tensor<4x8xf32>
    te.yield %x : f32
  } : tensor<4x8xf32>
  te.schedule {
    %s = te.stage %b : tensor<4x8xf32>
    // expected-error@+1 {{stage 'b' has 2 data and 0 reduce axes, not 3}}
    %i, %j, %k = te.axes %s
  }
  return %b : tensor<4x8xf32>
}
