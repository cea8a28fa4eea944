// RUN: relay-opt %s --quantize-annotate | FileCheck %s
// RUN: relay-opt %s --quantize-annotate=keep=dense | FileCheck %s --check-prefix=KEEP
// RUN: relay-opt %s --quantize-annotate="keep-first=true keep-last=true" | FileCheck %s --check-prefix=ENDS
// RUN: not relay-opt %s --quantize-annotate="keep=[" 2>&1 | FileCheck %s --check-prefix=PATTERN

// PATTERN: error: {{.*}}keep is no pattern

// A tensor that two products read has one mark; each weight has one along its outputs.
// CHECK-LABEL: func.func @products(
// CHECK-SAME: %[[X:.+]]: tensor<1x4x5x5xf32>
// CHECK: %[[D:.+]] = relay.op.annotation.simulated_quantize %[[X]], {{.*}} {kind = 1 : i64, tensor = "data of conv2d_0"}
// CHECK: %[[W:.+]] = relay.op.annotation.simulated_quantize %{{.*}} {{{.*}}kind = 2 : i64} : (tensor<4x4x3x3xf32>
// CHECK: relay.nn.conv2d %[[D]], %[[W]]
// CHECK: relay.op.annotation.simulated_quantize %{{.*}} {{{.*}}kind = 2 : i64} : (tensor<4x1x3x3xf32>
// CHECK: relay.nn.conv2d %[[D]],
// CHECK: relay.op.annotation.simulated_quantize %{{.*}} {{{.*}}axis = 1 : i64, kind = 2 : i64} : (tensor<36x2xf32>
// KEEP-LABEL: func.func @products(
// KEEP-COUNT-4: simulated_quantize
// KEEP: relay.nn.matmul
// KEEP-NOT: simulated_quantize
// KEEP: relay.nn.dense
// ENDS-LABEL: func.func @products(
// ENDS: relay.nn.conv2d %arg0
// ENDS: relay.op.annotation.simulated_quantize
// ENDS: relay.nn.matmul
// ENDS-NOT: simulated_quantize
// ENDS: relay.nn.dense
func.func @products(%x: tensor<1x4x5x5xf32>) -> tensor<1x3xf32> {
  %w = relay.constant dense<0.5> : tensor<4x4x3x3xf32>
  %d = relay.constant dense<0.5> : tensor<4x1x3x3xf32>
  %m = relay.constant dense<0.5> : tensor<36x2xf32>
  %l = relay.constant dense<0.5> : tensor<3x2xf32>
  %0 = relay.nn.conv2d %x, %w : (tensor<1x4x5x5xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x3x3xf32>
  %1 = relay.nn.conv2d %x, %d {groups = 4 : i64} : (tensor<1x4x5x5xf32>, tensor<4x1x3x3xf32>) -> tensor<1x4x3x3xf32>
  %2 = relay.add %0, %1 : (tensor<1x4x3x3xf32>, tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
  %3 = relay.nn.batch_flatten %2 : (tensor<1x4x3x3xf32>) -> tensor<1x36xf32>
  %4 = relay.nn.matmul %3, %m : (tensor<1x36xf32>, tensor<36x2xf32>) -> tensor<1x2xf32>
  %5 = relay.nn.dense %4, %l : (tensor<1x2xf32>, tensor<3x2xf32>) -> tensor<1x3xf32>
  return %5 : tensor<1x3xf32>
}

// A weight that is no constant stays as it is; so do other floats, and what is no product.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: simulated_quantize
// CHECK: return
func.func @others(%x: tensor<4x8xf32>, %w: tensor<2x8xf32>, %y: tensor<4x8xf16>) -> (tensor<4x2xf32>, tensor<4x2xf16>, tensor<4x8xf32>) {
  %h = relay.constant dense<0.5> : tensor<2x8xf16>
  %0 = relay.nn.dense %x, %w : (tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<4x2xf32>
  %1 = relay.nn.dense %y, %h : (tensor<4x8xf16>, tensor<2x8xf16>) -> tensor<4x2xf16>
  %2 = relay.nn.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0, %1, %2 : tensor<4x2xf32>, tensor<4x2xf16>, tensor<4x8xf32>
}
