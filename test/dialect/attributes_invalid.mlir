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
