// RUN: relay-opt %s --fake-quantization-to-integer | FileCheck %s

// The data and the weight of a convolution are multiplied as integers; the step of the sums is the product of their steps.
// CHECK-LABEL: func.func @conv2d(
// CHECK-SAME: %[[X:.+]]: tensor<1x4x5x5xui8>, %[[SX:.+]]: tensor<f32>, %[[ZX:.+]]: tensor<i32>)
// CHECK: %[[SUMS:.+]] = relay.qnn.conv2d %[[X]], %[[W:.+]], %[[ZX]], %[[ZW:.+]], %[[SX]], %[[SW:.+]] {padding = array<i64: 1, 1, 1, 1>}
// CHECK: %[[FLOATS:.+]] = relay.cast %[[SUMS]] {dtype = f32}
// CHECK: %[[STEP:.+]] = relay.multiply %[[SW]], %[[SX]]
// CHECK: %[[STEPS:.+]] = relay.reshape %[[STEP]] {newshape = array<i64: 2, 1, 1>}
// CHECK: %[[R:.+]] = relay.multiply %[[FLOATS]], %[[STEPS]]
// CHECK: return %[[R]]
func.func @conv2d(%x: tensor<1x4x5x5xui8>, %sx: tensor<f32>, %zx: tensor<i32>) -> tensor<1x2x5x5xf32> {
  %w = relay.constant dense<3> : tensor<2x4x3x3xi8>
  %sw = relay.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %zw = relay.constant dense<0> : tensor<2xi32>
  %0 = relay.qnn.dequantize %x, %sx, %zx : (tensor<1x4x5x5xui8>, tensor<f32>, tensor<i32>) -> tensor<1x4x5x5xf32>
  %1 = relay.qnn.dequantize %w, %sw, %zw {axis = 0} : (tensor<2x4x3x3xi8>, tensor<2xf32>, tensor<2xi32>) -> tensor<2x4x3x3xf32>
  %2 = relay.nn.conv2d %0, %1 {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x4x5x5xf32>, tensor<2x4x3x3xf32>) -> tensor<1x2x5x5xf32>
  return %2 : tensor<1x2x5x5xf32>
}

// What moves elements between the data and its product moves bytes; a weight may be transposed.
// CHECK-LABEL: func.func @dense(
// CHECK-SAME: %[[X:.+]]: tensor<2x3x4xui8>
// CHECK-DAG: %[[ROWS:.+]] = relay.reshape %[[X]] {newshape = array<i64: 6, 4>} : (tensor<2x3x4xui8>)
// CHECK-DAG: %[[WEIGHT:.+]] = relay.transpose %{{.+}} {axes = array<i64: 1, 0>} : (tensor<4x5xi8>)
// CHECK: relay.qnn.dense %[[ROWS]], %[[WEIGHT]]
// CHECK-NOT: relay.nn.dense
func.func @dense(%x: tensor<2x3x4xui8>, %s: tensor<f32>, %z: tensor<i32>) -> tensor<6x5xf32> {
  %w = relay.constant dense<3> : tensor<4x5xi8>
  %sw = relay.constant dense<0.5> : tensor<5xf32>
  %zw = relay.constant dense<0> : tensor<i32>
  %0 = relay.qnn.dequantize %x, %s, %z : (tensor<2x3x4xui8>, tensor<f32>, tensor<i32>) -> tensor<2x3x4xf32>
  %1 = relay.reshape %0 {newshape = array<i64: 6, 4>} : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %2 = relay.qnn.dequantize %w, %sw, %zw : (tensor<4x5xi8>, tensor<5xf32>, tensor<i32>) -> tensor<4x5xf32>
  %3 = relay.transpose %2 {axes = array<i64: 1, 0>} : (tensor<4x5xf32>) -> tensor<5x4xf32>
  %4 = relay.nn.dense %1, %3 : (tensor<6x4xf32>, tensor<5x4xf32>) -> tensor<6x5xf32>
  return %4 : tensor<6x5xf32>
}

// Floats stay: steps along the inputs, a weight that is not known, groups of two channels, data with several steps.
// CHECK-LABEL: func.func @floats(
// CHECK-NOT: relay.qnn.dense
// CHECK-NOT: relay.qnn.conv2d
// CHECK: return
func.func @floats(%x: tensor<6x4xui8>, %s: tensor<f32>, %z: tensor<i32>, %w: tensor<5x4xi8>, %several: tensor<4xf32>,
                  %image: tensor<1x4x5x5xui8>)
    -> (tensor<6x5xf32>, tensor<6x5xf32>, tensor<1x4x5x5xf32>, tensor<6x5xf32>) {
  %known = relay.constant dense<3> : tensor<5x4xi8>
  %kernel = relay.constant dense<3> : tensor<4x2x1x1xi8>
  %data = relay.qnn.dequantize %x, %s, %z : (tensor<6x4xui8>, tensor<f32>, tensor<i32>) -> tensor<6x4xf32>
  %along = relay.qnn.dequantize %known, %several, %z {axis = 1} : (tensor<5x4xi8>, tensor<4xf32>, tensor<i32>) -> tensor<5x4xf32>
  %0 = relay.nn.dense %data, %along : (tensor<6x4xf32>, tensor<5x4xf32>) -> tensor<6x5xf32>
  %open = relay.qnn.dequantize %w, %s, %z : (tensor<5x4xi8>, tensor<f32>, tensor<i32>) -> tensor<5x4xf32>
  %1 = relay.nn.dense %data, %open : (tensor<6x4xf32>, tensor<5x4xf32>) -> tensor<6x5xf32>
  %pixels = relay.qnn.dequantize %image, %s, %z : (tensor<1x4x5x5xui8>, tensor<f32>, tensor<i32>) -> tensor<1x4x5x5xf32>
  %small = relay.qnn.dequantize %kernel, %s, %z : (tensor<4x2x1x1xi8>, tensor<f32>, tensor<i32>) -> tensor<4x2x1x1xf32>
  %2 = relay.nn.conv2d %pixels, %small {groups = 2} : (tensor<1x4x5x5xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x5x5xf32>
  %columns = relay.qnn.dequantize %x, %several, %z : (tensor<6x4xui8>, tensor<4xf32>, tensor<i32>) -> tensor<6x4xf32>
  %whole = relay.qnn.dequantize %known, %s, %z : (tensor<5x4xi8>, tensor<f32>, tensor<i32>) -> tensor<5x4xf32>
  %3 = relay.nn.dense %columns, %whole : (tensor<6x4xf32>, tensor<5x4xf32>) -> tensor<6x5xf32>
  return %0, %1, %2, %3 : tensor<6x5xf32>, tensor<6x5xf32>, tensor<1x4x5x5xf32>, tensor<6x5xf32>
}

// Elements are moved, and the largest ones chosen, as bytes; in the same steps, bytes stay bytes.
// CHECK-LABEL: func.func @moves(
// CHECK-SAME: %[[X:.+]]: tensor<1x2x4x4xui8>
// CHECK: %[[POOL:.+]] = relay.nn.max_pool2d %[[X]]
// CHECK: %[[Z:.+]] = relay.cast %{{.+}} {dtype = ui8}
// CHECK: %[[PADDED:.+]] = relay.nn.pad %[[POOL]], %[[Z]]
// CHECK: %[[JOINED:.+]] = relay.concatenate %[[PADDED]], %[[PADDED]]
// CHECK: return %[[JOINED]]
func.func @moves(%x: tensor<1x2x4x4xui8>) -> tensor<1x4x4x4xui8> {
  %s = relay.constant dense<0.5> : tensor<f32>
  %z = relay.constant dense<3> : tensor<i32>
  %same = relay.constant dense<0.5> : tensor<f32>
  %none = relay.constant dense<0.0> : tensor<f32>
  %0 = relay.qnn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<i32>) -> tensor<1x2x4x4xf32>
  %1 = relay.nn.max_pool2d %0 {pool_size = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32>
  %2 = relay.nn.pad %1, %none {pad_width = array<i64: 0, 0, 0, 0, 1, 1, 1, 1>} : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  %3 = relay.concatenate %2, %2 {axis = 1} : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x4x4x4xf32>
  %4 = relay.qnn.quantize %3, %same, %z {out_dtype = ui8} : (tensor<1x4x4x4xf32>, tensor<f32>, tensor<i32>) -> tensor<1x4x4x4xui8>
  return %4 : tensor<1x4x4x4xui8>
}

// Arithmetic on elements stays on floats, and so does what is quantised in other steps.
// CHECK-LABEL: func.func @elements(
// CHECK: relay.add %{{.+}} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
// CHECK: relay.qnn.quantize
func.func @elements(%x: tensor<3xui8>, %s: tensor<f32>, %t: tensor<f32>, %z: tensor<i32>) -> tensor<3xui8> {
  %0 = relay.qnn.dequantize %x, %s, %z : (tensor<3xui8>, tensor<f32>, tensor<i32>) -> tensor<3xf32>
  %1 = relay.add %0, %0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %2 = relay.qnn.quantize %1, %t, %z {out_dtype = ui8} : (tensor<3xf32>, tensor<f32>, tensor<i32>) -> tensor<3xui8>
  return %2 : tensor<3xui8>
}

// A convolution in one dimension is one of an image of one row.
// CHECK-LABEL: func.func @conv1d(
// CHECK: relay.qnn.conv2d %{{.+}} {{.*}}padding = array<i64: 0, 1, 0, 2>{{.*}} : (tensor<1x4x1x9xui8>, tensor<2x4x1x3xi8>
// CHECK: relay.reshape %{{.+}} : (tensor<1x2x1x10xf32>) -> tensor<1x2x10xf32>
func.func @conv1d(%x: tensor<1x4x9xui8>, %s: tensor<f32>, %z: tensor<i32>) -> tensor<1x2x10xf32> {
  %w = relay.constant dense<3> : tensor<2x4x3xi8>
  %0 = relay.qnn.dequantize %x, %s, %z : (tensor<1x4x9xui8>, tensor<f32>, tensor<i32>) -> tensor<1x4x9xf32>
  %1 = relay.qnn.dequantize %w, %s, %z : (tensor<2x4x3xi8>, tensor<f32>, tensor<i32>) -> tensor<2x4x3xf32>
  %2 = relay.nn.conv1d %0, %1 {padding = array<i64: 1, 2>} : (tensor<1x4x9xf32>, tensor<2x4x3xf32>) -> tensor<1x2x10xf32>
  return %2 : tensor<1x2x10xf32>
}

// Transposed convolutions in one group are of bytes, too; in one dimension, of images of one row.
// CHECK-LABEL: func.func @transposed(
// CHECK: relay.qnn.conv2d_transpose %{{.+}} {{.*}}strides = array<i64: 1, 2>{{.*}} : (tensor<1x4x1x9xui8>, tensor<4x2x1x3xi8>
// CHECK: relay.nn.conv1d_transpose
func.func @transposed(%x: tensor<1x4x9xui8>, %s: tensor<f32>, %z: tensor<i32>) -> (tensor<1x2x17xf32>, tensor<1x4x17xf32>) {
  %none = relay.constant dense<0> : tensor<i32>
  %w = relay.constant dense<3> : tensor<4x2x3xi8>
  %0 = relay.qnn.dequantize %x, %s, %z : (tensor<1x4x9xui8>, tensor<f32>, tensor<i32>) -> tensor<1x4x9xf32>
  %1 = relay.qnn.dequantize %w, %s, %none : (tensor<4x2x3xi8>, tensor<f32>, tensor<i32>) -> tensor<4x2x3xf32>
  %2 = relay.nn.conv1d_transpose %0, %1 {padding = array<i64: 1, 1>, strides = array<i64: 2>}
    : (tensor<1x4x9xf32>, tensor<4x2x3xf32>) -> tensor<1x2x17xf32>
  %3 = relay.nn.conv1d_transpose %0, %1 {padding = array<i64: 1, 1>, strides = array<i64: 2>, groups = 2 : i64}
    : (tensor<1x4x9xf32>, tensor<4x2x3xf32>) -> tensor<1x4x17xf32>
  return %2, %3 : tensor<1x2x17xf32>, tensor<1x4x17xf32>
}

// A convolution of volumes: the planes that a window meets are channels of an image, and the planes of the result are samples.
// CHECK-LABEL: func.func @conv3d(
// CHECK: relay.nn.pad %{{.+}} {pad_width = array<i64: 1, 1, 0, 0, 0, 0, 0, 0>} : (tensor<5x4x6x6xui8>
// CHECK: relay.qnn.conv2d %{{.+}} : (tensor<5x12x6x6xui8>, tensor<2x12x3x3xi8>
func.func @conv3d(%x: tensor<1x4x5x6x6xui8>, %s: tensor<f32>, %z: tensor<i32>) -> tensor<1x2x5x6x6xf32> {
  %w = relay.constant dense<3> : tensor<2x4x3x3x3xi8>
  %0 = relay.qnn.dequantize %x, %s, %z : (tensor<1x4x5x6x6xui8>, tensor<f32>, tensor<i32>) -> tensor<1x4x5x6x6xf32>
  %1 = relay.qnn.dequantize %w, %s, %z : (tensor<2x4x3x3x3xi8>, tensor<f32>, tensor<i32>) -> tensor<2x4x3x3x3xf32>
  %2 = relay.nn.conv3d %0, %1 {padding = array<i64: 1, 1, 1, 1, 1, 1>} : (tensor<1x4x5x6x6xf32>, tensor<2x4x3x3x3xf32>) -> tensor<1x2x5x6x6xf32>
  return %2 : tensor<1x2x5x6x6xf32>
}

// A reshape stays on floats before an operator on floats: what is before it writes them.
// CHECK-LABEL: func.func @view(
// CHECK: relay.reshape %{{.+}} : (tensor<4xf32>) -> tensor<2x2xf32>
func.func @view(%x: tensor<4xui8>, %s: tensor<f32>, %z: tensor<i32>) -> tensor<2x2xf32> {
  %0 = relay.qnn.dequantize %x, %s, %z : (tensor<4xui8>, tensor<f32>, tensor<i32>) -> tensor<4xf32>
  %1 = relay.reshape %0 {newshape = array<i64: 2, 2>} : (tensor<4xf32>) -> tensor<2x2xf32>
  %2 = relay.nn.softmax %1 : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

// Products of two tensors of data, if there are many rows; few ones do not pay for packing the second one.
// CHECK-LABEL: func.func @attention(
// CHECK-SAME: %[[X:.+]]: tensor<1x2x64x8xui8>, %[[Y:.+]]: tensor<1x2x64x8xi8>
// CHECK-DAG: %[[ROWS:.+]] = relay.reshape %[[X]] {newshape = array<i64: 2, 64, 8>}
// CHECK-DAG: %[[COLUMNS:.+]] = relay.reshape %[[Y]] {newshape = array<i64: 2, 64, 8>}
// CHECK: relay.qnn.batch_matmul %[[ROWS]], %[[COLUMNS]], %{{.+}} {{.*}}transpose_b = true
// CHECK: relay.nn.batch_matmul %{{.+}} : (tensor<2x4x8xf32>
func.func @attention(%x: tensor<1x2x64x8xui8>, %y: tensor<1x2x64x8xi8>, %few: tensor<2x4x8xui8>, %s: tensor<f32>, %z: tensor<i32>)
    -> (tensor<2x64x64xf32>, tensor<2x4x64xf32>) {
  %0 = relay.qnn.dequantize %x, %s, %z : (tensor<1x2x64x8xui8>, tensor<f32>, tensor<i32>) -> tensor<1x2x64x8xf32>
  %1 = relay.qnn.dequantize %y, %s, %z : (tensor<1x2x64x8xi8>, tensor<f32>, tensor<i32>) -> tensor<1x2x64x8xf32>
  %2 = relay.reshape %0 {newshape = array<i64: 2, 64, 8>} : (tensor<1x2x64x8xf32>) -> tensor<2x64x8xf32>
  %3 = relay.reshape %1 {newshape = array<i64: 2, 64, 8>} : (tensor<1x2x64x8xf32>) -> tensor<2x64x8xf32>
  %4 = relay.nn.batch_matmul %2, %3 {transpose_b = true} : (tensor<2x64x8xf32>, tensor<2x64x8xf32>) -> tensor<2x64x64xf32>
  %5 = relay.qnn.dequantize %few, %s, %z : (tensor<2x4x8xui8>, tensor<f32>, tensor<i32>) -> tensor<2x4x8xf32>
  %6 = relay.nn.batch_matmul %5, %3 {transpose_b = true} : (tensor<2x4x8xf32>, tensor<2x64x8xf32>) -> tensor<2x4x64xf32>
  return %4, %6 : tensor<2x64x64xf32>, tensor<2x4x64xf32>
}
