// RUN: relay-opt %s | relay-opt | FileCheck %s

// CHECK-LABEL: func.func @requantize(
func.func @requantize(%x: tensor<2x3xi32>, %s: tensor<f32>, %z: tensor<i32>, %rows: tensor<2xf32>) {
  // CHECK: relay.qnn.requantize {{.*}} {out_dtype = i8} : {{.*}} -> tensor<2x3xi8>
  %0 = relay.qnn.requantize %x, %s, %z, %s, %z {out_dtype = i8}
      : (tensor<2x3xi32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<2x3xi8>
  // CHECK: relay.qnn.requantize {{.*}} {axis = 0 : i64, compute_dtype = "int64", out_dtype = ui8, rounding = "TFLITE"} : {{.*}} -> tensor<2x3xui8>
  %1 = relay.qnn.requantize %x, %rows, %z, %s, %z {axis = 0, compute_dtype = "int64", out_dtype = ui8, rounding = "TFLITE"}
      : (tensor<2x3xi32>, tensor<2xf32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<2x3xui8>
  return
}

// CHECK-LABEL: func.func @simulated(
func.func @simulated(%x: tensor<2x3xf32>, %code: tensor<i32>, %s: tensor<1xf32>, %z: tensor<3xi32>) {
  // CHECK: relay.qnn.simulated_quantize {{.*}} -> tensor<2x3xf32>
  %0 = relay.qnn.simulated_quantize %x, %code, %s, %z : (tensor<2x3xf32>, tensor<i32>, tensor<1xf32>, tensor<3xi32>) -> tensor<2x3xf32>
  // CHECK: relay.qnn.simulated_dequantize {{.*}} -> tensor<2x3xf32>
  %1 = relay.qnn.simulated_dequantize %0, %code, %s, %z : (tensor<2x3xf32>, tensor<i32>, tensor<1xf32>, tensor<3xi32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @binary(
func.func @binary(%x: tensor<2x3xi8>, %y: tensor<3xi8>, %s: tensor<f32>, %z: tensor<i32>, %rows: tensor<2xf32>) {
  // CHECK: relay.qnn.add {{.*}} {lhs_axis = 0 : i64} : {{.*}} -> tensor<2x3xi8>
  %0 = relay.qnn.add %x, %y, %rows, %z, %s, %z, %s, %z {lhs_axis = 0}
      : (tensor<2x3xi8>, tensor<3xi8>, tensor<2xf32>, tensor<i32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<2x3xi8>
  // CHECK: relay.qnn.subtract {{.*}} -> tensor<2x3xi8>
  %1 = relay.qnn.subtract %x, %y, %s, %z, %s, %z, %s, %z
      : (tensor<2x3xi8>, tensor<3xi8>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<2x3xi8>
  // CHECK: relay.qnn.mul {{.*}} -> tensor<2x3xi8>
  %2 = relay.qnn.mul %x, %y, %s, %z, %s, %z, %s, %z
      : (tensor<2x3xi8>, tensor<3xi8>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<2x3xi8>
  // CHECK: relay.qnn.concatenate {{.*}} {axis = 0 : i64} : {{.*}} -> tensor<4x3xi8>
  %3 = relay.qnn.concatenate %x, %x, %s, %s, %z, %z, %s, %z {axis = 0}
      : (tensor<2x3xi8>, tensor<2x3xi8>, tensor<f32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<4x3xi8>
  return
}

// CHECK-LABEL: func.func @unary(
func.func @unary(%x: tensor<?x3xui8, ["n"]>, %y: tensor<1x2x6x6xi8>, %s: tensor<f32>, %z: tensor<i32>) {
  // CHECK: relay.qnn.tanh {{.*}} -> tensor<?x3xui8, ["n"]>
  %0 = relay.qnn.tanh %x, %s, %z, %s, %z : (tensor<?x3xui8, ["n"]>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<?x3xui8, ["n"]>
  // CHECK: relay.qnn.leaky_relu {{.*}} {alpha = 1.000000e-01 : f64}
  %1 = relay.qnn.leaky_relu %0, %s, %z, %s, %z {alpha = 0.1} : (tensor<?x3xui8, ["n"]>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<?x3xui8, ["n"]>
  // CHECK: relay.qnn.softmax {{.*}} {axis = 1 : i64}
  %2 = relay.qnn.softmax %y, %s, %z, %s, %z {axis = 1} : (tensor<1x2x6x6xi8>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<1x2x6x6xi8>
  // CHECK: relay.qnn.avg_pool2d {{.*}} -> tensor<1x2x5x4xi8>
  %3 = relay.qnn.avg_pool2d %2, %s, %z, %s, %z {pool_size = array<i64: 2, 3>}
      : (tensor<1x2x6x6xi8>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<1x2x5x4xi8>
  return
}
