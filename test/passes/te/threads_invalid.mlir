// What the threads of a block cannot share.
// RUN: relay-opt %s --lower-te --split-input-file --verify-diagnostics

func.func @at_root(%a: tensor<8xf32>) -> tensor<8xf32> {
  %b = te.compute "b" (%i: 8) {
    %x = tensor.extract %a[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  %c = te.compute "c" (%i: 8) {
    %x = tensor.extract %b[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  te.schedule {
    %s = te.stage %b : tensor<8xf32>
    // expected-error@+1 {{stage 'b' is computed at the root, and the threads of a block share what is computed inside a loop that is bound to blocks}}
    te.set_scope %s shared
  }
  return %c : tensor<8xf32>
}

// -----

func.func @no_block(%a: tensor<8xf32>) -> tensor<8xf32> {
  %b = te.compute "b" (%i: 8) {
    %x = tensor.extract %a[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  %c = te.compute "c" (%i: 8) {
    %x = tensor.extract %b[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  te.schedule {
    %s = te.stage %b : tensor<8xf32>
    te.set_scope %s shared
    %r = te.stage %c : tensor<8xf32>
    %i = te.axes %r
    te.bind %i threadIdx.x
    // expected-error@+1 {{stage 'b' is shared by the threads of a block, and no loop around it is bound to blocks: bind one to blockIdx.x}}
    te.compute_at %s, %r, %i
  }
  return %c : tensor<8xf32>
}

// -----

func.func @alone(%a: tensor<8xf32>) -> tensor<8xf32> {
  %b = te.compute "b" (%i: 8) {
    %x = tensor.extract %a[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  %c = te.compute "c" (%i: 8) {
    %x = tensor.extract %b[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  te.schedule {
    %s = te.stage %b : tensor<8xf32>
    %own = te.axes %s
    // expected-error@+1 {{a thread along threadIdx.x would compute its part of stage 'b' alone, which is in its own memory; te.set_scope makes the stage shared}}
    te.bind %own threadIdx.x
    %r = te.stage %c : tensor<8xf32>
    %i = te.axes %r
    %block, %thread = te.split %i {factor = 4}
    te.bind %block blockIdx.x
    te.bind %thread threadIdx.x
    te.compute_at %s, %r, %block
  }
  return %c : tensor<8xf32>
}

// -----

// The launch has six threads, of which four run the outer loop.
func.func @fewer(%a: tensor<8x6xf32>) -> tensor<8xf32> {
  %b = te.compute "b" (%i: 8, %j: 6) {
    %x = tensor.extract %a[%i, %j] : tensor<8x6xf32>
    te.yield %x : f32
  } : tensor<8x6xf32>
  %c = te.compute "c" (%i: 8) sum (%k: 6) {
    %x = tensor.extract %b[%i, %k] : tensor<8x6xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x6xf32>
    te.set_scope %s shared
    %i, %j = te.axes %s
    te.bind %j threadIdx.x
    %r = te.stage %c : tensor<8xf32>
    %ri, %k = te.axes %r
    %block, %thread = te.split %ri {factor = 4}
    te.bind %block blockIdx.x
    te.bind %thread threadIdx.x
    // expected-error@+1 {{stage 'b' is shared by the threads of a block, and 4 of 6 threads along threadIdx.x run the loop around it: attach it outside of that loop}}
    te.compute_at %s, %r, %thread
  }
  return %c : tensor<8xf32>
}

// -----

func.func @twice(%a: tensor<8x4xf32>) -> tensor<8xf32> {
  %b = te.compute "b" (%i: 8, %j: 4) {
    %x = tensor.extract %a[%i, %j] : tensor<8x4xf32>
    te.yield %x : f32
  } : tensor<8x4xf32>
  %c = te.compute "c" (%i: 8, %j: 4) {
    %x = tensor.extract %b[%i, %j] : tensor<8x4xf32>
    te.yield %x : f32
  } : tensor<8x4xf32>
  %d = te.compute "d" (%i: 8) sum (%k: 4) {
    %x = tensor.extract %c[%i, %k] : tensor<8x4xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  te.schedule {
    %inner = te.stage %b : tensor<8x4xf32>
    te.set_scope %inner shared
    %outer = te.stage %c : tensor<8x4xf32>
    te.set_scope %outer shared
    %i, %j = te.axes %outer
    te.bind %j threadIdx.x
    %r = te.stage %d : tensor<8xf32>
    %ri, %k = te.axes %r
    %block, %thread = te.split %ri {factor = 4}
    te.bind %block blockIdx.x
    te.bind %thread threadIdx.x
    te.compute_at %outer, %r, %k
    // expected-error@+1 {{stage 'b' is shared by the threads of a block, and two loops around it are bound to threadIdx.x: attach it outside of the inner one}}
    te.compute_at %inner, %outer, %j
  }
  return %d : tensor<8xf32>
}
