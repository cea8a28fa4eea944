// RUN: %roundtrip | FileCheck %s
// RUN: relay-opt %s --infer-type | FileCheck %s --check-prefix=INFER

// CHECK-LABEL: func.func @shapes
func.func @shapes(%x: tensor<2x3x4xf32>) -> tensor<12x2xf32> {
  // CHECK: relay.transpose {{.*}} -> tensor<3x4x2xf32>
  %0 = relay.transpose %x {axes = array<i64: 1, 2, 0>} : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  // CHECK: relay.reshape {{.*}} -> tensor<12x2xf32>
  %1 = relay.reshape %0 {newshape = array<i64: -1, 2>} : (tensor<3x4x2xf32>) -> tensor<12x2xf32>
  return %1 : tensor<12x2xf32>
}

// CHECK-LABEL: func.func @parts
func.func @parts(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {
  // CHECK: relay.split {{.*}} -> (tensor<2x2xf32>, tensor<2x3xf32>)
  %0:2 = relay.split %x {indices = array<i64: 2>, axis = 1 : i64} : (tensor<2x5xf32>) -> (tensor<2x2xf32>, tensor<2x3xf32>)
  // CHECK: relay.concatenate
  %1 = relay.concatenate %0#1, %0#0 {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x5xf32>
  return %1 : tensor<2x5xf32>
}

// Of an unknown dimension the last part is unknown.
// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%x: tensor<?x5xf32>) -> tensor<?x5xf32> {
  // CHECK: relay.split {{.*}} -> (tensor<2x5xf32>, tensor<?x5xf32>)
  %0:2 = relay.split %x {indices = array<i64: 2>, axis = 0 : i64} : (tensor<?x5xf32>) -> (tensor<2x5xf32>, tensor<?x5xf32>)
  // CHECK: relay.strided_slice {{.*}} -> tensor<?x5xf32>
  %1 = relay.strided_slice %0#1 {begin = array<i64: 0>, end = array<i64: 4>, strides = array<i64: 1>, axes = array<i64: 0>} : (tensor<?x5xf32>) -> tensor<?x5xf32>
  return %1 : tensor<?x5xf32>
}

// CHECK-LABEL: func.func @layout
func.func @layout(%x: tensor<1x32x7x7xf32>) -> tensor<1x2x7x7x16xf32> {
  // CHECK: relay.layout_transform
  %0 = relay.layout_transform %x {src_layout = "NCHW", dst_layout = "NCHW16c"} : (tensor<1x32x7x7xf32>) -> tensor<1x2x7x7x16xf32>
  return %0 : tensor<1x2x7x7x16xf32>
}

// CHECK-LABEL: func.func @squeeze
func.func @squeeze(%x: tensor<1x2x1x3x1xf32>) -> tensor<2x1x3xf32> {
  // CHECK: relay.squeeze {{.*}}axis = array<i64: -1, 0>{{.*}} -> tensor<2x1x3xf32>
  %0 = relay.squeeze %x {axis = array<i64: -1, 0>} : (tensor<1x2x1x3x1xf32>) -> tensor<2x1x3xf32>
  // CHECK: relay.squeeze {{.*}}axis = array<i64>{{.*}} -> tensor<2x1x3xf32>
  %1 = relay.squeeze %0 {axis = array<i64>} : (tensor<2x1x3xf32>) -> tensor<2x1x3xf32>
  return %1 : tensor<2x1x3xf32>
}

// A negative axis is one of the result with one more dimension: -1 is behind the last.
// CHECK-LABEL: func.func @expand_dims
func.func @expand_dims(%x: tensor<2x3xf32>) -> tensor<2x3x1x1xf32> {
  // CHECK: relay.expand_dims {{.*}}axis = -3{{.*}} -> tensor<1x2x3xf32>
  %0 = relay.expand_dims %x {axis = -3 : i64} : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
  // CHECK: relay.expand_dims {{.*}}axis = -2{{.*}} -> tensor<2x1x1x3xf32>
  %1 = relay.expand_dims %x {axis = -2 : i64, num_newaxis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x1x1x3xf32>
  // CHECK: relay.expand_dims {{.*}}num_newaxis = 0{{.*}} -> tensor<2x3xf32>
  %2 = relay.expand_dims %x {axis = 2 : i64, num_newaxis = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: relay.expand_dims {{.*}}axis = -1{{.*}} -> tensor<2x3x1x1xf32>
  %3 = relay.expand_dims %x {axis = -1 : i64, num_newaxis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x3x1x1xf32>
  return %3 : tensor<2x3x1x1xf32>
}

// Bounds from the end, beyond the end, downwards, and none at all.
// CHECK-LABEL: func.func @strided_slice
func.func @strided_slice(%x: tensor<10x7xf32>) -> tensor<10x0xf32> {
  // CHECK: relay.strided_slice {{.*}} -> tensor<4x4xf32>
  %0 = relay.strided_slice %x {begin = array<i64: 1, -1>, end = array<i64: 8, -100>, strides = array<i64: 2, -2>, axes = array<i64: 0, 1>} : (tensor<10x7xf32>) -> tensor<4x4xf32>
  // CHECK: relay.strided_slice {{.*}} -> tensor<1x1xf32>
  %1 = relay.strided_slice %x {begin = array<i64: 0, 6>, end = array<i64: 9223372036854775807, -9223372036854775808>, strides = array<i64: 9223372036854775807, -9223372036854775808>, axes = array<i64: 0, -1>} : (tensor<10x7xf32>) -> tensor<1x1xf32>
  // CHECK: relay.strided_slice {{.*}} -> tensor<10x0xf32>
  %2 = relay.strided_slice %x {begin = array<i64: 5>, end = array<i64: 2>, strides = array<i64: 1>, axes = array<i64: 1>} : (tensor<10x7xf32>) -> tensor<10x0xf32>
  return %2 : tensor<10x0xf32>
}

// The dimensions of the indices take the place of the axis.
// CHECK-LABEL: func.func @take
func.func @take(%x: tensor<2x5x3xf32>, %i: tensor<4x6xi64>, %none: tensor<0xi32>, %empty: tensor<0x3xf32>) -> tensor<2x4x6x3xf32> {
  // CHECK: relay.take {{.*}}mode = "wrap"{{.*}} -> tensor<2x4x6x3xf32>
  %0 = relay.take %x, %i {axis = -2 : i64, mode = "wrap"} : (tensor<2x5x3xf32>, tensor<4x6xi64>) -> tensor<2x4x6x3xf32>
  // CHECK: relay.take {{.*}} -> tensor<0x3xf32>
  %1 = relay.take %empty, %none {axis = 0 : i64} : (tensor<0x3xf32>, tensor<0xi32>) -> tensor<0x3xf32>
  return %0 : tensor<2x4x6x3xf32>
}

// CHECK-LABEL: func.func @repeated
func.func @repeated(%x: tensor<2x1xf32>) -> tensor<6x8xf32> {
  // CHECK: relay.broadcast_to {{.*}}shape = array<i64: 3, 2, 4>{{.*}} -> tensor<3x2x4xf32>
  %0 = relay.broadcast_to %x {shape = array<i64: 3, 2, 4>} : (tensor<2x1xf32>) -> tensor<3x2x4xf32>
  // CHECK: relay.tile {{.*}}reps = array<i64: 3, 8>{{.*}} -> tensor<6x8xf32>
  %1 = relay.tile %x {reps = array<i64: 3, 8>} : (tensor<2x1xf32>) -> tensor<6x8xf32>
  return %1 : tensor<6x8xf32>
}

// CHECK-LABEL: func.func @empty
func.func @empty(%x: tensor<2x0xf32>) -> tensor<0x7xf32> {
  // CHECK: relay.reshape {{.*}} -> tensor<0x7xf32>
  %0 = relay.reshape %x {newshape = array<i64: -1, 7>} : (tensor<2x0xf32>) -> tensor<0x7xf32>
  return %0 : tensor<0x7xf32>
}

// Beside the axis, an unknown dimension is what it is in the other operands; along it, the sum is
// unknown.
// CHECK-LABEL: func.func @dynamic_concatenate
func.func @dynamic_concatenate(%x: tensor<?x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x9xf32> {
  // CHECK: relay.concatenate {{.*}} -> tensor<2x9xf32>
  %0 = relay.concatenate %x, %y, %x {axis = 1 : i64} : (tensor<?x3xf32>, tensor<2x3xf32>, tensor<?x3xf32>) -> tensor<2x9xf32>
  // CHECK: relay.concatenate {{.*}} -> tensor<?x3xf32>
  %1 = relay.concatenate %x, %y {axis = 0 : i64} : (tensor<?x3xf32>, tensor<2x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<2x9xf32>
}

// CHECK-LABEL: func.func @dynamic_shapes
func.func @dynamic_shapes(%x: tensor<?x3x?xf32>) -> tensor<4x3x7xf32> {
  // CHECK: relay.transpose {{.*}} -> tensor<3x?x?xf32>
  %0 = relay.transpose %x {axes = array<i64: 1, 0, 2>} : (tensor<?x3x?xf32>) -> tensor<3x?x?xf32>
  // CHECK: relay.reshape {{.*}} -> tensor<?x5xf32>
  %1 = relay.reshape %x {newshape = array<i64: -1, 5>} : (tensor<?x3x?xf32>) -> tensor<?x5xf32>
  // CHECK: relay.squeeze {{.*}} -> tensor<3x?xf32>
  %2 = relay.squeeze %x {axis = array<i64: 0>} : (tensor<?x3x?xf32>) -> tensor<3x?xf32>
  // CHECK: relay.expand_dims {{.*}} -> tensor<?x3x?x1xf32>
  %3 = relay.expand_dims %x {axis = -1 : i64} : (tensor<?x3x?xf32>) -> tensor<?x3x?x1xf32>
  // CHECK: relay.tile {{.*}} -> tensor<?x6x?xf32>
  %4 = relay.tile %x {reps = array<i64: 2, 2, 1>} : (tensor<?x3x?xf32>) -> tensor<?x6x?xf32>
  // CHECK: relay.broadcast_to {{.*}} -> tensor<4x3x7xf32>
  %5 = relay.broadcast_to %x {shape = array<i64: 4, 3, 7>} : (tensor<?x3x?xf32>) -> tensor<4x3x7xf32>
  return %5 : tensor<4x3x7xf32>
}

// An unknown dimension may turn out to be 1.
// CHECK-LABEL: func.func @dynamic_broadcast_to
func.func @dynamic_broadcast_to(%x: tensor<?xf32>) -> tensor<1xf32> {
  // CHECK: relay.broadcast_to {{.*}} -> tensor<1xf32>
  %0 = relay.broadcast_to %x {shape = array<i64: 1>} : (tensor<?xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// CHECK-LABEL: func.func @dynamic_layout
func.func @dynamic_layout(%x: tensor<?x?x7x7xf32>) -> tensor<?x7x7x?xf32> {
  // CHECK: relay.layout_transform {{.*}} -> tensor<?x?x7x7x16xf32>
  %0 = relay.layout_transform %x {src_layout = "NCHW", dst_layout = "NCHW16c"} : (tensor<?x?x7x7xf32>) -> tensor<?x?x7x7x16xf32>
  // CHECK: relay.layout_transform {{.*}} -> tensor<?x7x7x?xf32>
  %1 = relay.layout_transform %0 {src_layout = "NCHW16c", dst_layout = "NHWC"} : (tensor<?x?x7x7x16xf32>) -> tensor<?x7x7x?xf32>
  return %1 : tensor<?x7x7x?xf32>
}

// CHECK-LABEL: func.func @dynamic_take
func.func @dynamic_take(%x: tensor<?x?xf32>, %i: tensor<?x2xi64>) -> tensor<?x2x?xf32> {
  // CHECK: relay.take {{.*}} -> tensor<?x2x?xf32>
  %0 = relay.take %x, %i {axis = 0 : i64} : (tensor<?x?xf32>, tensor<?x2xi64>) -> tensor<?x2x?xf32>
  return %0 : tensor<?x2x?xf32>
}

// INFER-LABEL: func.func @infer
// INFER-SAME: -> tensor<4x3x2xf32>
func.func @infer(%x: tensor<2x12xf32>) -> !relay.incomplete {
  // INFER: relay.reshape {{.*}} -> tensor<2x3x4xf32>
  %0 = relay.reshape %x {newshape = array<i64: 2, 3, -1>} : (tensor<2x12xf32>) -> !relay.incomplete
  // INFER: relay.transpose {{.*}} -> tensor<4x3x2xf32>
  %1 = relay.transpose %0 {axes = array<i64: 2, 1, 0>} : (!relay.incomplete) -> !relay.incomplete
  return %1 : !relay.incomplete
}

// CHECK-LABEL: func.func @view_as
func.func @view_as(%x: tensor<4x6xf32>) {
  // CHECK: relay.view_as {{.*}} -> tensor<?x?xf32, ["k", "m"]>
  %0 = relay.view_as %x {newshape = ["k", "m"]} : (tensor<4x6xf32>) -> tensor<?x?xf32, ["k", "m"]>
  return
}
