// Types of operands, from what operators say of them and from their results.
// RUN: relay-opt %s --infer-type --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @conv2d
// CHECK-SAME: %arg1: tensor<16x3x3x5xf32>) -> tensor<1x16x6x4xf32>
// What the weight's type says now is said once.
// CHECK-NEXT: relay.nn.conv2d %arg0, %arg1 : (
func.func @conv2d(%x: tensor<1x3x8x8xf32>, %w: !relay.incomplete) -> !relay.incomplete {
  %0 = relay.nn.conv2d %x, %w {channels = 16 : i64, kernel_size = array<i64: 3, 5>} : (tensor<1x3x8x8xf32>, !relay.incomplete) -> !relay.incomplete
  return %0 : !relay.incomplete
}

// CHECK-LABEL: func.func @groups_and_layouts
// CHECK-SAME: %arg1: tensor<3x3x2x8xf16>
func.func @groups_and_layouts(%x: tensor<1x8x8x4xf16>, %w: !relay.incomplete) -> !relay.incomplete {
  %0 = relay.nn.conv2d %x, %w {channels = 8 : i64, kernel_size = array<i64: 3, 3>, groups = 2 : i64, data_layout = "NHWC", kernel_layout = "HWIO"} : (tensor<1x8x8x4xf16>, !relay.incomplete) -> !relay.incomplete
  return %0 : !relay.incomplete
}

// CHECK-LABEL: func.func @blocks
// CHECK-SAME: %arg1: tensor<2x1x3x3x8x16xf32>) -> tensor<1x2x6x6x16xf32>
func.func @blocks(%x: tensor<1x1x8x8x8xf32>, %w: !relay.incomplete) -> !relay.incomplete {
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {channels = 32 : i64, kernel_size = array<i64: 3, 3>, data_layout = "NCHW8c", kernel_layout = "OIHW8i16o"} : (tensor<1x1x8x8x8xf32>, !relay.incomplete) -> !relay.incomplete
  return %0 : !relay.incomplete
}

// CHECK-LABEL: func.func @conv_dims
// CHECK-SAME: %arg2: tensor<4x3x3xf32>, %arg3: tensor<4x3x1x2x3xf32>
func.func @conv_dims(%x: tensor<1x3x8xf32>, %y: tensor<1x3x8x8x8xf32>, %v: !relay.incomplete, %w: !relay.incomplete) -> !relay.incomplete {
  %0 = relay.nn.conv1d %x, %v {channels = 4 : i64, kernel_size = array<i64: 3>} : (tensor<1x3x8xf32>, !relay.incomplete) -> !relay.incomplete
  %1 = relay.nn.conv3d %y, %w {channels = 4 : i64, kernel_size = array<i64: 1, 2, 3>} : (tensor<1x3x8x8x8xf32>, !relay.incomplete) -> !relay.incomplete
  return %1 : !relay.incomplete
}

// CHECK-LABEL: func.func @transposed
// CHECK-SAME: %arg1: tensor<4x3x2x2xf32>) -> tensor<1x6x9x9xf32>
func.func @transposed(%x: tensor<1x4x8x8xf32>, %w: !relay.incomplete) -> !relay.incomplete {
  %0 = relay.nn.conv2d_transpose %x, %w {channels = 6 : i64, kernel_size = array<i64: 2, 2>, groups = 2 : i64} : (tensor<1x4x8x8xf32>, !relay.incomplete) -> !relay.incomplete
  return %0 : !relay.incomplete
}

// The result says how many channels there are; an unknown channel count of the data stays unknown.
// CHECK-LABEL: func.func @channels_of_the_result
// CHECK-SAME: %arg1: tensor<16x?x3x3xf32>
func.func @channels_of_the_result(%x: tensor<1x?x8x8xf32>, %w: !relay.incomplete) -> tensor<1x16x6x6xf32> {
  %0 = relay.nn.conv2d %x, %w {kernel_size = array<i64: 3, 3>} : (tensor<1x?x8x8xf32>, !relay.incomplete) -> tensor<1x16x6x6xf32>
  return %0 : tensor<1x16x6x6xf32>
}

// CHECK-LABEL: func.func @layer
// CHECK-SAME: %arg1: tensor<10x8xf32>, %arg2: tensor<10xf32>, %arg3: tensor<8x10xf32>) -> tensor<4x8xf32>
func.func @layer(%x: tensor<4x8xf32>, %w: !relay.incomplete, %b: !relay.incomplete, %v: !relay.incomplete) -> tensor<4x8xf32> {
  %0 = relay.nn.dense %x, %w {units = 10 : i64} : (tensor<4x8xf32>, !relay.incomplete) -> !relay.incomplete
  %1 = relay.nn.bias_add %0, %b : (!relay.incomplete, !relay.incomplete) -> !relay.incomplete
  %2 = relay.nn.dense %1, %v : (!relay.incomplete, !relay.incomplete) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @data_of_dense
// CHECK-SAME: %arg0: tensor<4x8xf32>
func.func @data_of_dense(%x: !relay.incomplete, %w: tensor<10x8xf32>) -> tensor<4x10xf32> {
  %0 = relay.nn.dense %x, %w : (!relay.incomplete, tensor<10x8xf32>) -> tensor<4x10xf32>
  return %0 : tensor<4x10xf32>
}

// CHECK-LABEL: func.func @packed
// CHECK-SAME: %arg1: tensor<2x8x16xf32>) -> tensor<4x32xf32>
func.func @packed(%x: tensor<4x8xf32>, %w: !relay.incomplete) -> !relay.incomplete {
  %0 = relay.nn.contrib_dense_pack %x, %w {units = 32 : i64} : (tensor<4x8xf32>, !relay.incomplete) -> !relay.incomplete
  return %0 : !relay.incomplete
}

// CHECK-LABEL: func.func @products
// CHECK-SAME: %arg1: tensor<10x8xf32>, %arg2: tensor<5x4x6xf32>, %arg3: tensor<1x4x3xf32>, %arg4: tensor<5x6x3xf32>
func.func @products(%x: tensor<4x8xf32>, %w: !relay.incomplete, %a: !relay.incomplete, %c: tensor<1x4x3xf32>, %b: !relay.incomplete, %one: tensor<1x4x6xf32>) -> tensor<5x4x3xf32> {
  %0 = relay.nn.matmul %x, %w {units = 10 : i64, transpose_b = true} : (tensor<4x8xf32>, !relay.incomplete) -> !relay.incomplete
  %1 = relay.nn.batch_matmul %one, %b : (tensor<1x4x6xf32>, !relay.incomplete) -> tensor<5x4x3xf32>
  %2 = relay.nn.batch_matmul %a, %c {transpose_a = true} : (!relay.incomplete, tensor<1x4x3xf32>) -> tensor<5x6x3xf32>
  return %1 : tensor<5x4x3xf32>
}

// CHECK-LABEL: func.func @vectors
// CHECK-SAME: tensor<3xf32>, %arg2: tensor<3xf32>, %arg3: tensor<3xf32>, %arg4: tensor<3xf32>, %arg5: tensor<4xf32>, %arg6: tensor<3xf32>)
func.func @vectors(%x: tensor<2x3x4xf32>, %g: !relay.incomplete, %b: !relay.incomplete, %m: !relay.incomplete, %v: !relay.incomplete, %l: !relay.incomplete, %s: !relay.incomplete) -> !relay.incomplete {
  %0 = relay.nn.batch_norm %x, %g, %b, %m, %v : (tensor<2x3x4xf32>, !relay.incomplete, !relay.incomplete, !relay.incomplete, !relay.incomplete) -> !relay.incomplete
  %1 = relay.nn.layer_norm %0, %l, %l : (!relay.incomplete, !relay.incomplete, !relay.incomplete) -> !relay.incomplete
  %2 = relay.nn.instance_norm %1, %g, %b : (!relay.incomplete, !relay.incomplete, !relay.incomplete) -> !relay.incomplete
  %3 = relay.nn.prelu %2, %s : (!relay.incomplete, !relay.incomplete) -> !relay.incomplete
  return %3 : !relay.incomplete
}

// Another vector knows what the data does not.
// CHECK-LABEL: func.func @known_by_another
// CHECK-SAME: %arg2: tensor<3xf32>
func.func @known_by_another(%x: tensor<2x?xf32>, %g: tensor<3xf32>, %b: !relay.incomplete) -> !relay.incomplete {
  %0 = relay.nn.layer_norm %x, %g, %b : (tensor<2x?xf32>, tensor<3xf32>, !relay.incomplete) -> !relay.incomplete
  return %0 : !relay.incomplete
}

// Up a chain of operators whose operands are as their results.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: %arg0: tensor<3x2xbf16>
func.func @chain(%x: !relay.incomplete) -> tensor<2x3xbf16> {
  %0 = relay.tanh %x : (!relay.incomplete) -> !relay.incomplete
  %1 = relay.transpose %0 {axes = array<i64: 1, 0>} : (!relay.incomplete) -> !relay.incomplete
  %2 = relay.nn.softmax %1 : (!relay.incomplete) -> !relay.incomplete
  %3 = relay.zeros_like %2 : (!relay.incomplete) -> tensor<2x3xbf16>
  return %3 : tensor<2x3xbf16>
}

// Scalars are made of scalars; what one operand does not have, the other one has.
// CHECK-LABEL: func.func @broadcasts
// CHECK-SAME: %arg0: tensor<i32>, %arg1: tensor<2x3xf32>, %arg2: tensor<f32>, %arg3: tensor<i1>
func.func @broadcasts(%n: !relay.incomplete, %x: !relay.incomplete, %y: !relay.incomplete, %c: !relay.incomplete, %one: tensor<1xf32>, %scalar: tensor<f32>) -> tensor<i1> {
  %0 = relay.subtract %n, %n : (!relay.incomplete, !relay.incomplete) -> tensor<i32>
  %1 = relay.add %x, %one : (!relay.incomplete, tensor<1xf32>) -> tensor<2x3xf32>
  %2 = relay.less %scalar, %y : (tensor<f32>, !relay.incomplete) -> tensor<i1>
  %3 = relay.logical_and %2, %c : (tensor<i1>, !relay.incomplete) -> tensor<i1>
  return %3 : tensor<i1>
}

// -----

// Others know more than a convolution: they are asked first.
// CHECK-LABEL: func.func @known_by_the_caller
// CHECK: relay.nn.conv2d {{.*}} : (tensor<1x?x8x8xf32>, tensor<16x3x3x3xf32>)
func.func @known_by_the_caller(%x: tensor<1x?x8x8xf32>, %w: tensor<16x3x3x3xf32>) -> !relay.incomplete {
  %f = relay.fn(%v: !relay.incomplete) -> !relay.incomplete {
    %0 = relay.nn.conv2d %x, %v {channels = 16 : i64, kernel_size = array<i64: 3, 3>} : (tensor<1x?x8x8xf32>, !relay.incomplete) -> !relay.incomplete
    relay.yield %0 : !relay.incomplete
  }
  %1 = relay.call %f(%w) : ((!relay.incomplete) -> !relay.incomplete, tensor<16x3x3x3xf32>) -> !relay.incomplete
  return %1 : !relay.incomplete
}

// -----

// 3 may be broadcast from 1 or be there.
func.func @either(%x: !relay.incomplete, %y: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @below {{has a type that cannot be inferred}}
  %f = relay.fn(%z: !relay.incomplete) -> !relay.incomplete {
    %0 = relay.add %z, %y : (!relay.incomplete, tensor<3xf32>) -> tensor<3xf32>
    relay.yield %0 : tensor<3xf32>
  }
  return %y : tensor<3xf32>
}

// -----

// expected-note @+2 {{operand 0 is tensor<1x3x8x8xf32>}}
// expected-note @+1 {{operand 1 is !relay.incomplete}}
func.func @groups(%x: tensor<1x3x8x8xf32>, %w: !relay.incomplete) -> !relay.incomplete {
  // expected-error @below {{3 channels do not make 2 groups (C2)}}
  %0 = relay.nn.conv2d %x, %w {channels = 16 : i64, kernel_size = array<i64: 3, 3>, groups = 2 : i64} : (tensor<1x3x8x8xf32>, !relay.incomplete) -> !relay.incomplete
  return %0 : !relay.incomplete
}

// -----

// expected-note @+2 {{operand 0 is tensor<1x3x8x8xf32>}}
// expected-note @+1 {{operand 1 is !relay.incomplete}}
func.func @size(%x: tensor<1x3x8x8xf32>, %w: !relay.incomplete) -> !relay.incomplete {
  // expected-error @below {{kernel_size [3] is not 2 numbers from 1 to 1073741824 (C7)}}
  %0 = relay.nn.conv2d %x, %w {channels = 16 : i64, kernel_size = array<i64: 3>} : (tensor<1x3x8x8xf32>, !relay.incomplete) -> !relay.incomplete
  return %0 : !relay.incomplete
}

// -----

// One weight for two convolutions.
func.func @shared(%x: tensor<1x3x8x8xf32>, %w: !relay.incomplete) -> !relay.incomplete {
  // expected-note @below {{operand 1 is tensor<16x3x3x3xf32>}}
  %0 = relay.copy %w : (!relay.incomplete) -> !relay.incomplete
  // expected-note @below {{operand 0 is tensor<1x16x6x6xf32>}}
  %1 = relay.nn.conv2d %x, %0 {channels = 16 : i64, kernel_size = array<i64: 3, 3>} : (tensor<1x3x8x8xf32>, !relay.incomplete) -> !relay.incomplete
  // expected-error @below {{16 channels and 16 outputs do not fit a weight of 3 inputs in 1 groups (C2)}}
  %2 = relay.nn.conv2d %1, %0 {channels = 16 : i64, kernel_size = array<i64: 3, 3>} : (!relay.incomplete, !relay.incomplete) -> !relay.incomplete
  return %2 : !relay.incomplete
}

// -----

func.func @contradicted(%x: tensor<1x3x8x8xf32>, %w: tensor<16x3x3x3xf32>) -> !relay.incomplete {
  // expected-note @below {{operand 0 is tensor<1x3x8x8xf32>}}
  %0 = relay.nn.relu %x : (tensor<1x3x8x8xf32>) -> !relay.incomplete
  // expected-note @below {{operand 1 is tensor<16x3x3x3xf32>}}
  %1 = relay.nn.relu %w : (tensor<16x3x3x3xf32>) -> !relay.incomplete
  // expected-error @below {{kernel_size is [5, 5], but by the type of the weight it is [3, 3] (C7)}}
  %2 = relay.nn.conv2d %0, %1 {channels = 16 : i64, kernel_size = array<i64: 5, 5>} : (!relay.incomplete, !relay.incomplete) -> !relay.incomplete
  return %2 : !relay.incomplete
}
