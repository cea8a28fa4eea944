// RUN: relay-opt %s --erase-devices --split-input-file --verify-diagnostics

func.func @mark(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{'relay.on_device' op puts the result of 'relay.abs' on cuda:0, but code is generated for cpu only: name a cpu device there, or give the operators to an external code generator, which partition-graph does}}
  %1 = relay.on_device %0 {virtual_device = "cuda:0"} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @copy(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'relay.device_copy' op puts a copy of a parameter on opencl:1@texture, but code is generated for cpu only}}
  %0 = relay.device_copy %x {src_virtual_device = "cpu:0", dst_virtual_device = "opencl:1@texture"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error@+1 {{'func.func' op puts parameter 1 on vulkan, but code is generated for cpu only}}
func.func @parameter(%x: tensor<4xf32>, %y: tensor<4xf32> {relay.virtual_device = "vulkan"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @closure(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'relay.fn' op puts its result on cuda:0, but code is generated for cpu only}}
  %f = relay.fn(%y: tensor<4xf32>) -> tensor<4xf32> attributes {relay.virtual_device = "cuda:0"} {
    relay.yield %y : tensor<4xf32>
  }
  %0 = relay.call %f(%x) : ((tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
