// RUN: relay-opt %s | relay-opt | FileCheck %s

// CHECK-LABEL: func.func @nonzero
func.func @nonzero(%x: tensor<2x3xf32>, %y: tensor<?x3xi1, ["n"]>, %z: tensor<f32>) {
  // CHECK: relay.nonzero {{.*}} : (tensor<2x3xf32>) -> (tensor<2x6xi64>, tensor<i64>)
  %0:2 = relay.nonzero %x : (tensor<2x3xf32>) -> (tensor<2x6xi64>, tensor<i64>)
  // CHECK: relay.nonzero {{.*}} -> (tensor<2x?xi64, ["3*n"]>, tensor<i64>)
  %1:2 = relay.nonzero %y : (tensor<?x3xi1, ["n"]>) -> (tensor<2x?xi64, ["3*n"]>, tensor<i64>)
  // CHECK: relay.nonzero {{.*}} -> (tensor<0x1xi64>, tensor<i64>)
  %2:2 = relay.nonzero %z : (tensor<f32>) -> (tensor<0x1xi64>, tensor<i64>)
  return
}

// CHECK-LABEL: func.func @prefix
func.func @prefix(%x: tensor<2x6xi64>) {
  // CHECK: relay.prefix {{.*}} -> tensor<2x?xi64, ["k"]>
  %0 = relay.prefix %x {axis = -1 : i64, extent = ["k"]} : (tensor<2x6xi64>) -> tensor<2x?xi64, ["k"]>
  // CHECK: relay.prefix {{.*}} -> tensor<1x6xi64>
  %1 = relay.prefix %x {axis = 0 : i64, extent = array<i64: 1>} : (tensor<2x6xi64>) -> tensor<1x6xi64>
  return
}

// CHECK-LABEL: func.func @boxes
func.func @boxes(%b: tensor<1x9x4xf32>, %s: tensor<1x3x9xf32>, %n: tensor<i64>, %t: tensor<f32>) {
  // CHECK: relay.vision.all_class_non_max_suppression {{.*}} -> (tensor<12x3xi64>, tensor<i64>)
  %0:2 = relay.vision.all_class_non_max_suppression %b, %s, %n, %t, %t {most = array<i64: 4>}
    : (tensor<1x9x4xf32>, tensor<1x3x9xf32>, tensor<i64>, tensor<f32>, tensor<f32>) -> (tensor<12x3xi64>, tensor<i64>)
  return
}

// CHECK-LABEL: func.func @boxes_for_onnx(
func.func @boxes_for_onnx(%b: tensor<1x9x4xf32>, %s: tensor<1x3x9xf32>, %n: tensor<i64>, %t: tensor<f32>) {
  // CHECK: relay.vision.all_class_non_max_suppression {{.*}} {output_format = "onnx"} : {{.*}} -> (tensor<27x3xi64>, tensor<1xi64>)
  %0:2 = relay.vision.all_class_non_max_suppression %b, %s, %n, %t, %t {output_format = "onnx"}
    : (tensor<1x9x4xf32>, tensor<1x3x9xf32>, tensor<i64>, tensor<f32>, tensor<f32>) -> (tensor<27x3xi64>, tensor<1xi64>)
  return
}
