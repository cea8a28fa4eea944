// RUN: relay-opt %s --aot-lower-main --split-input-file --verify-diagnostics

// expected-error@+1 {{has a parameter or result of type tensor<?xf32>; lowering needs tensors whose extents are numbers or named}}
func.func @dynamic(%a: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}

// -----

func.func @unfused(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{is not lowered here: run fuse-ops first}}
  %0 = relay.nn.relu %a : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @copied(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{is not lowered here: run erase-devices first}}
  %0 = relay.device_copy %a {src_virtual_device = "cpu:0", dst_virtual_device = "cpu:1"} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// expected-error@+1 {{is no kernel yet: run relay-to-te and lower-te before aot-lower-main}}
func.func private @fused(%a: tensor<2xf32>) -> tensor<2xf32> attributes {relay.primitive} {
  %0 = relay.nn.relu %a : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @missing(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{calls 'nothing', which is not in the module}}
  %0 = relay.call_lowered @nothing(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// expected-error@+1 {{writes parameter 0 and only reads parameter 1: the outputs follow the inputs}}
func.func @main(%y: memref<4xf32>, %x: memref<4xf32>) {
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  return
}
