// RUN: relay-opt %s --plan-devices=cuda --split-input-file --verify-diagnostics
// RUN: not relay-opt %s --plan-devices=gpu 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not relay-opt %s --plan-devices="host=:1" 2>&1 | FileCheck %s --check-prefix=HOST
// KIND: option 'default': 'gpu' is no kind of device
// HOST: option 'host' has to name a kind of device, as cpu:0 does

// Both marks are about one value, where nothing may be copied.
func.func @two_bodies(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note@+1 {{needed on cpu:0 because this relay.on_device constrains its operand}}
  %0 = relay.on_device %x {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+2 {{'relay.on_device' op needs this value on one device, and nothing allows a copy: put relay.on_device where a value may be copied}}
  // expected-note@+1 {{but on cuda:0 because this relay.on_device constrains its operand}}
  %1 = relay.on_device %x {virtual_device = "cuda:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// A result that is fixed cannot be copied for another operand.
func.func @operands(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note@+1 {{because this relay.on_device constrains its result}}
  %0 = relay.on_device %x {virtual_device = "cpu:0", constrain_result = true} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-note@+1 {{because this relay.on_device constrains its result}}
  %1 = relay.on_device %y {virtual_device = "cuda:0", constrain_result = true} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{'relay.add' op needs its operands and its results on one device, and nothing allows a copy}}
  %2 = relay.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// expected-note@+1 {{because the result of @declared is declared there}}
func.func @declared(%x: tensor<4xf32> {relay.virtual_device = "cpu:0"}) -> tensor<4xf32> attributes {relay.virtual_device = "cuda:0"} {
  // expected-note@-1 {{because parameter 0 of @declared is declared there}}
  // expected-error@+1 {{'func.return' op needs what is returned and the function's result on one device}}
  return %x : tensor<4xf32>
}

// -----

// A function is for one choice of devices.
func.func @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note@+1 {{on cpu:0 because this relay.on_device constrains its operand}}
  %0 = relay.on_device %x {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note@+1 {{on cuda:0 because this relay.on_device constrains its result}}
  %0 = relay.on_device %x {virtual_device = "cuda:0", constrain_result = true} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{'func.call' op needs argument 0 and the parameter of @callee on one device}}
  %1 = call @callee(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// A copy of a reference would be another reference.
func.func @copied_reference(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = relay.ref_create %x : (tensor<4xf32>) -> !relay.ref<tensor<4xf32>>
  // expected-error@+3 {{'relay.device_copy' op needs its operand and its result, which cannot be copied, on one device}}
  // expected-note@+2 {{because this relay.device_copy reads it there}}
  // expected-note@+1 {{because this relay.device_copy writes it there}}
  %0 = relay.device_copy %r {src_virtual_device = "cpu:0", dst_virtual_device = "cuda:0"} : (!relay.ref<tensor<4xf32>>) -> !relay.ref<tensor<4xf32>>
  %1 = relay.ref_read %0 : (!relay.ref<tensor<4xf32>>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// The host computes shapes.
func.func @shape(%x: tensor<?xf32>) -> tensor<1xi64> {
  // expected-note@+1 {{needed on cpu:0 because shapes are computed on the host}}
  %0 = relay.shape_of %x {dtype = i64} : (tensor<?xf32>) -> tensor<1xi64>
  // expected-error@+2 {{'relay.on_device' op needs this value on one device}}
  // expected-note@+1 {{but on cuda:0 because this relay.on_device constrains its operand}}
  %1 = relay.on_device %0 {virtual_device = "cuda:0", constrain_result = true} : (tensor<1xi64>) -> tensor<1xi64>
  return %1 : tensor<1xi64>
}

// -----

func.func @incomplete(%x: tensor<4xf32>) -> !relay.incomplete {
  // expected-error@+1 {{has types that are to be inferred; run infer-type before}}
  %0 = relay.on_device %x {virtual_device = "cpu:0"} : (tensor<4xf32>) -> !relay.incomplete
  return %0 : !relay.incomplete
}

// -----

// expected-error@+1 {{has a wrong 'relay.virtual_device': 'gpu' is no kind of device}}
func.func @parameter(%x: tensor<4xf32> {relay.virtual_device = "gpu"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
