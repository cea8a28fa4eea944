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

// CHECK-LABEL: func.func @every_arithmetic
func.func @every_arithmetic(%x: tensor<2x1xf32>, %y: tensor<3xf32>) -> tensor<2x3xf32> {
  // CHECK: relay.add %{{.+}}, %{{.+}} : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %0 = relay.add %x, %y : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: relay.subtract %{{.+}}, %{{.+}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %1 = relay.subtract %0, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: relay.multiply %{{.+}}, %{{.+}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %2 = relay.multiply %1, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: relay.divide %{{.+}}, %{{.+}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %3 = relay.divide %2, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: relay.power %{{.+}}, %{{.+}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %4 = relay.power %3, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: relay.maximum %{{.+}}, %{{.+}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %5 = relay.maximum %4, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: relay.minimum %{{.+}}, %{{.+}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %6 = relay.minimum %5, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: relay.mod %{{.+}}, %{{.+}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %7 = relay.mod %6, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: relay.floor_divide %{{.+}}, %{{.+}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %8 = relay.floor_divide %7, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: relay.floor_mod %{{.+}}, %{{.+}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %9 = relay.floor_mod %8, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %9 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @every_boolean
func.func @every_boolean(%x: tensor<2x1xi32>, %y: tensor<3xi32>, %c: tensor<2x1xi1>) -> tensor<2x3xi1> {
  // CHECK: relay.equal %{{.+}}, %{{.+}} : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi1>
  %0 = relay.equal %x, %y : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi1>
  // CHECK: relay.not_equal %{{.+}}, %{{.+}} : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi1>
  %1 = relay.not_equal %x, %y : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi1>
  // CHECK: relay.less %{{.+}}, %{{.+}} : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi1>
  %2 = relay.less %x, %y : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi1>
  // CHECK: relay.less_equal %{{.+}}, %{{.+}} : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi1>
  %3 = relay.less_equal %x, %y : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi1>
  // CHECK: relay.greater %{{.+}}, %{{.+}} : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi1>
  %4 = relay.greater %x, %y : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi1>
  // CHECK: relay.greater_equal %{{.+}}, %{{.+}} : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi1>
  %5 = relay.greater_equal %x, %y : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi1>
  // CHECK: relay.logical_and %{{.+}}, %{{.+}} : (tensor<2x3xi1>, tensor<2x1xi1>) -> tensor<2x3xi1>
  %6 = relay.logical_and %5, %c : (tensor<2x3xi1>, tensor<2x1xi1>) -> tensor<2x3xi1>
  // CHECK: relay.logical_or %{{.+}}, %{{.+}} : (tensor<2x3xi1>, tensor<2x1xi1>) -> tensor<2x3xi1>
  %7 = relay.logical_or %6, %c : (tensor<2x3xi1>, tensor<2x1xi1>) -> tensor<2x3xi1>
  // CHECK: relay.logical_xor %{{.+}}, %{{.+}} : (tensor<2x3xi1>, tensor<2x1xi1>) -> tensor<2x3xi1>
  %8 = relay.logical_xor %7, %c : (tensor<2x3xi1>, tensor<2x1xi1>) -> tensor<2x3xi1>
  return %8 : tensor<2x3xi1>
}

// CHECK-LABEL: func.func @every_integer
func.func @every_integer(%x: tensor<2x1xi8>, %y: tensor<3xi8>) -> tensor<2x3xi8> {
  // CHECK: relay.bitwise_and %{{.+}}, %{{.+}} : (tensor<2x1xi8>, tensor<3xi8>) -> tensor<2x3xi8>
  %0 = relay.bitwise_and %x, %y : (tensor<2x1xi8>, tensor<3xi8>) -> tensor<2x3xi8>
  // CHECK: relay.bitwise_or %{{.+}}, %{{.+}} : (tensor<2x3xi8>, tensor<3xi8>) -> tensor<2x3xi8>
  %1 = relay.bitwise_or %0, %y : (tensor<2x3xi8>, tensor<3xi8>) -> tensor<2x3xi8>
  // CHECK: relay.bitwise_xor %{{.+}}, %{{.+}} : (tensor<2x3xi8>, tensor<3xi8>) -> tensor<2x3xi8>
  %2 = relay.bitwise_xor %1, %y : (tensor<2x3xi8>, tensor<3xi8>) -> tensor<2x3xi8>
  // CHECK: relay.left_shift %{{.+}}, %{{.+}} : (tensor<2x3xi8>, tensor<3xi8>) -> tensor<2x3xi8>
  %3 = relay.left_shift %2, %y : (tensor<2x3xi8>, tensor<3xi8>) -> tensor<2x3xi8>
  // CHECK: relay.right_shift %{{.+}}, %{{.+}} : (tensor<2x3xi8>, tensor<3xi8>) -> tensor<2x3xi8>
  %4 = relay.right_shift %3, %y : (tensor<2x3xi8>, tensor<3xi8>) -> tensor<2x3xi8>
  // CHECK: relay.trunc_divide %{{.+}}, %{{.+}} : (tensor<2x3xi8>, tensor<3xi8>) -> tensor<2x3xi8>
  %5 = relay.trunc_divide %4, %y : (tensor<2x3xi8>, tensor<3xi8>) -> tensor<2x3xi8>
  // CHECK: relay.trunc_mod %{{.+}}, %{{.+}} : (tensor<2x3xi8>, tensor<3xi8>) -> tensor<2x3xi8>
  %6 = relay.trunc_mod %5, %y : (tensor<2x3xi8>, tensor<3xi8>) -> tensor<2x3xi8>
  return %6 : tensor<2x3xi8>
}

// An unknown dimension beside a known one is taken to be equal to it.
// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%x: tensor<?x3xf32>, %y: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // CHECK: relay.add
  %0 = relay.add %x, %y : (tensor<?x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
