// Stock mlir-opt reads our dialects and runs our passes beside its own.
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(cse,attach-target,fuse-ops)' %s | FileCheck %s

// CHECK: call @fused_add_relu
// CHECK: func.func private @fused_add_relu
// CHECK-SAME: attributes {relay.primitive}
func.func @main(%x: tensor<1x3xf32>, %b: tensor<3xf32>) -> tensor<1x3xf32> {
  %0 = relay.add %x, %b : (tensor<1x3xf32>, tensor<3xf32>) -> tensor<1x3xf32>
  %1 = relay.nn.relu %0 : (tensor<1x3xf32>) -> tensor<1x3xf32>
  return %1 : tensor<1x3xf32>
}
