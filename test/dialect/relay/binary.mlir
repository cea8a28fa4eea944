// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @broadcast
func.func @broadcast(%x: tensor<2x1x3xf32>, %y: tensor<4x1xf32>) -> tensor<2x4x3xf32> {
  // CHECK: relay.add %{{.+}}, %{{.+}} : (tensor<2x1x3xf32>, tensor<4x1xf32>) -> tensor<2x4x3xf32>
  %0 = relay.add %x, %y : (tensor<2x1x3xf32>, tensor<4x1xf32>) -> tensor<2x4x3xf32>
  // CHECK: relay.less {{.*}} -> tensor<2x4x3xi1>
  %1 = relay.less %0, %y : (tensor<2x4x3xf32>, tensor<4x1xf32>) -> tensor<2x4x3xi1>
  // CHECK: relay.where
  %2 = relay.where %1, %0, %y : (tensor<2x4x3xi1>, tensor<2x4x3xf32>, tensor<4x1xf32>) -> tensor<2x4x3xf32>
  return %2 : tensor<2x4x3xf32>
}

// CHECK-LABEL: func.func @logical
func.func @logical(%x: tensor<2x1xi1>, %y: tensor<3xi1>) -> tensor<2x3xi1> {
  // CHECK: relay.logical_and %{{.+}}, %{{.+}} : (tensor<2x1xi1>, tensor<3xi1>) -> tensor<2x3xi1>
  %0 = relay.logical_and %x, %y : (tensor<2x1xi1>, tensor<3xi1>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// An unknown dimension beside a known one is taken to be equal to it.
// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%x: tensor<?x3xf32>, %y: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // CHECK: relay.add
  %0 = relay.add %x, %y : (tensor<?x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
