// Groups that cannot be placed, and primitives for grids of threads.
// RUN: relay-opt %s --lower-te --split-input-file --verify-diagnostics

func.func @group_from_elsewhere(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %b[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    %t = te.stage %c : tensor<8x16xf32>
    // expected-error@+1 {{the output is not computed from 'c'}}
    %g = te.create_group %s from %t
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @group_of_placed_stages(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %b[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    %t = te.stage %c : tensor<8x16xf32>
    %i, %j = te.axes %t
    te.compute_at %s, %t, %i
    %g = te.create_group %s
    // expected-error@+1 {{all stages of the group were placed before}}
    te.compute_at %g, %t, %i
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @threads_that_store_the_same(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %b[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    %t = te.stage %c : tensor<8x16xf32>
    // expected-error@+1 {{on a CPU there are none, and each element is stored once}}
    te.set_store_predicate %t {condition = affine_set<(d0) : (d0 == 0)>}
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @threads_around_a_scan(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %b[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    %t = te.stage %c : tensor<8x16xf32>
    // expected-error@+1 {{on a CPU, make loops of its steps parallel}}
    te.env_threads %t {threads = ["threadIdx.x"]}
  }
  return %c : tensor<8x16xf32>
}
