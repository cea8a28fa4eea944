// On machines that multiply tiles of bytes, channels of a result come in blocks of 64 or 32 where these divide them: the next convolution
// reads such blocks. Units of a dense layer come in pairs of tiles.
// RUN: relay-opt %s --attach-target=target=sapphirerapids --alter-op-layout | FileCheck %s

// CHECK-LABEL: func.func @convs(
// CHECK: relay.qnn.contrib_conv2d_NCHWc {{.*}}kernel_layout = "OIHW16i64o"
// CHECK-SAME: (tensor<1x1x14x14x64xui8>, tensor<2x1x3x3x16x64xi32>) -> tensor<1x2x14x14x64xi32>
// A kernel of one pixel sees all of them in rows that fill tiles.
// CHECK: relay.qnn.contrib_conv2d_NCHWc {{.*}}kernel_layout = "OIHW16i32o"
// CHECK-SAME: tensor<3x2x1x1x16x32xi32>
// Without a multiple of 32, tiles have blocks of their own columns.
// CHECK: relay.qnn.contrib_conv2d_NCHWc {{.*}}kernel_layout = "OIHW8i16o"
// CHECK-SAME: (tensor<1x3x14x14x32xui8>, tensor<3x3x3x3x8x16xi32>) -> tensor<1x3x14x14x16xi32>
func.func @convs(%x: tensor<1x64x14x14xui8>, %s: tensor<f32>) -> tensor<1x40x14x14xi32> {
  %v = relay.constant dense<3> : tensor<128x64x3x3xi8>
  %w = relay.constant dense<2> : tensor<96x128x1x1xi8>
  %u = relay.constant dense<1> : tensor<40x96x3x3xi8>
  %zero = relay.constant dense<0> : tensor<i32>
  %0 = relay.qnn.conv2d %x, %v, %zero, %zero, %s, %s {padding = array<i64: 1, 1, 1, 1>}
      : (tensor<1x64x14x14xui8>, tensor<128x64x3x3xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<1x128x14x14xi32>
  %1 = relay.cast %0 {dtype = ui8} : (tensor<1x128x14x14xi32>) -> tensor<1x128x14x14xui8>
  %2 = relay.qnn.conv2d %1, %w, %zero, %zero, %s, %s
      : (tensor<1x128x14x14xui8>, tensor<96x128x1x1xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<1x96x14x14xi32>
  %3 = relay.cast %2 {dtype = ui8} : (tensor<1x96x14x14xi32>) -> tensor<1x96x14x14xui8>
  %4 = relay.qnn.conv2d %3, %u, %zero, %zero, %s, %s {padding = array<i64: 1, 1, 1, 1>}
      : (tensor<1x96x14x14xui8>, tensor<40x96x3x3xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<1x40x14x14xi32>
  return %4 : tensor<1x40x14x14xi32>
}

// Rows of one pixel are for vectors, in blocks of their lanes.
// CHECK-LABEL: func.func @column(
// CHECK: relay.qnn.contrib_conv2d_NCHWc {{.*}} : (tensor<1x4x14x1x16xui8>, tensor<4x4x3x1x4x16xi32>)
func.func @column(%x: tensor<1x64x14x1xui8>, %s: tensor<f32>) -> tensor<1x64x12x1xi32> {
  %w = relay.constant dense<3> : tensor<64x64x3x1xi8>
  %zero = relay.constant dense<0> : tensor<i32>
  %0 = relay.qnn.conv2d %x, %w, %zero, %zero, %s, %s
      : (tensor<1x64x14x1xui8>, tensor<64x64x3x1xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<1x64x12x1xi32>
  return %0 : tensor<1x64x12x1xi32>
}

// CHECK-LABEL: func.func @dense(
// CHECK: relay.qnn.contrib_dense_pack {{.*}} : (tensor<20x64xui8>, tensor<4x16x16xi32>) -> tensor<20x64xi32>
// One row is for vectors, in whole ones.
// CHECK: relay.qnn.contrib_dense_pack {{.*}} : (tensor<1x64xui8>, tensor<3x16x16xi32>) -> tensor<1x48xi32>
func.func @dense(%x: tensor<20x64xui8>, %y: tensor<1x64xui8>, %s: tensor<f32>) -> (tensor<20x48xi32>, tensor<1x48xi32>) {
  %w = relay.constant dense<3> : tensor<48x64xi8>
  %zero = relay.constant dense<0> : tensor<i32>
  %0 = relay.qnn.dense %x, %w, %zero, %zero, %s, %s
      : (tensor<20x64xui8>, tensor<48x64xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<20x48xi32>
  %1 = relay.qnn.dense %y, %w, %zero, %zero, %s, %s
      : (tensor<1x64xui8>, tensor<48x64xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<1x48xi32>
  return %0, %1 : tensor<20x48xi32>, tensor<1x48xi32>
}
