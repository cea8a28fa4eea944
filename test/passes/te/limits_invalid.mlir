// What no machine has the memory or the time for, and what is not there to be read.
// RUN: relay-opt %s --lower-te --split-input-file --verify-diagnostics

func.func @layout_that_divides_by_zero(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
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
    %y, %x = te.axes %s
    %i, %j = te.axes %t
    // expected-error@+1 {{the map gives [0, 0] no place: it divides by what is not positive, or passes 64 bits}}
    te.transform_layout %s {map = affine_map<(i, j) -> (i, j floordiv 0)>}
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @layout_beyond_64_bits(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
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
    %y, %x = te.axes %s
    %i, %j = te.axes %t
    // expected-error@+1 {{the map gives [2, 0] no place}}
    te.transform_layout %s {map = affine_map<(i, j) -> (i * 4611686018427387904, j)>}
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @layout_rounded_up_beyond_64_bits(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
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
    %y, %x = te.axes %s
    %i, %j = te.axes %t
    // expected-error@+1 {{divides by what is not a positive number, divides a negative one, or passes 64 bits}}
    te.transform_layout %s {map = affine_map<(i, j) -> (i ceildiv 9223372036854775807, i, j)>}
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @layout_beyond_memory(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
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
    %y, %x = te.axes %s
    %i, %j = te.axes %t
    // expected-error@+1 {{the buffer of stage 'b' takes more than 2^47 bytes, which is all that a process can address}}
    te.transform_layout %s {map = affine_map<(i, j) -> (i * 1000000000000000, j)>}
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @stride_beyond_memory(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
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
    %y, %x = te.axes %s
    %i, %j = te.axes %t
    // expected-error@+1 {{the buffer of stage 'b' takes more than 2^47 bytes}}
    te.storage_align %s, %y {factor = 9223372036854775807, offset = 0}
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @prefetch_beyond_all_loops(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
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
    %y, %x = te.axes %s
    %i, %j = te.axes %t
    // expected-error@+1 {{offset is at most 2147483647 iterations}}
    te.prefetch %a, %i {offset = 9223372036854775807} : tensor<8x16xf32>
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @unroll_of_4096(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %b = te.compute "b" (%i: 64, %j: 64) {
    %x = tensor.extract %a[%i, %j] : tensor<64x64xf32>
    te.yield %x : f32
  } : tensor<64x64xf32>
  %c = te.compute "c" (%i: 64, %j: 64) {
    %x = tensor.extract %b[%i, %j] : tensor<64x64xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<64x64xf32>
  te.schedule {
    %s = te.stage %b : tensor<64x64xf32>
    %t = te.stage %c : tensor<64x64xf32>
    %y, %x = te.axes %s
    %i, %j = te.axes %t
    te.unroll %i
    // expected-error@+1 {{the loops that are unrolled here repeat their body 4096 times, and the code would take minutes to compile; at most 1024 are: split the loop, and unroll the inner part}}
    te.unroll %j
  }
  return %c : tensor<64x64xf32>
}

// -----

func.func @unroll_around_a_stage(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %b = te.compute "b" (%i: 64, %j: 64) {
    %x = tensor.extract %a[%i, %j] : tensor<64x64xf32>
    te.yield %x : f32
  } : tensor<64x64xf32>
  %c = te.compute "c" (%i: 64, %j: 64) {
    %x = tensor.extract %b[%i, %j] : tensor<64x64xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<64x64xf32>
  te.schedule {
    %s = te.stage %b : tensor<64x64xf32>
    %t = te.stage %c : tensor<64x64xf32>
    %y, %x = te.axes %s
    %i, %j = te.axes %t
    te.unroll %i
    te.compute_at %s, %t, %i
    // expected-error@+1 {{the loops that are unrolled here repeat their body 4096 times}}
    te.unroll %x
  }
  return %c : tensor<64x64xf32>
}

// -----

func.func @pragma_to_unroll_more(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
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
    %y, %x = te.axes %s
    %i, %j = te.axes %t
    // expected-error@+1 {{auto_unroll_max_step is from 0 to 1024, and not 4096}}
    te.pragma %i auto_unroll_max_step = 4096
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @pragma_to_unroll_less_than_nothing(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
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
    %y, %x = te.axes %s
    %i, %j = te.axes %t
    // expected-error@+1 {{auto_unroll_max_step is from 0 to 1024, and not -1}}
    te.pragma %i auto_unroll_max_step = -1
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @one_axis_of_the_grid_twice(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
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
    %y, %x = te.axes %s
    %i, %j = te.axes %t
    te.bind %i blockIdx.x
    // expected-error@+1 {{another loop of stage 'c' is bound to blockIdx.x, and the two cannot both be the axis of one grid; fuse them, or bind one to another axis}}
    te.bind %j blockIdx.x
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @scope_of_a_result(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
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
    %y, %x = te.axes %s
    %i, %j = te.axes %t
    // expected-error@+1 {{stage 'c' is a result, whose memory is the caller's; te.cache_write computes it in another scope}}
    te.set_scope %t local
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @tensor_beyond_memory(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{has a tensor of type tensor<4x4611686018427387904xf32>, which takes more than 2^47 bytes}}
  %b = te.compute "b" (%i: 4, %j: 4611686018427387904) {
    %x = tensor.extract %a[%i] : tensor<4xf32>
    te.yield %x : f32
  } : tensor<4x4611686018427387904xf32>
  %c = te.compute "c" (%i: 4) {
    %x = tensor.extract %b[%i, %c0] : tensor<4x4611686018427387904xf32>
    te.yield %x : f32
  } : tensor<4xf32>
  return %c : tensor<4xf32>
}

// -----

// expected-error@+1 {{has a tensor of type tensor<70368744177664xf64>, which takes more than 2^47 bytes}}
func.func @argument_beyond_memory(%a: tensor<70368744177664xf64>) -> tensor<4xf64> {
  %c = te.compute "c" (%i: 4) {
    %x = tensor.extract %a[%i] : tensor<70368744177664xf64>
    te.yield %x : f64
  } : tensor<4xf64>
  return %c : tensor<4xf64>
}

// -----

func.func @reduction_without_end(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{takes more than 2^54 iterations, which would not end in months}}
  %c = te.compute "c" (%i: 4) sum (%k: 4611686018427387904) {
    %x = tensor.extract %a[%i] : tensor<4xf32>
    te.yield %x : f32
  } : tensor<4xf32>
  return %c : tensor<4xf32>
}

// -----

func.func @read_beyond_the_end(%a: tensor<4x4xf32>) -> tensor<4x8xf32> {
  %c = te.compute "c" (%i: 4, %j: 8) {
    // expected-error@+1 {{reads at 0 to 7 in dimension 1, which has 4 elements; put what reads beyond them in an scf.if}}
    %x = tensor.extract %a[%i, %j] : tensor<4x4xf32>
    te.yield %x : f32
  } : tensor<4x8xf32>
  return %c : tensor<4x8xf32>
}

// -----

func.func @read_before_the_start(%a: tensor<9xf32>) -> tensor<8xf32> {
  %c1 = arith.constant 1 : index
  %c = te.compute "c" (%i: 8) sum (%k: 2) {
    %at = arith.addi %i, %k : index
    %before = arith.subi %at, %c1 : index
    // expected-error@+1 {{reads at -1 to 7 in dimension 0, which has 9 elements}}
    %x = tensor.extract %a[%before] : tensor<9xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  return %c : tensor<8xf32>
}
