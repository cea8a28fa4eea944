// RUN: %roundtrip | FileCheck %s

// What is as usual is not written.
// CHECK-LABEL: func.func @tensors
// CHECK-SAME: relay.virtual_device = "cuda:0"
// CHECK-SAME: attributes {relay.virtual_device = "cpu:1@global"}
func.func @tensors(%x: tensor<4xf32> {relay.virtual_device = "cuda:0"}) -> tensor<4xf32> attributes {relay.virtual_device = "cpu:1@global"} {
  // CHECK: relay.on_device %arg0 {virtual_device = "cuda"} : (tensor<4xf32>) -> tensor<4xf32>
  %0 = relay.on_device %x {virtual_device = "cuda", constrain_body = true, constrain_result = false} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: relay.on_device %{{.+}} {constrain_result = true, virtual_device = "@shared"}
  %1 = relay.on_device %0 {virtual_device = "@shared", constrain_result = true} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: relay.on_device %{{.+}} {constrain_body = false}
  %2 = relay.on_device %1 {constrain_body = false} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: relay.device_copy %{{.+}} {dst_virtual_device = "cpu:1@global", src_virtual_device = "cuda:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.device_copy %2 {src_virtual_device = "cuda:0", dst_virtual_device = "cpu:1@global"} : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// Values of any type lie on devices.
// CHECK-LABEL: func.func @others
func.func @others(%t: tuple<tensor<f32>>, %f: (tensor<f32>) -> tensor<f32>) -> tuple<tensor<f32>> {
  // CHECK: relay.on_device %arg0 {virtual_device = "cpu:0"} : (tuple<tensor<f32>>) -> tuple<tensor<f32>>
  %0 = relay.on_device %t {virtual_device = "cpu:0"} : (tuple<tensor<f32>>) -> tuple<tensor<f32>>
  // CHECK: relay.on_device %arg1 {virtual_device = "cpu:0"} : ((tensor<f32>) -> tensor<f32>) -> ((tensor<f32>) -> tensor<f32>)
  %1 = relay.on_device %f {virtual_device = "cpu:0"} : ((tensor<f32>) -> tensor<f32>) -> ((tensor<f32>) -> tensor<f32>)
  // CHECK: relay.fn(%x: tensor<f32>) -> tensor<f32> attributes {relay.param_devices = ["cpu:0"], relay.virtual_device = "cuda:0"}
  %2 = relay.fn(%x: tensor<f32>) -> tensor<f32> attributes {relay.param_devices = ["cpu:0"], relay.virtual_device = "cuda:0"} {
    relay.yield %x : tensor<f32>
  }
  return %0 : tuple<tensor<f32>>
}
