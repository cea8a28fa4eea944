// RUN: relay-opt %s --dynamic-to-static --split-input-file | FileCheck %s

// The shape of another tensor is a constant, and the types behind are known then, the function's with them.
// CHECK-LABEL: func.func @reshape(
// CHECK-SAME: -> tensor<8x3xf32>
// CHECK-NEXT: %[[R:.+]] = relay.reshape %arg0 {newshape = array<i64: 8, 3>} : (tensor<2x3x4xf32>) -> tensor<8x3xf32>
// CHECK-NEXT: %[[Y:.+]] = relay.nn.relu %[[R]] : (tensor<8x3xf32>) -> tensor<8x3xf32>
// CHECK-NEXT: return %[[Y]]
func.func @reshape(%x: tensor<2x3x4xf32>, %y: tensor<8x3xf32>) -> tensor<?x?xf32> {
  %s = relay.shape_of %y : (tensor<8x3xf32>) -> tensor<2xi32>
  %0 = relay.dyn.reshape %x, %s : (tensor<2x3x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %r = relay.nn.relu %0 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// Shapes of results that were dynamic.
// CHECK-LABEL: func.func @quad_reshape(
// CHECK-SAME: -> tensor<2x3x4xf32>
// CHECK-NEXT: relay.reshape {{.*}} -> tensor<8x3xf32>
// CHECK-NEXT: relay.abs {{.*}} -> tensor<8x3xf32>
// CHECK-NEXT: relay.reshape {{.*}} -> tensor<2x3x4xf32>
// CHECK-NEXT: relay.reshape {{.*}} -> tensor<8x3xf32>
// CHECK-NEXT: relay.reshape {{.*}} -> tensor<2x3x4xf32>
// CHECK-NEXT: return
func.func @quad_reshape(%x: tensor<2x3x4xf32>, %y: tensor<8x3xf32>) -> tensor<?x?x?xf32> {
  %s0 = relay.shape_of %y : (tensor<8x3xf32>) -> tensor<2xi32>
  %0 = relay.dyn.reshape %x, %s0 : (tensor<2x3x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %a = relay.abs %0 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %s1 = relay.shape_of %x {dtype = i64} : (tensor<2x3x4xf32>) -> tensor<3xi64>
  %1 = relay.dyn.reshape %a, %s1 : (tensor<?x?xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  %s2 = relay.shape_of %a : (tensor<?x?xf32>) -> tensor<2xi32>
  %2 = relay.dyn.reshape %1, %s2 : (tensor<?x?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %s3 = relay.shape_of %1 : (tensor<?x?x?xf32>) -> tensor<3xi32>
  %r = relay.dyn.reshape %2, %s3 : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

// -----

// What is computed with shapes is computed by fold-constant.
// CHECK-LABEL: func.func @arithmetic(
// CHECK-NEXT: relay.tile %arg1 {reps = array<i64: 6, 4>} : (tensor<1x6xi8>) -> tensor<6x24xi8>
func.func @arithmetic(%x: tensor<2x3x4xf32>, %y: tensor<1x6xi8>) -> tensor<?x?xi8> {
  %s = relay.shape_of %x : (tensor<2x3x4xf32>) -> tensor<3xi32>
  %i = relay.constant dense<[2, 0]> : tensor<2xi32>
  %two = relay.constant dense<2> : tensor<i32>
  %0 = relay.take %s, %i {axis = 0 : i64} : (tensor<3xi32>, tensor<2xi32>) -> tensor<2xi32>
  %1 = relay.add %0, %two : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  %r = relay.dyn.tile %y, %1 : (tensor<1x6xi8>, tensor<2xi32>) -> tensor<?x?xi8>
  return %r : tensor<?x?xi8>
}

// -----

// TVM's codes for dimensions of the data, and zeros that are allowed.
// CHECK-LABEL: func.func @codes(
// CHECK: relay.reshape %arg0 {newshape = array<i64: 6, -1>} : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
// CHECK-NEXT: relay.reshape %arg0 {newshape = array<i64: 2, -1, 1>} : (tensor<2x3x4xf32>) -> tensor<2x12x1xf32>
// CHECK-NEXT: relay.reshape %arg1 {newshape = array<i64: 0, 5>} : (tensor<0x3xf32>) -> tensor<0x5xf32>
func.func @codes(%x: tensor<2x3x4xf32>, %y: tensor<0x3xf32>) -> (tensor<?x?xf32>, tensor<?x?x?xf32>, tensor<?x?xf32>) {
  %s = relay.constant dense<[-3, -1]> : tensor<2xi64>
  %z = relay.constant dense<[0, -1, 1]> : tensor<3xi64>
  %a = relay.constant dense<[0, 5]> : tensor<2xi16>
  %0 = relay.dyn.reshape %x, %s : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %1 = relay.dyn.reshape %x, %z : (tensor<2x3x4xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  %2 = relay.dyn.reshape %y, %a {allowzero = true} : (tensor<0x3xf32>, tensor<2xi16>) -> tensor<?x?xf32>
  return %0, %1, %2 : tensor<?x?xf32>, tensor<?x?x?xf32>, tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @squeeze_expand(
// CHECK-NEXT: %[[S:.+]] = relay.squeeze %arg0 {axis = array<i64: 0, 3>} : (tensor<1x3x4x1xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: relay.expand_dims %[[S]] {axis = -1 : i64, num_newaxis = 2 : i64} : (tensor<3x4xf32>) -> tensor<3x4x1x1xf32>
func.func @squeeze_expand(%x: tensor<1x3x4x1xf32>, %y: tensor<0x3xf32>) -> tensor<?x?x?x?xf32> {
  %s = relay.shape_of %y : (tensor<0x3xf32>) -> tensor<2xi32>
  %m = relay.constant dense<-1> : tensor<i32>
  %0 = relay.dyn.squeeze %x, %s : (tensor<1x3x4x1xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %r = relay.dyn.expand_dims %0, %m {num_newaxis = 2 : i64} : (tensor<?x?xf32>, tensor<i32>) -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}

// -----

// The one of fewer dimensions, data or counts, gets some.
// CHECK-LABEL: func.func @tile(
// CHECK: %[[X:.+]] = relay.expand_dims %arg0 {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
// CHECK-NEXT: %[[T:.+]] = relay.tile %[[X]] {reps = array<i64: 2, 1, 5>} : (tensor<1x2x3xf32>) -> tensor<2x2x15xf32>
// CHECK-NEXT: relay.tile %[[T]] {reps = array<i64: 1, 1, 4>} : (tensor<2x2x15xf32>) -> tensor<2x2x60xf32>
func.func @tile(%x: tensor<2x3xf32>) -> tensor<?x?x?xf32> {
  %s = relay.constant dense<[2, 1, 5]> : tensor<3xi32>
  %t = relay.constant dense<4> : tensor<1xi32>
  %0 = relay.dyn.tile %x, %s : (tensor<2x3xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  %r = relay.dyn.tile %0, %t : (tensor<?x?x?xf32>, tensor<1xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

// -----

// CHECK-LABEL: func.func @filled(
// CHECK-SAME: -> tuple<tensor<3x2xi8>, tensor<4x3x2xf32>>
// CHECK-NEXT: relay.broadcast_to %arg0 {shape = array<i64: 3, 2>} : (tensor<3x1xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: relay.zeros {dtype = f32, shape = array<i64: 3, 2>}
// CHECK-NEXT: relay.ones {dtype = f32, shape = array<i64: 3, 2>}
// CHECK-NEXT: relay.full %arg2 {shape = array<i64: 3, 2>} : (tensor<f32>) -> tensor<3x2xf32>
// CHECK-NEXT: relay.full %arg2 {dtype = i8, shape = array<i64: 3, 2>} : (tensor<f32>) -> tensor<3x2xi8>
func.func @filled(%x: tensor<3x1xf32>, %y: tensor<3x2xi64>, %f: tensor<f32>) -> tuple<tensor<?x?xi8>, tensor<4x?x?xf32>> {
  %s = relay.shape_of %y : (tensor<3x2xi64>) -> tensor<2xi32>
  %0 = relay.dyn.broadcast_to %x, %s : (tensor<3x1xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = relay.dyn.zeros %s {dtype = f32} : (tensor<2xi32>) -> tensor<?x?xf32>
  %2 = relay.dyn.ones %s {dtype = f32} : (tensor<2xi32>) -> tensor<?x?xf32>
  %3 = relay.dyn.full %f, %s : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
  %4 = relay.dyn.full %f, %s {dtype = i8} : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xi8>
  %5 = relay.stack %0, %1, %2, %3 : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<4x?x?xf32>
  %r = relay.tuple %4, %5 : (tensor<?x?xi8>, tensor<4x?x?xf32>) -> tuple<tensor<?x?xi8>, tensor<4x?x?xf32>>
  return %r : tuple<tensor<?x?xi8>, tensor<4x?x?xf32>>
}

// -----

// Sizes count from where the slice begins.
// CHECK-LABEL: func.func @strided_slice(
// CHECK: %[[S:.+]] = relay.strided_slice %arg0 {axes = array<i64: 0, 1>, begin = array<i64: 1, -3>, end = array<i64: 9223372036854775807, -1>, strides = array<i64: 1, 1>} : (tensor<3x4x3xf32>) -> tensor<2x2x3xf32>
// CHECK-NEXT: relay.strided_slice %[[S]] {axes = array<i64: 1, 2>, begin = array<i64: 1, -3>, end = array<i64: -1, 2>, strides = array<i64: 1, 2>} : (tensor<2x2x3xf32>) -> tensor<2x0x1xf32>
func.func @strided_slice(%x: tensor<3x4x3xf32>) -> tensor<?x?x?xf32> {
  %b = relay.constant dense<[1, -3]> : tensor<2xi64>
  %e = relay.constant dense<[-1, 2]> : tensor<2xi64>
  %s = relay.constant dense<[1, 2]> : tensor<2xi64>
  %0 = relay.dyn.strided_slice %x, %b, %e, %s {slice_mode = "size"} : (tensor<3x4x3xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?x3xf32>
  %r = relay.dyn.strided_slice %0, %b, %e, %s {axes = array<i64: 1, 2>} : (tensor<?x?x3xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

// -----

// CHECK-LABEL: func.func @pad(
// CHECK: relay.nn.pad %arg0, %arg1 {pad_mode = "edge", pad_width = array<i64: 1, 2, 0, 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x4xf32>
func.func @pad(%x: tensor<2x3xf32>, %v: tensor<f32>) -> tensor<?x?xf32> {
  %w = relay.constant dense<[[1, 2], [0, 1]]> : tensor<2x2xi64>
  %r = relay.dyn.nn.pad %x, %w, %v {pad_mode = "edge"} : (tensor<2x3xf32>, tensor<2x2xi64>, tensor<f32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @images(
// CHECK: %[[U:.+]] = relay.nn.upsampling %arg0 {align_corners = true, layout = "NHWC", method = "bilinear", scale_h = 2.000000e+00 : f64, scale_w = 5.000000e-01 : f64} : (tensor<1x4x5x2xf32>) -> tensor<1x8x2x2xf32>
// CHECK-NEXT: relay.image.resize2d %[[U]] {coordinate_transformation_mode = "asymmetric", layout = "NHWC", method = "nearest_neighbor", size = array<i64: 8, 3>} : (tensor<1x8x2x2xf32>) -> tensor<1x8x3x2xf32>
// CHECK-NEXT: relay.nn.upsampling3d %arg1 {coordinate_transformation_mode = "asymmetric", scale_d = 2.000000e+00 : f64, scale_h = 5.000000e-01 : f64, scale_w = 2.000000e+00 : f64} : (tensor<1x2x4x5x6xf32>) -> tensor<1x2x8x2x12xf32>
func.func @images(%x: tensor<1x4x5x2xf32>, %y: tensor<1x2x4x5x6xf32>) -> (tensor<1x?x?x2xf32>, tensor<1x2x?x?x?xf32>) {
  %two = relay.constant dense<2.0> : tensor<f32>
  %half = relay.constant dense<0.5> : tensor<f64>
  %size = relay.constant dense<[8, 3]> : tensor<2xi32>
  %roi = relay.constant dense<0.0> : tensor<4xf32>
  %0 = relay.dyn.nn.upsampling %x, %two, %half {layout = "NHWC", method = "bilinear", align_corners = true} : (tensor<1x4x5x2xf32>, tensor<f32>, tensor<f64>) -> tensor<1x?x?x2xf32>
  %1 = relay.dyn.image.resize2d %0, %size, %roi {layout = "NHWC", method = "nearest_neighbor", coordinate_transformation_mode = "asymmetric"} : (tensor<1x?x?x2xf32>, tensor<2xi32>, tensor<4xf32>) -> tensor<1x?x?x2xf32>
  %2 = relay.dyn.nn.upsampling3d %y, %two, %half, %two {coordinate_transformation_mode = "asymmetric"} : (tensor<1x2x4x5x6xf32>, tensor<f32>, tensor<f64>, tensor<f32>) -> tensor<1x2x?x?x?xf32>
  return %1, %2 : tensor<1x?x?x2xf32>, tensor<1x2x?x?x?xf32>
}

// -----

// Calls pass on what is known, and one dimension that is not known is what is left of the others.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: -> tensor<?x2xf32>
// CHECK: %[[R:.+]] = relay.reshape %arg0 {newshape = array<i64: -1, 2, 2>} : (tensor<?x4xf32>) -> tensor<?x2x2xf32>
// CHECK: call @half(%[[R]]) : (tensor<?x2x2xf32>) -> tensor<?x2xf32>
// CHECK: func.func private @half(%arg0: tensor<?x2x2xf32>) -> tensor<?x2xf32>
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x?xf32> {
  %s = relay.constant dense<[0, 2, 2]> : tensor<3xi64>
  %0 = relay.dyn.reshape %x, %s : (tensor<?x4xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  %1 = call @half(%0) : (tensor<?x?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
func.func private @half(%x: tensor<?x?x?xf32>) -> tensor<?x?xf32> {
  %0 = relay.sum %x {axis = array<i64: 2>} : (tensor<?x?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// What depends on values of parameters stays.
// CHECK-LABEL: func.func @parameter(
// CHECK: relay.dyn.reshape
func.func @parameter(%x: tensor<6xf32>, %s: tensor<2xi64> {relay.name = "size"}, %y: tensor<?x2xf32>) -> tensor<?x?xf32> {
  %0 = relay.shape_of %y {dtype = i64} : (tensor<?x2xf32>) -> tensor<2xi64>
  %1 = relay.add %0, %s : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %2 = relay.dyn.reshape %x, %1 : (tensor<6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @other(
// CHECK: relay.dyn.zeros
func.func @other(%c: tensor<i1>, %s: tensor<1xi32>, %t: tensor<1xi32>) -> tensor<?xf32> {
  %0 = relay.if %c : (tensor<i1>) -> tensor<1xi32> {
    relay.yield %s : tensor<1xi32>
  } else {
    relay.yield %t : tensor<1xi32>
  }
  %1 = relay.dyn.zeros %0 {dtype = f32} : (tensor<1xi32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

// A symbol names how many places there are. Other symbols keep their names.
// CHECK-LABEL: func.func @argwhere(
// CHECK-SAME: -> tensor<?x2xi32, ["places_1"]>
// CHECK-NEXT: %[[P:.+]], %[[N:.+]] = relay.nonzero %arg0 : (tensor<2x3xf32>) -> (tensor<2x6xi64>, tensor<i64>)
// CHECK-NEXT: relay.dim_of %[[N]] {most = 6 : i64, symbol = "places_1"}
// CHECK-NEXT: relay.prefix %[[P]] {axis = 1 : i64, extent = ["places_1"]}
// CHECK-NEXT: relay.transpose
// CHECK-NEXT: relay.cast
func.func @argwhere(%x: tensor<2x3xf32>, %n: tensor<?xf32, ["places"]>) -> tensor<?x2xi32> {
  %0 = relay.argwhere %x : (tensor<2x3xf32>) -> tensor<?x2xi32>
  return %0 : tensor<?x2xi32>
}

// -----

// A branch names no numbers.
// CHECK-LABEL: func.func @argwhere_in_branch(
// CHECK: relay.argwhere
func.func @argwhere_in_branch(%x: tensor<2x3xf32>, %y: tensor<?x2xi32>, %c: tensor<i1>) -> tensor<?x2xi32> {
  %0 = relay.if %c : (tensor<i1>) -> tensor<?x2xi32> {
    %1 = relay.argwhere %x : (tensor<2x3xf32>) -> tensor<?x2xi32>
    relay.yield %1 : tensor<?x2xi32>
  } else {
    relay.yield %y : tensor<?x2xi32>
  }
  return %0 : tensor<?x2xi32>
}

// -----

// CHECK-LABEL: func.func @counted(
// CHECK: relay.one_hot %arg0, %{{.+}}, %{{.+}} {depth = 5 : i64, dtype = f32} : {{.*}} -> tensor<4x5xf32>
// CHECK: relay.topk %arg1 {dtype = i32, k = 2 : i64} : {{.*}} -> (tensor<3x2xf32>, tensor<3x2xi32>)
// CHECK: relay.sparse_to_dense %arg2, %arg3, %{{.+}} {output_shape = array<i64: 3, 8>} : {{.*}} -> tensor<3x8xf32>
func.func @counted(%i: tensor<4xi64>, %x: tensor<3x8xf32>, %at: tensor<4x2xi64>, %v: tensor<4xf32>)
    -> (tensor<4x?xf32>, tensor<3x?xf32>, tensor<3x?xi32>, tensor<?x?xf32>) {
  %f = relay.constant dense<1.0> : tensor<f32>
  %d = relay.constant dense<5> : tensor<i64>
  %k = relay.constant dense<2> : tensor<1xi64>
  %s = relay.shape_of %x {dtype = i64} : (tensor<3x8xf32>) -> tensor<2xi64>
  %0 = relay.dyn.one_hot %i, %f, %f, %d {dtype = f32} : (tensor<4xi64>, tensor<f32>, tensor<f32>, tensor<i64>) -> tensor<4x?xf32>
  %1:2 = relay.dyn.topk %x, %k {dtype = i32} : (tensor<3x8xf32>, tensor<1xi64>) -> (tensor<3x?xf32>, tensor<3x?xi32>)
  %2 = relay.dyn.sparse_to_dense %at, %v, %f, %s : (tensor<4x2xi64>, tensor<4xf32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0, %1#0, %1#1, %2 : tensor<4x?xf32>, tensor<3x?xf32>, tensor<3x?xi32>, tensor<?x?xf32>
}

// -----

// Rows without elements get one; the shape says how many rows there are.
// CHECK-LABEL: func.func @fill_rows(
// CHECK-SAME: -> (tensor<?x2xi64, ["places"]>, tensor<?xf32, ["places"]>, tensor<6xi64>)
// CHECK: relay.nonzero %{{.+}} : (tensor<9xi64>)
// CHECK-NEXT: relay.dim_of %{{.+}} {most = 9 : i64, symbol = "places"}
func.func @fill_rows(%i: tensor<3x2xi64>, %v: tensor<3xf32>, %d: tensor<f32>) -> (tensor<?x2xi64>, tensor<?xf32>, tensor<?xi64>) {
  %s = relay.constant dense<[6, 4]> : tensor<2xi64>
  %0:3 = relay.sparse_fill_empty_rows %i, %v, %s, %d : (tensor<3x2xi64>, tensor<3xf32>, tensor<2xi64>, tensor<f32>) -> (tensor<?x2xi64>, tensor<?xf32>, tensor<?xi64>)
  return %0#0, %0#1, %0#2 : tensor<?x2xi64>, tensor<?xf32>, tensor<?xi64>
}
