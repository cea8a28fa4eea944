// What passes leave for each other is declared, with what it holds.
// RUN: relay-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{has the attribute 'tir.colour', which is none that passes leave for each other}}
func.func private @undeclared() attributes {tir.colour = "red"}

// -----

// expected-error@+1 {{has the attribute 'tir.kernel' = unit; expected one of type #tir.kernel}}
func.func private @kind() attributes {tir.kernel}

// -----

// expected-error@+1 {{has the attribute 'relay.num_inputs' = 1 : i32; expected one of type i64}}
func.func private @width() attributes {relay.num_inputs = 1 : i32}

// -----

func.func @steps(%a: tensor<4xf32>) {
  // expected-error@+1 {{has the attribute 'te.steps' = 1 : i64; expected one of type array<i64>}}
  %0 = te.compute "c" (%i: 4) attributes {te.steps = 1} {
    %x = tensor.extract %a[%i] : tensor<4xf32>
    te.yield %x : f32
  } : tensor<4xf32>
  return
}

// -----

// expected-error@+2 {{expected ::relay_mlir::tir::KernelKind to be one of: generated, view, external}}
// expected-error@+1 {{failed to parse}}
func.func private @unknown() attributes {tir.kernel = #tir.kernel<foreign>}

// -----

// expected-error@+1 {{has the attribute 'relay.virtual_device' = "gpu:0"; expected one of type device}}
func.func private @device() attributes {relay.virtual_device = "gpu:0"}

// -----

// expected-error@+1 {{has the attribute 'relay.param_devices' = ["cpu:0", "cpu:x"]; expected one of type array of devices}}
func.func private @devices() attributes {relay.param_devices = ["cpu:0", "cpu:x"]}

// -----

func.func @misspelt(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32> {
  // expected-error@+1 {{'relay.nn.conv2d' op has no attribute 'pading'; did you mean 'padding'?}}
  %0 = relay.nn.conv2d %x, %w {pading = array<i64: 1, 1, 1, 1>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  return %0 : tensor<1x4x6x6xf32>
}

// -----

func.func @unlike(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'relay.nn.relu' op has no attribute 'Composite'}}
  %0 = relay.nn.relu %x {Composite = "c"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @primitive(%a: tensor<4xf32>) -> tensor<4xf32> {
  %b = te.compute "b" (%i: 4) {
    %x = tensor.extract %a[%i] : tensor<4xf32>
    te.yield %x : f32
  } : tensor<4xf32>
  te.schedule {
    %s = te.stage %b : tensor<4xf32>
    %i = te.axes %s
    // expected-error@+1 {{'te.split' op has no attribute 'factors'; did you mean 'factor'?}}
    %o, %n = te.split %i {factor = 2 : i64, factors = 4 : i64}
  }
  return %b : tensor<4xf32>
}

// -----

func.func @loop(%a: memref<4xf32>, %v: f32) {
  // expected-error@+1 {{'tir.for' op has no attribute 'unrolled'}}
  tir.for %i = 0 to 4 attributes {unrolled} {
    memref.store %v, %a[%i] : memref<4xf32>
  }
  return
}

// -----

// What other dialects leave on our ops, and what a match leaves on a function that is a value, is theirs.
func.func @foreign(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.nn.relu %x {other.note = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
