// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @marks(
func.func @marks(%x: tensor<2x3xf32>, %s: tensor<f32>) -> tensor<2x3xf32> {
  // CHECK: relay.annotation.compiler_begin %{{.*}} {compiler = "dnnl"}
  %0 = relay.annotation.compiler_begin %x {compiler = "dnnl"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: relay.annotation.compiler_end %{{.*}} {compiler = "dnnl"}
  %1 = relay.annotation.compiler_end %0 {compiler = "dnnl"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: relay.annotation.stop_fusion
  %2 = relay.annotation.stop_fusion %1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: relay.annotation.checkpoint
  %3 = relay.annotation.checkpoint %2 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: relay.annotation.cast_hint %{{.*}} {dtype = i8}
  %4 = relay.annotation.cast_hint %3 {dtype = i8} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: relay.op.annotation.simulated_quantize %{{.*}} {kind = 2 : i64}
  %5 = relay.op.annotation.simulated_quantize %4, %s, %s, %s {kind = 2 : i64} : (tensor<2x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x3xf32>
  return %5 : tensor<2x3xf32>
}
