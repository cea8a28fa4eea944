// RUN: relay-opt %s --lower-te --split-input-file --verify-diagnostics

func.func @reduce_axis(%a: tensor<8xf32>) -> tensor<f32> {
  %b = te.compute "b" reduce [8] "sum" {
  ^bb0(%k: index):
    %x = tensor.extract %a[%k] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<f32>
  te.schedule {
    %s = te.stage %b : tensor<f32>
    %k = te.axes %s -> !te.axis
    // expected-error@+1 {{a reduce axis can be unrolled, but not parallel or vectorized}}
    te.parallel %k
  }
  return %b : tensor<f32>
}

// -----

func.func @split_twice(%a: tensor<8xf32>) -> tensor<8xf32> {
  %b = te.compute "b" reduce [] "" {
  ^bb0(%i: index):
    %x = tensor.extract %a[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  te.schedule {
    %s = te.stage %b : tensor<8xf32>
    %i = te.axes %s -> !te.axis
    %o, %n = te.split %i {factor = 4}
    // expected-error@+1 {{operand 0 is no longer a loop: it was split or fused}}
    te.vectorize %i
  }
  return %b : tensor<8xf32>
}

// -----

func.func @not_neighbours(%a: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %b = te.compute "b" reduce [] "" {
  ^bb0(%i: index, %j: index, %k: index):
    %x = tensor.extract %a[%i, %j, %k] : tensor<2x3x4xf32>
    te.yield %x : f32
  } : tensor<2x3x4xf32>
  te.schedule {
    %s = te.stage %b : tensor<2x3x4xf32>
    %i, %j, %k = te.axes %s -> !te.axis, !te.axis, !te.axis
    // expected-error@+1 {{takes two neighbouring loops of one stage, the outer one first}}
    %f = te.fuse %i, %k
  }
  return %b : tensor<2x3x4xf32>
}

// -----

func.func @inline_reduction(%a: tensor<8xf32>) -> tensor<f32> {
  %b = te.compute "b" reduce [8] "sum" {
  ^bb0(%k: index):
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

// expected-error@+1 {{has a parameter or result of type tensor<?xf32>; lowering needs static tensors}}
func.func @dynamic(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}

// -----

func.func @unfused(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{is not lowered here: run fuse-ops first}}
  %0 = relay.nn.relu %a : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
