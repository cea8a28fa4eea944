// RUN: relay-opt %s --lower-te --split-input-file --verify-diagnostics

func.func @inlined_input(%a: tensor<8xf32>) -> tensor<8xf32> {
  %b = te.compute "b" (%i: 8) {
    %x = tensor.extract %a[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  %r = te.extern "copy" (%b) {
  ^bb0(%in: memref<8xf32>, %out: memref<8xf32>):
    memref.copy %in, %out : memref<8xf32> to memref<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  te.schedule {
    %s = te.stage %b : tensor<8xf32>
    // expected-error@+1 {{stage 'b' is memory of the loop program 'copy', which takes it as a whole}}
    te.compute_inline %s
  }
  return %r : tensor<8xf32>
}

// -----

func.func @inlined_program(%a: tensor<8xf32>) -> tensor<8xf32> {
  %b = te.compute "b" (%i: 8) {
    %x = tensor.extract %a[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  %r = te.extern "copy" (%b) {
  ^bb0(%in: memref<8xf32>, %out: memref<8xf32>):
    memref.copy %in, %out : memref<8xf32> to memref<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  %c = te.compute "c" (%i: 8) {
    %x = tensor.extract %r[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  te.schedule {
    %s = te.stage %r : tensor<8xf32>
    // expected-error@+1 {{stage 'copy' is a te.extern, which is computed at the root}}
    te.compute_inline %s
  }
  return %c : tensor<8xf32>
}

// -----

func.func @captured(%a: tensor<8xf32>) -> tensor<8xf32> {
  %r = te.extern "fill" () {
  ^bb0(%out: memref<8xf32>):
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{uses a value from outside of the te.extern that it stands in}}
    %f = tensor.extract %a[%c0] : tensor<8xf32>
    memref.store %f, %out[%c0] : memref<8xf32>
  } : () -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// expected-error@+1 {{has a parameter of type f32; kernels take tensors whose extents are numbers or named}}
func.func @scalar(%a: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
  %r = te.compute "r" (%i: 8) {
    te.yield %f : f32
  } : tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @later_state(%first: tensor<1x8xf32>) -> tensor<16x8xf32> {
  %s = te.scan "s" (%first) {
  ^bb0(%state: tensor<16x8xf32>, %t: index, %i: index):
    // expected-error@+1 {{reads a state at another time than 1 to 1 steps before (C4)}}
    %x = tensor.extract %state[%t, %i] : tensor<16x8xf32>
    te.yield %x : f32
  } : (tensor<1x8xf32>) -> tensor<16x8xf32>
  return %s : tensor<16x8xf32>
}

// -----

func.func @time_inside(%first: tensor<1x8xf32>) -> tensor<16x8xf32> {
  %c1 = arith.constant 1 : index
  %s = te.scan "s" (%first) {
  ^bb0(%state: tensor<16x8xf32>, %t: index, %i: index):
    %last = arith.subi %t, %c1 : index
    %x = tensor.extract %state[%last, %i] : tensor<16x8xf32>
    te.yield %x : f32
  } : (tensor<1x8xf32>) -> tensor<16x8xf32>
  te.schedule {
    %stage = te.stage %s : tensor<16x8xf32>
    %t, %i = te.axes %stage
    // expected-error@+1 {{the time of 's' would not be the outermost loop, and a serial one}}
    te.reorder %i, %t
  }
  return %s : tensor<16x8xf32>
}

// -----

func.func @cache_of_two_shapes() -> (tensor<8xf32>, tensor<4xf32>) {
  %r:2 = te.extern "fill" () {
  ^bb0(%x: memref<8xf32>, %y: memref<4xf32>):
  } : () -> (tensor<8xf32>, tensor<4xf32>)
  te.schedule {
    %s = te.stage %r#0 : tensor<8xf32>
    // expected-error@+1 {{fills tensors of different shapes, which one nest of loops cannot copy}}
    %c = te.cache_write %s in local
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<4xf32>
}
