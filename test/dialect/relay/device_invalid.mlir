// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @kind(%x: tensor<4xf32>) {
  // expected-error@+1 {{'relay.on_device' op 'gpu' is no kind of device; kinds are cpu, cuda, opencl, vulkan, metal, rocm, ext_dev, webgpu, hexagon (C1)}}
  %0 = relay.on_device %x {virtual_device = "gpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @number(%x: tensor<4xf32>) {
  // expected-error@+1 {{'relay.on_device' op 'cpu:first' has something else than the number of a device after ':' (C1)}}
  %0 = relay.on_device %x {virtual_device = "cpu:first"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @memory(%x: tensor<4xf32>) {
  // expected-error@+1 {{'relay.on_device' op 'cpu@' names no memory after '@' (C1)}}
  %0 = relay.on_device %x {virtual_device = "cpu@"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @nothing(%x: tensor<4xf32>) {
  // expected-error@+1 {{'relay.on_device' op constrains values, but names no device (C2)}}
  %0 = relay.on_device %x : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @copy_kind(%x: tensor<4xf32>) {
  // expected-error@+1 {{'relay.device_copy' op 'disk' is no kind of device}}
  %0 = relay.device_copy %x {src_virtual_device = "cpu", dst_virtual_device = "disk"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @copy_from_nowhere(%x: tensor<4xf32>) {
  // expected-error@+1 {{'relay.device_copy' op src_virtual_device names no device (C1)}}
  %0 = relay.device_copy %x {src_virtual_device = "", dst_virtual_device = "cpu"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @other_type(%x: tensor<4xf32>) {
  // expected-error@+2 {{'relay.on_device' op inferred type(s) 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<4xi32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.on_device %x {virtual_device = "cpu"} : (tensor<4xf32>) -> tensor<4xi32>
  return
}
