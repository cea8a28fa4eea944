// Products of bytes: the data stays in bytes, the weight comes in words of four.
// RUN: relay-opt %s --attach-target=target=x86-64-v4 --alter-op-layout | FileCheck %s
// RUN: relay-opt %s --attach-target=target=wasm32-unknown-unknown --alter-op-layout | FileCheck %s --check-prefix=NUMBERS

// Without vectors, a block of data holds a word.
// NUMBERS-LABEL: func.func @conv2d(
// NUMBERS: relay.qnn.contrib_conv2d_NCHWc
// NUMBERS-SAME: (tensor<1x1x5x5x1xi32>, tensor<10x1x3x3x1x2xi32>)

// The channels of an image go into words, and zeros fill up outputs to a vector.
// CHECK-LABEL: func.func @conv2d(
// CHECK: relay.bitwise_or
// CHECK: %[[PIXELS:.+]] = relay.bitwise_or
// CHECK: %[[DATA:.+]] = relay.reshape %[[PIXELS]] {newshape = array<i64: 1, 1, 5, 5, 1>}
// CHECK: %[[WEIGHT:.+]] = relay.layout_transform %{{.+}} {dst_layout = "OIHW1i16o4i", src_layout = "OIHW"}
// CHECK: relay.cast %[[WEIGHT]] {dtype = i32}
// CHECK: relay.bitwise_and
// CHECK: relay.left_shift
// CHECK: %[[WORDS:.+]] = relay.sum %{{.+}} {axis = array<i64: 6>}
// CHECK: %[[SUMS:.+]] = relay.qnn.contrib_conv2d_NCHWc %[[DATA]], %[[WORDS]] {data_layout = "NCHW1c", kernel_layout = "OIHW1i16o"
// CHECK-SAME: (tensor<1x1x5x5x1xi32>, tensor<2x1x3x3x1x16xi32>) -> tensor<1x2x3x3x16xi32>
// What follows stays in blocks, and so does the next product.
// CHECK: relay.cast %[[SUMS]] {dtype = ui8}
// CHECK: relay.qnn.contrib_conv2d_NCHWc
// CHECK-SAME: (tensor<1x2x3x3x16xui8>, tensor<1x2x1x1x4x16xi32>)
func.func @conv2d(%x: tensor<1x3x5x5xui8>, %s: tensor<f32>) -> tensor<1x16x3x3xi32> {
  %w = relay.constant dense<3> : tensor<20x3x3x3xi8>
  %v = relay.constant dense<3> : tensor<16x20x1x1xi8>
  %zero = relay.constant dense<0> : tensor<i32>
  %0 = relay.qnn.conv2d %x, %w, %zero, %zero, %s, %s
      : (tensor<1x3x5x5xui8>, tensor<20x3x3x3xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<1x20x3x3xi32>
  %1 = relay.cast %0 {dtype = ui8} : (tensor<1x20x3x3xi32>) -> tensor<1x20x3x3xui8>
  %2 = relay.qnn.conv2d %1, %v, %zero, %zero, %s, %s
      : (tensor<1x20x3x3xui8>, tensor<16x20x1x1xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<1x16x3x3xi32>
  return %2 : tensor<1x16x3x3xi32>
}

// Words surround the words of an image: 42 in each of the bytes. Channels that other bytes surround come as bytes.
// CHECK-LABEL: func.func @padded_image(
// CHECK: %[[PIXELS:.+]] = relay.bitwise_or
// CHECK: %[[PAD:.+]] = relay.constant dense<707406378> : tensor<i32>
// CHECK: relay.nn.pad %[[PIXELS]], %[[PAD]] {pad_width = array<i64: 0, 0, 0, 0, 1, 1, 1, 1>}
// CHECK: relay.nn.pad {{.*}} -> tensor<1x3x7x7xui8>
// CHECK-NOT: nn.pad
// CHECK: relay.bitwise_or
func.func @padded_image(%x: tensor<1x2x5x5xui8>, %s: tensor<f32>) -> (tensor<1x16x5x5xi32>, tensor<1x16x5x5xi32>) {
  %w = relay.constant dense<3> : tensor<16x2x3x3xi8>
  %v = relay.constant dense<3> : tensor<16x3x3x3xi8>
  %zero = relay.constant dense<0> : tensor<i32>
  %around = relay.constant dense<42> : tensor<ui8>
  %0 = relay.nn.pad %x, %around {pad_width = array<i64: 0, 0, 0, 0, 1, 1, 1, 1>}
      : (tensor<1x2x5x5xui8>, tensor<ui8>) -> tensor<1x2x7x7xui8>
  %1 = relay.qnn.conv2d %0, %w, %zero, %zero, %s, %s
      : (tensor<1x2x7x7xui8>, tensor<16x2x3x3xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<1x16x5x5xi32>
  %2 = relay.nn.pad %x, %around {pad_width = array<i64: 0, 0, 0, 1, 1, 1, 1, 1>}
      : (tensor<1x2x5x5xui8>, tensor<ui8>) -> tensor<1x3x7x7xui8>
  %3 = relay.qnn.conv2d %2, %v, %zero, %zero, %s, %s
      : (tensor<1x3x7x7xui8>, tensor<16x3x3x3xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<1x16x5x5xi32>
  return %1, %3 : tensor<1x16x5x5xi32>, tensor<1x16x5x5xi32>
}

// Each channel on its own: a kernel reads bytes, and computes in f32.
// CHECK-LABEL: func.func @depthwise(
// CHECK: %[[DATA:.+]] = relay.layout_transform %{{.+}} {dst_layout = "NCHW16c", src_layout = "NCHW"} : (tensor<1x16x5x5xi8>)
// CHECK: %[[SUMS:.+]] = relay.qnn.contrib_depthwise_conv2d_NCHWc %[[DATA]]
// CHECK-SAME: groups = 16 : i64
// CHECK-SAME: -> tensor<1x1x5x5x16xf32>
// CHECK: relay.cast %[[SUMS]] {dtype = i32}
func.func @depthwise(%x: tensor<1x10x5x5xi8>, %z: tensor<i32>, %s: tensor<f32>) -> tensor<1x10x5x5xi32> {
  %w = relay.constant dense<3> : tensor<10x1x3x3xui8>
  %zw = relay.constant dense<7> : tensor<10xi32>
  %0 = relay.qnn.conv2d %x, %w, %z, %zw, %s, %s {groups = 10, padding = array<i64: 1, 1, 1, 1>}
      : (tensor<1x10x5x5xi8>, tensor<10x1x3x3xui8>, tensor<i32>, tensor<10xi32>, tensor<f32>, tensor<f32>) -> tensor<1x10x5x5xi32>
  return %0 : tensor<1x10x5x5xi32>
}

// Who makes floats of the sums reads them as they are.
// CHECK-LABEL: func.func @depthwise_in_floats(
// CHECK: %[[SUMS:.+]] = relay.qnn.contrib_depthwise_conv2d_NCHWc
// CHECK-NEXT: %[[PLAIN:.+]] = relay.layout_transform %[[SUMS]]
// CHECK-NEXT: return %[[PLAIN]] : tensor<1x16x5x5xf32>
func.func @depthwise_in_floats(%x: tensor<1x16x5x5xui8>, %z: tensor<i32>, %s: tensor<f32>) -> tensor<1x16x5x5xf32> {
  %w = relay.constant dense<3> : tensor<16x1x3x3xi8>
  %zw = relay.constant dense<0> : tensor<i32>
  %0 = relay.qnn.conv2d %x, %w, %z, %zw, %s, %s {groups = 16, padding = array<i64: 1, 1, 1, 1>}
      : (tensor<1x16x5x5xui8>, tensor<16x1x3x3xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<1x16x5x5xi32>
  %1 = relay.cast %0 {dtype = f32} : (tensor<1x16x5x5xi32>) -> tensor<1x16x5x5xf32>
  return %1 : tensor<1x16x5x5xf32>
}

// CHECK-LABEL: func.func @dense(
// CHECK-SAME: %[[X:.+]]: tensor<3x7xui8>
// CHECK: %[[DATA:.+]] = relay.nn.pad %[[X]], %{{.+}} {pad_width = array<i64: 0, 0, 0, 1>}
// CHECK: %[[SUMS:.+]] = relay.qnn.contrib_dense_pack %[[DATA]], %{{.+}} : (tensor<3x8xui8>, tensor<1x2x16xi32>) -> tensor<3x16xi32>
// CHECK: relay.strided_slice %[[SUMS]]
// CHECK-SAME: tensor<3x5xi32>
func.func @dense(%x: tensor<3x7xui8>, %s: tensor<f32>) -> tensor<3x5xi32> {
  %w = relay.constant dense<3> : tensor<5x7xi8>
  %zero = relay.constant dense<0> : tensor<i32>
  %0 = relay.qnn.dense %x, %w, %zero, %zero, %s, %s
      : (tensor<3x7xui8>, tensor<5x7xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<3x5xi32>
  return %0 : tensor<3x5xi32>
}

// Signed data has no instruction: `qnn-legalize` changes it before.
// CHECK-LABEL: func.func @signed(
// CHECK: relay.qnn.dense
func.func @signed(%x: tensor<3x8xi8>, %s: tensor<f32>) -> tensor<3x5xi32> {
  %w = relay.constant dense<3> : tensor<5x8xi8>
  %zero = relay.constant dense<0> : tensor<i32>
  %0 = relay.qnn.dense %x, %w, %zero, %zero, %s, %s
      : (tensor<3x8xi8>, tensor<5x8xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<3x5xi32>
  return %0 : tensor<3x5xi32>
}
