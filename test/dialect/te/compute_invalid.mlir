// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @c1(%a: tensor<4xf32>) {
  // expected-error@+1 {{results have different shapes: [4] and [5] (C1)}}
  %0, %1 = "te.compute"() ({
  ^bb0(%i: index):
    %x = tensor.extract %a[%i] : tensor<4xf32>
    te.yield %x, %x : f32, f32
  }, {
  }) {name = "c", reduce_extents = []} : () -> (tensor<4xf32>, tensor<5xf32>)
  return
}

// -----

func.func @c2(%a: tensor<4xf32>) {
  // expected-error@+1 {{the body takes 1 arguments of type index; expected one per dimension and reduce extent, 2 (C2)}}
  %0 = "te.compute"() ({
  ^bb0(%i: index):
    %x = tensor.extract %a[%i] : tensor<4xf32>
    te.yield %x : f32
  }, {
  }) {name = "c", reduce_extents = [4], reducer = 0 : i32} : () -> tensor<4xf32>
  return
}

// -----

func.func @c2_written(%a: tensor<4xf32>) {
  // expected-error@+1 {{the spatial axes are not the dimensions of 'tensor<4xf32>': one axis for each, with its extent (C2)}}
  %0 = te.compute "c" (%i: 5) {
    %x = tensor.extract %a[%i] : tensor<4xf32>
    te.yield %x : f32
  } : tensor<4xf32>
  return
}

// -----

func.func @c3(%a: tensor<4xf32>) {
  // expected-error@+1 {{the body yields [f32], expected [i64] (C3)}}
  %0 = te.compute "c" (%i: 4) {
    %x = tensor.extract %a[%i] : tensor<4xf32>
    te.yield %x : f32
  } : tensor<4xi64>
  return
}

// -----

func.func @c4_none(%a: tensor<4xf32>) {
  // expected-error@+1 {{has reduce axes and no reducer (C4)}}
  %0 = "te.compute"() ({
  ^bb0(%k: index):
    %x = tensor.extract %a[%k] : tensor<4xf32>
    te.yield %x : f32
  }, {
  }) {name = "c", reduce_extents = [4]} : () -> tensor<f32>
  return
}

// -----

func.func @c4_needless(%a: tensor<4xf32>) {
  // expected-error@+1 {{has a reducer, sum, and no reduce axes (C4)}}
  %0 = te.compute "c" (%i: 4) sum () {
    %x = tensor.extract %a[%i] : tensor<4xf32>
    te.yield %x : f32
  } : tensor<4xf32>
  return
}

// -----

func.func @c5(%a: tensor<4xf32>) {
  // expected-error@+1 {{a custom reducer needs a combiner region and one identity per result (C5)}}
  %0 = te.compute "c" () custom (%k: 4) {
    %x = tensor.extract %a[%k] : tensor<4xf32>
    te.yield %x : f32
  } : tensor<f32>
  return
}

// -----

func.func @extern_c1(%a: tensor<8xf32>) {
  // expected-error@+1 {{the region takes [memref<8xf32>], expected [memref<8xf32>, memref<8xf32>] (C1)}}
  %r = te.extern "copy" (%a) {
  ^bb0(%in: memref<8xf32>):
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @extern_of_nothing(%a: tensor<8xf32>) {
  // expected-error@+1 {{has no results}}
  te.extern "drop" (%a) {
  ^bb0(%in: memref<8xf32>):
  } : (tensor<8xf32>) -> ()
  return
}

// -----

func.func @scan_c1(%first: tensor<1x4xf32>) {
  // expected-error@+1 {{init is [tensor<1x4xf32>] and the states are [tensor<16x8xf32>]; they differ in more than the time}}
  %s = te.scan "s" (%first) {
  ^bb0(%state: tensor<16x8xf32>, %t: index, %i: index):
    %x = arith.constant 0.0 : f32
    te.yield %x : f32
  } : (tensor<1x4xf32>) -> tensor<16x8xf32>
  return
}

// -----

func.func @scan_c2(%first: tensor<1x8xf32>) {
  // expected-error@+1 {{the body takes [tensor<16x8xf32>, index], expected [tensor<16x8xf32>, index, index] (C2)}}
  %s = te.scan "s" (%first) {
  ^bb0(%state: tensor<16x8xf32>, %t: index):
    %x = arith.constant 0.0 : f32
    te.yield %x : f32
  } : (tensor<1x8xf32>) -> tensor<16x8xf32>
  return
}

// -----

func.func @scan_c3(%first: tensor<1x8xf32>) {
  // expected-error@+1 {{the body yields [i32], expected [f32] (C3)}}
  %s = te.scan "s" (%first) {
  ^bb0(%state: tensor<16x8xf32>, %t: index, %i: index):
    %x = arith.constant 0 : i32
    te.yield %x : i32
  } : (tensor<1x8xf32>) -> tensor<16x8xf32>
  return
}

// -----

func.func @c2_negative(%a: tensor<4x4xf32>) {
  // expected-error@+1 {{has a reduce axis of extent -3, which is negative (C2)}}
  %0 = te.compute "c" (%i: 4) sum (%k: -3) {
    %x = tensor.extract %a[%i, %k] : tensor<4x4xf32>
    te.yield %x : f32
  } : tensor<4xf32>
  return
}

// -----

func.func @no_role(%a: tensor<4xf32>) {
  // expected-error@+1 {{expected one of [pad, widen, conv, depthwise_conv, packed_conv, packed_depthwise_conv, matmul, packed_dense, pool, winograd_data_columns, winograd_data, winograd_product, winograd_result_columns, winograd_result, words, block_sums, dense_blocks] for the role of a stage, by which schedules choose a template, got: gemm}}
  %0 = te.compute "c" (%i: 4) as gemm {
    %x = tensor.extract %a[%i] : tensor<4xf32>
    te.yield %x : f32
  } : tensor<4xf32>
  return
}
