// Whole regions on integers, as TVM converts them.
// RUN: split-file %s %t
// RUN: relay-opt %t/regions.mlir --fake-quantization-to-integer=all=true | FileCheck %s
// RUN: not relay-opt %t/unknown.mlir --fake-quantization-to-integer="all=true hard-fail=true" 2>&1 | FileCheck %s --check-prefix=FAIL
// RUN: relay-opt %t/unknown.mlir --fake-quantization-to-integer="all=true" | FileCheck %s --check-prefix=KEPT
// RUN: relay-opt %t/unknown.mlir --fake-quantization-to-integer="all=true optional-qat=true" | FileCheck %s --check-prefix=QAT

// FAIL: 'relay.cos' op has no form on integers, but is between qnn.dequantize and qnn.quantize; leave hard-fail out to keep its floats
// KEPT: relay.sigmoid %{{.+}} : (tensor<3xf32>)
// QAT: relay.qnn.sigmoid
// QAT: relay.qnn.dequantize
// QAT: relay.cos

//--- regions.mlir
// CHECK-LABEL: func.func @block(
// CHECK: %[[SUMS:.+]] = relay.qnn.conv2d
// CHECK: %[[BIAS:.+]] = relay.qnn.quantize %{{.+}} {axis = 0 : i64, out_dtype = i32}
// CHECK: %[[BIASED:.+]] = relay.nn.bias_add %[[SUMS]], %[[BIAS]]
// CHECK: %[[RELU:.+]] = relay.maximum %[[BIASED]]
// CHECK: %[[LHS:.+]] = relay.qnn.requantize %[[RELU]], %{{.+}} {axis = 1 : i64, out_dtype = i32}
// CHECK: %[[RHS:.+]] = relay.qnn.requantize %arg0, %{{.+}} {out_dtype = i32}
// CHECK: %[[ADD:.+]] = relay.qnn.add %[[LHS]], %[[RHS]]
// CHECK: %[[RESULT:.+]] = relay.qnn.requantize %[[ADD]], %{{.+}} {out_dtype = ui8}
// CHECK: return %[[RESULT]]
func.func @block(%x: tensor<1x2x5x5xui8>) -> tensor<1x2x5x5xui8> {
  %sx = relay.constant dense<0.5> : tensor<f32>
  %zx = relay.constant dense<3> : tensor<i32>
  %so = relay.constant dense<0.75> : tensor<f32>
  %zo = relay.constant dense<7> : tensor<i32>
  %w = relay.constant dense<3> : tensor<2x2x3x3xi8>
  %sw = relay.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %zw = relay.constant dense<0> : tensor<i32>
  %bias = relay.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = relay.qnn.dequantize %x, %sx, %zx : (tensor<1x2x5x5xui8>, tensor<f32>, tensor<i32>) -> tensor<1x2x5x5xf32>
  %1 = relay.qnn.dequantize %w, %sw, %zw {axis = 0} : (tensor<2x2x3x3xi8>, tensor<2xf32>, tensor<i32>) -> tensor<2x2x3x3xf32>
  %2 = relay.nn.conv2d %0, %1 {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x2x5x5xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x5x5xf32>
  %3 = relay.nn.bias_add %2, %bias : (tensor<1x2x5x5xf32>, tensor<2xf32>) -> tensor<1x2x5x5xf32>
  %4 = relay.nn.relu %3 : (tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
  %5 = relay.add %4, %0 : (tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
  %6 = relay.qnn.quantize %5, %so, %zo {out_dtype = ui8} : (tensor<1x2x5x5xf32>, tensor<f32>, tensor<i32>) -> tensor<1x2x5x5xui8>
  return %6 : tensor<1x2x5x5xui8>
}

// CHECK-LABEL: func.func @pools(
// CHECK: %[[POOL:.+]] = relay.qnn.avg_pool2d %arg0
// CHECK: %[[JOINED:.+]] = relay.qnn.concatenate %[[POOL]], %[[POOL]],
// CHECK: return %[[JOINED]]
func.func @pools(%x: tensor<1x2x4x4xui8>) -> tensor<1x4x2x2xui8> {
  %sx = relay.constant dense<0.5> : tensor<f32>
  %zx = relay.constant dense<3> : tensor<i32>
  %so = relay.constant dense<0.75> : tensor<f32>
  %0 = relay.qnn.dequantize %x, %sx, %zx : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<i32>) -> tensor<1x2x4x4xf32>
  %1 = relay.nn.avg_pool2d %0 {pool_size = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32>
  %2 = relay.concatenate %1, %1 {axis = 1} : (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x4x2x2xf32>
  %3 = relay.qnn.quantize %2, %so, %zx {out_dtype = ui8} : (tensor<1x4x2x2xf32>, tensor<f32>, tensor<i32>) -> tensor<1x4x2x2xui8>
  return %3 : tensor<1x4x2x2xui8>
}

//--- unknown.mlir
func.func @cos(%x: tensor<3xui8>) -> tensor<3xui8> {
  %s = relay.constant dense<0.5> : tensor<f32>
  %z = relay.constant dense<3> : tensor<i32>
  %0 = relay.qnn.dequantize %x, %s, %z : (tensor<3xui8>, tensor<f32>, tensor<i32>) -> tensor<3xf32>
  %1 = relay.sigmoid %0 : (tensor<3xf32>) -> tensor<3xf32>
  %2 = relay.cos %1 : (tensor<3xf32>) -> tensor<3xf32>
  %3 = relay.qnn.quantize %2, %s, %z {out_dtype = ui8} : (tensor<3xf32>, tensor<f32>, tensor<i32>) -> tensor<3xui8>
  return %3 : tensor<3xui8>
}
