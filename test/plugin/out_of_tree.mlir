// A pass from a crate outside of the workspace (examples/pass_plugin) runs in relay-opt and in
// stock mlir-opt.
// RUN: cd %examples/pass_plugin && cargo build --quiet --offline --target-dir %target
// DEFINE: %{gelu} = %target/debug/libreplace_gelu.so
// DEFINE: %{relay-opt} = relay-opt --load-pass-plugin=%{gelu} %s
// DEFINE: %{mlir-opt} = mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%{gelu} %s
// RUN: %{relay-opt} --replace-gelu | FileCheck %s
// RUN: %{mlir-opt} --replace-gelu | FileCheck %s
// RUN: %{relay-opt} --replace-gelu=with=sigmoid | FileCheck %s --check-prefix=SIGMOID
// RUN: not %{relay-opt} --replace-gelu=with=relu 2>&1 | FileCheck %s --check-prefix=WRONG

// It stands in pipelines beside the project's passes and upstream's, whichever plugin was first.
// RUN: %{relay-opt} --pass-pipeline='builtin.module(func.func(replace-gelu),cse,dead-code-elimination,fuse-ops)' | FileCheck %s --check-prefix=FUSED
// RUN: %{mlir-opt} --load-pass-plugin=%plugin --attach-target --replace-gelu --dead-code-elimination --fuse-ops | FileCheck %s --check-prefix=FUSED
// RUN: mlir-opt --load-pass-plugin=%{gelu} --load-pass-plugin=%plugin --load-dialect-plugin=%plugin %s --attach-target --replace-gelu --dead-code-elimination --fuse-ops --relay-to-te --lower-te | FileCheck %s --check-prefix=LOWERED

// WRONG: error: 'func.func' op cannot replace GELU with 'relu', only tanh or sigmoid
// FUSED: call @fused_{{.*}}tanh
// LOWERED: math.tanh

// As PyTorch exports it.
// CHECK-LABEL: func.func @exported
// CHECK-NOT: relay.erf
// CHECK: relay.tanh
// CHECK: %[[GATE:.*]] = relay.add
// CHECK: %[[HALF:.*]] = relay.multiply %arg0
// CHECK: %[[GELU:.*]] = relay.multiply %[[HALF]], %[[GATE]]
// CHECK: return %[[GELU]]
// SIGMOID-LABEL: func.func @exported
// SIGMOID: %[[X:.*]] = relay.multiply %arg0
// SIGMOID: %[[GATE:.*]] = relay.sigmoid %[[X]]
// SIGMOID: %[[GELU:.*]] = relay.multiply %arg0, %[[GATE]]
// SIGMOID: return %[[GELU]]
func.func @exported(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %root2 = relay.constant dense<1.41421354> : tensor<f32>
  %one = relay.constant dense<1.0> : tensor<f32>
  %half = relay.constant dense<0.5> : tensor<f32>
  %0 = relay.divide %x, %root2 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %1 = relay.erf %0 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = relay.add %1, %one : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %3 = relay.multiply %x, %2 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %4 = relay.multiply %3, %half : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  return %4 : tensor<2x4xf32>
}

// As the importer writes ONNX's Gelu, here of a product.
// CHECK-LABEL: func.func @imported
// CHECK: %[[X:.*]] = relay.multiply %arg0, %arg0
// CHECK-NOT: relay.erf
// CHECK: relay.tanh
// CHECK: relay.multiply %[[X]]
func.func @imported(%y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %scale = relay.constant dense<0.707106769> : tensor<f32>
  %one = relay.constant dense<1.0> : tensor<f32>
  %half = relay.constant dense<0.5> : tensor<f32>
  %x = relay.multiply %y, %y : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %0 = relay.multiply %x, %scale : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %1 = relay.erf %0 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = relay.add %1, %one : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %3 = relay.multiply %x, %half : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %4 = relay.multiply %3, %2 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %4 : tensor<2x4xf32>
}

// The gate is of another value; erf is of x / 2.
// CHECK-LABEL: func.func @others
// CHECK: relay.erf
// CHECK: relay.erf
// CHECK-NOT: relay.tanh
func.func @others(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %scale = relay.constant dense<0.707106769> : tensor<f32>
  %one = relay.constant dense<1.0> : tensor<f32>
  %half = relay.constant dense<0.5> : tensor<f32>
  %0 = relay.multiply %y, %scale : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %1 = relay.erf %0 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = relay.add %1, %one : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %3 = relay.multiply %x, %half : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %4 = relay.multiply %3, %2 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %5 = relay.erf %3 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %6 = relay.add %5, %one : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %7 = relay.multiply %3, %6 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %4, %7 : tensor<2x4xf32>, tensor<2x4xf32>
}
