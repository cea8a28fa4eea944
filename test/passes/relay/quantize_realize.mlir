// RUN: relay-opt %s --split-input-file --quantize-realize --verify-diagnostics | FileCheck %s

// Data are quantised where they are computed, and bytes are moved. The model holds the weight's bytes.
// CHECK-LABEL: func.func @dense(
// CHECK: %[[X:.+]] = relay.nn.relu %arg0
// CHECK-DAG: %[[S:.+]] = relay.constant dense<5.000000e-01> : tensor<f32>
// CHECK-DAG: %[[Z:.+]] = relay.constant dense<100> : tensor<i32>
// CHECK: %[[Q:.+]] = relay.qnn.quantize %[[X]], %[[S]], %[[Z]] {axis = 0 : i64, out_dtype = ui8}
// CHECK: %[[D:.+]] = relay.qnn.dequantize %[[Q]], %[[S]], %[[Z]]
// CHECK: %[[R:.+]] = relay.reshape %[[D]]
// CHECK: %[[B:.+]] = relay.constant dense<{{\[\[}}2, -128], [127, 0]]> : tensor<2x2xi8>
// CHECK: %[[W:.+]] = relay.qnn.dequantize %[[B]],
// CHECK: relay.nn.dense %[[R]], %[[W]]
func.func @dense(%x: tensor<2x1xf32>) -> tensor<1x2xf32> {
  %s = relay.constant dense<0.5> : tensor<f32>
  %l = relay.constant dense<-100.0> : tensor<f32>
  %h = relay.constant dense<155.0> : tensor<f32>
  %sw = relay.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %lw = relay.constant dense<-128.0> : tensor<f32>
  %hw = relay.constant dense<127.0> : tensor<f32>
  %w = relay.constant dense<[[1.0, -100.0], [100.0, 0.0]]> : tensor<2x2xf32>
  %0 = relay.nn.relu %x : (tensor<2x1xf32>) -> tensor<2x1xf32>
  %1 = relay.reshape %0 {newshape = array<i64: 1, 2>} : (tensor<2x1xf32>) -> tensor<1x2xf32>
  %2 = relay.op.annotation.simulated_quantize %1, %s, %l, %h {kind = 1 : i64, sign = false, tensor = "x"} : (tensor<1x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2xf32>
  %3 = relay.op.annotation.simulated_quantize %w, %sw, %lw, %hw {kind = 2 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %4 = relay.nn.dense %2, %3 : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  return %4 : tensor<1x2xf32>
}

// Without marks there is nothing to do.
// CHECK-LABEL: func.func @plain(
// CHECK-NOT: qnn
// CHECK: return
func.func @plain(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = relay.nn.relu %x : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @open(%x: tensor<2xf32>) -> tensor<2xf32> {
  %none = relay.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{has no scale; quantize-calibrate chooses one, so run that first}}
  %0 = relay.op.annotation.simulated_quantize %x, %none, %none, %none {kind = 1 : i64} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @narrow(%x: tensor<2xf32>) -> tensor<2xf32> {
  %s = relay.constant dense<0.5> : tensor<f32>
  // expected-error@+1 {{does not clip to the 256 numbers of bytes}}
  %0 = relay.op.annotation.simulated_quantize %x, %s, %s, %s {kind = 1 : i64} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
