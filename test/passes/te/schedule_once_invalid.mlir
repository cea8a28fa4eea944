// RUN: relay-opt %s --lower-te --split-input-file --verify-diagnostics

// What a primitive says is not taken back by a later one in silence.
func.func @two_kinds(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    %i, %j = te.axes %s
    te.parallel %i
    // expected-error@+1 {{follows a te.parallel that says it of the loop already, and a loop is of one kind; leave one of the two out}}
    te.vectorize %i
  }
  return %b : tensor<8x16xf32>
}

// -----

func.func @two_places(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
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
    te.compute_inline %s
    // expected-error@+1 {{follows a te.compute_inline that says it of the stage already, and a stage is computed in one place; leave one of the two out}}
    te.compute_at %s, %t, %i
  }
  return %c : tensor<8x16xf32>
}

// -----

func.func @two_scopes(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    %c = te.cache_write %s in local
    // expected-error@+1 {{follows a te.cache_write that says it of the stage already, and its buffer has one scope; leave one of the two out}}
    te.set_scope %c global
  }
  return %b : tensor<8x16xf32>
}
