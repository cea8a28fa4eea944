// RUN: %roundtrip | FileCheck %s
// RUN: relay-opt %s --infer-type | FileCheck %s --check-prefix=INFER

// CHECK-LABEL: func.func @dense
func.func @dense(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>) -> tensor<2x4xf32> {
  // CHECK: relay.nn.dense %{{.+}}, %{{.+}} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  %0 = relay.nn.dense %x, %w : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @contrib_dense_pack
func.func @contrib_dense_pack(%x: tensor<2x3xf32>, %w: tensor<4x3x8xf32>) -> tensor<2x32xf32> {
  // CHECK: relay.nn.contrib_dense_pack {{.*}}weight_layout = "NC8n"{{.*}} -> tensor<2x32xf32>
  %0 = relay.nn.contrib_dense_pack %x, %w {weight_layout = "NC8n"} : (tensor<2x3xf32>, tensor<4x3x8xf32>) -> tensor<2x32xf32>
  return %0 : tensor<2x32xf32>
}

// CHECK-LABEL: func.func @matmul
func.func @matmul(%x: tensor<3x2xf32>, %y: tensor<4x3xf32>) -> tensor<2x4xf32> {
  // CHECK: relay.nn.matmul {{.*}}transpose_a = true{{.*}}transpose_b = true{{.*}} -> tensor<2x4xf32>
  %0 = relay.nn.matmul %x, %y {transpose_a = true, transpose_b = true} : (tensor<3x2xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// A batch of 1 gives way to any other, also to none.
// CHECK-LABEL: func.func @batch_matmul
func.func @batch_matmul(%x: tensor<1x2x3xf32>, %y: tensor<5x3x4xf32>, %z: tensor<0x3x4xf32>) -> tensor<5x2x4xf32> {
  // CHECK: relay.nn.batch_matmul {{.*}} -> tensor<5x2x4xf32>
  %0 = relay.nn.batch_matmul %x, %y : (tensor<1x2x3xf32>, tensor<5x3x4xf32>) -> tensor<5x2x4xf32>
  // CHECK: relay.nn.batch_matmul {{.*}} -> tensor<0x2x4xf32>
  %1 = relay.nn.batch_matmul %x, %z : (tensor<1x2x3xf32>, tensor<0x3x4xf32>) -> tensor<0x2x4xf32>
  return %0 : tensor<5x2x4xf32>
}

// CHECK-LABEL: func.func @along_axis
func.func @along_axis(%x: tensor<1x3x4x4xf32>, %v: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
  // CHECK: relay.nn.bias_add %{{.+}}, %{{.+}} : (tensor<1x3x4x4xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  %0 = relay.nn.bias_add %x, %v : (tensor<1x3x4x4xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  // CHECK: relay.nn.prelu {{.*}}axis = -3
  %1 = relay.nn.prelu %0, %v {axis = -3 : i64} : (tensor<1x3x4x4xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  return %1 : tensor<1x3x4x4xf32>
}

// CHECK-LABEL: func.func @norms
func.func @norms(%x: tensor<1x3x4x4xf32>, %v: tensor<3xf32>, %w: tensor<4xf32>) -> tensor<1x3x4x4xf32> {
  // CHECK: relay.nn.batch_norm {{.*}}epsilon = 1.000000e-03
  %0 = relay.nn.batch_norm %x, %v, %v, %v, %v {epsilon = 1.0e-3} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  // CHECK: relay.nn.instance_norm
  %1 = relay.nn.instance_norm %0, %v, %v : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  // CHECK: relay.nn.layer_norm
  %2 = relay.nn.layer_norm %1, %w, %w : (tensor<1x3x4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x3x4x4xf32>
  // CHECK: relay.nn.lrn {{.*}}size = 3
  %3 = relay.nn.lrn %2 {size = 3 : i64} : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %3 : tensor<1x3x4x4xf32>
}

// CHECK-LABEL: func.func @fast_softmax
func.func @fast_softmax(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK: relay.nn.fast_softmax {{.*}}axis = 1
  %0 = relay.nn.fast_softmax %x {axis = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @softmax
func.func @softmax(%x: tensor<2x3x4xf32>) -> tensor<2x12xf32> {
  // CHECK: relay.nn.softmax {{.*}}axis = 1
  %0 = relay.nn.softmax %x {axis = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  // CHECK: relay.nn.log_softmax
  %1 = relay.nn.log_softmax %0 : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  // CHECK: relay.nn.batch_flatten {{.*}} -> tensor<2x12xf32>
  %2 = relay.nn.batch_flatten %1 : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  return %2 : tensor<2x12xf32>
}

// CHECK-LABEL: func.func @pad
func.func @pad(%x: tensor<2x3xf32>, %v: tensor<f32>) -> tensor<3x7xf32> {
  // CHECK: relay.nn.pad {{.*}}pad_mode = "reflect"{{.*}} -> tensor<3x7xf32>
  %0 = relay.nn.pad %x, %v {pad_width = array<i64: 0, 1, 2, 2>, pad_mode = "reflect"} : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x7xf32>
  return %0 : tensor<3x7xf32>
}

// CHECK-LABEL: func.func @depth_to_space
func.func @depth_to_space(%x: tensor<1x8x2x3xf32>) -> tensor<1x2x4x6xf32> {
  // CHECK: relay.nn.depth_to_space {{.*}}block_size = 2{{.*}}mode = "CDR"{{.*}} -> tensor<1x2x4x6xf32>
  %0 = relay.nn.depth_to_space %x {block_size = 2 : i64, mode = "CDR"} : (tensor<1x8x2x3xf32>) -> tensor<1x2x4x6xf32>
  return %0 : tensor<1x2x4x6xf32>
}

// An unknown extent beside a known one is taken to be equal to it.
// CHECK-LABEL: func.func @dynamic_products
func.func @dynamic_products(%x: tensor<?x?xf32>, %w: tensor<4x3xf32>, %y: tensor<?x2x?xf32>, %z: tensor<1x3x4xf32>) -> tensor<?x4xf32> {
  // CHECK: relay.nn.dense {{.*}} -> tensor<?x4xf32>
  %0 = relay.nn.dense %x, %w : (tensor<?x?xf32>, tensor<4x3xf32>) -> tensor<?x4xf32>
  // CHECK: relay.nn.batch_matmul {{.*}} -> tensor<?x2x4xf32>
  %1 = relay.nn.batch_matmul %y, %z : (tensor<?x2x?xf32>, tensor<1x3x4xf32>) -> tensor<?x2x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @dynamic_axis
func.func @dynamic_axis(%x: tensor<2x?xf32>, %v: tensor<3xf32>, %y: tensor<2x3xf32>, %w: tensor<?xf32>) -> tensor<2x3xf32> {
  // CHECK: relay.nn.bias_add {{.*}} -> tensor<2x3xf32>
  %0 = relay.nn.bias_add %x, %v : (tensor<2x?xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: relay.nn.layer_norm {{.*}} -> tensor<2x3xf32>
  %1 = relay.nn.layer_norm %y, %v, %w : (tensor<2x3xf32>, tensor<3xf32>, tensor<?xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// What is computed from an unknown extent is unknown.
// CHECK-LABEL: func.func @dynamic_shapes
func.func @dynamic_shapes(%x: tensor<?x8x?x3xf32>, %v: tensor<f32>) -> tensor<?x?xf32> {
  // CHECK: relay.nn.depth_to_space {{.*}} -> tensor<?x2x?x6xf32>
  %0 = relay.nn.depth_to_space %x {block_size = 2 : i64} : (tensor<?x8x?x3xf32>) -> tensor<?x2x?x6xf32>
  // CHECK: relay.nn.pad {{.*}} -> tensor<?x4x?x6xf32>
  %1 = relay.nn.pad %0, %v {pad_width = array<i64: 1, 0, 1, 1, 2, 2, 0, 0>, pad_mode = "edge"} : (tensor<?x2x?x6xf32>, tensor<f32>) -> tensor<?x4x?x6xf32>
  // CHECK: relay.nn.batch_flatten {{.*}} -> tensor<?x?xf32>
  %2 = relay.nn.batch_flatten %1 : (tensor<?x4x?x6xf32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// Nothing times an unknown extent is nothing.
// CHECK-LABEL: func.func @empty
func.func @empty(%x: tensor<2x?x0xf32>) -> tensor<2x0xf32> {
  // CHECK: relay.nn.batch_flatten {{.*}} -> tensor<2x0xf32>
  %0 = relay.nn.batch_flatten %x : (tensor<2x?x0xf32>) -> tensor<2x0xf32>
  return %0 : tensor<2x0xf32>
}

// INFER-LABEL: func.func @infer
// INFER-SAME: -> tensor<2x4xf32>
func.func @infer(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %v: tensor<4xf32>) -> !relay.incomplete {
  // INFER: relay.nn.dense {{.*}} -> tensor<2x4xf32>
  %0 = relay.nn.dense %x, %w : (tensor<2x3xf32>, tensor<4x3xf32>) -> !relay.incomplete
  // INFER: relay.nn.bias_add {{.*}} -> tensor<2x4xf32>
  %1 = relay.nn.bias_add %0, %v : (!relay.incomplete, tensor<4xf32>) -> !relay.incomplete
  // INFER: relay.nn.softmax {{.*}} -> tensor<2x4xf32>
  %2 = relay.nn.softmax %1 : (!relay.incomplete) -> !relay.incomplete
  return %2 : !relay.incomplete
}

// CHECK-LABEL: func.func @group_norm(
func.func @group_norm(%x: tensor<2x6x3xf32>, %g: tensor<6xf32>) {
  // CHECK: relay.nn.group_norm {{.*}}num_groups = 3
  %0 = relay.nn.group_norm %x, %g, %g {num_groups = 3 : i64} : (tensor<2x6x3xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<2x6x3xf32>
  return
}
