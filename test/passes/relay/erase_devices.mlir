// RUN: relay-opt %s --erase-devices | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg0: tensor<4xf32> {relay.name = "x"}, %arg1: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT: %[[F:.+]] = relay.fn(%y: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT: %[[N:.+]] = relay.negative %y
// CHECK-NEXT: relay.yield %[[N]]
// CHECK: %[[C:.+]] = relay.call %[[F]](%arg0)
// CHECK-NEXT: %[[A:.+]] = relay.add %[[C]], %arg1
// CHECK-NEXT: return %[[A]]
func.func @main(%x: tensor<4xf32> {relay.name = "x", relay.virtual_device = "cpu:0"}, %z: tensor<4xf32> {relay.virtual_device = "cpu:1"}) -> tensor<4xf32> attributes {relay.virtual_device = "cpu:1"} {
  %f = relay.fn(%y: tensor<4xf32>) -> tensor<4xf32> attributes {relay.param_devices = ["cpu:0"], relay.virtual_device = "cpu:0"} {
    %0 = relay.negative %y : (tensor<4xf32>) -> tensor<4xf32>
    %1 = relay.on_device %0 {virtual_device = "cpu", constrain_result = true} : (tensor<4xf32>) -> tensor<4xf32>
    relay.yield %1 : tensor<4xf32>
  }
  %2 = relay.call %f(%x) : ((tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.on_device %2 {virtual_device = "cpu:0", constrain_result = true} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = relay.device_copy %3 {src_virtual_device = "cpu:0", dst_virtual_device = "cpu:1"} : (tensor<4xf32>) -> tensor<4xf32>
  %5 = relay.add %4, %z : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %5 : tensor<4xf32>
}

// What has no devices stays as it is; a memory alone is one of the processor's.
// CHECK-LABEL: func.func @plain(
// CHECK-SAME: %arg0: tensor<4xf32> {relay.name = "x"}) -> tensor<4xf32> {
// CHECK-NEXT: %[[A:.+]] = relay.abs %arg0
// CHECK-NEXT: return %[[A]]
func.func @plain(%x: tensor<4xf32> {relay.name = "x"}) -> tensor<4xf32> {
  %0 = relay.on_device %x {virtual_device = "@global"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.abs %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
