// RUN: relay-opt %s --lower-te --split-input-file --verify-diagnostics

func.func @prefetch_what_is_not_read(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
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
    // expected-error@+1 {{nothing in that loop reads or writes the tensor}}
    te.prefetch %a, %i {offset = 1} : tensor<8x16xf32>
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @spread_outside(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  te.schedule {
    %t = te.stage %c : tensor<8x16xf32>
    %i, %j = te.axes %t
    // expected-error@+1 {{the loop over which requests are spread does not stand inside that of the axis}}
    te.prefetch %a, %j over %i {offset = 1} : tensor<8x16xf32>
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @spread_over_no_loop(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  te.schedule {
    %t = te.stage %c : tensor<8x16xf32>
    %i, %j = te.axes %t
    // expected-error@+1 {{the axis is no longer a loop: it was split or fused}}
    te.prefetch %a, %i over %j {offset = 1} : tensor<8x16xf32>
    %o, %n = te.split %j {factor = 4}
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @prefetch_what_is_copied(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  te.schedule {
    %t = te.stage %c : tensor<8x16xf32>
    %copy = te.cache_read %a for %t in local : tensor<8x16xf32>
    %i, %j = te.axes %t
    // expected-error@+1 {{nothing in that loop reads or writes the tensor}}
    te.prefetch %a, %i {offset = 1} : tensor<8x16xf32>
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @shared_without_a_loop(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  te.schedule {
    %t = te.stage %c : tensor<8x16xf32>
    %i, %j = te.axes %t
    // expected-error@+1 {{takes `every` only with `over`, the loop over which the requests are spread}}
    te.prefetch %a, %i {offset = 2, every = 2} : tensor<8x16xf32>
  }
  return %c : tensor<8x16xf32>
}
