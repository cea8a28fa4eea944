// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @bits(
func.func @bits(%n: tensor<2x64x3xui8>, %a: tensor<3x40xui8>, %b: tensor<5x40xui8>, %x: tensor<2x6x5x8xi8>, %w: tensor<3x2x8x4xi8>) {
  // CHECK: relay.nn.bitpack {{.*}} -> tensor<2x2x3x3xui32>
  %0 = relay.nn.bitpack %n {bits = 3 : i64, bit_axis = 2 : i64, pack_type = ui32} : (tensor<2x64x3xui8>) -> tensor<2x2x3x3xui32>
  // CHECK: relay.nn.bitserial_dense {{.*}} -> tensor<3x5xi16>
  %1 = relay.nn.bitserial_dense %a, %b {data_bits = 4 : i64} : (tensor<3x40xui8>, tensor<5x40xui8>) -> tensor<3x5xi16>
  // CHECK: relay.nn.bitserial_conv2d {{.*}} -> tensor<2x4x4x4xi32>
  %2 = relay.nn.bitserial_conv2d %x, %w {data_layout = "NHWC", kernel_layout = "HWIO", out_dtype = i32} : (tensor<2x6x5x8xi8>, tensor<3x2x8x4xi8>) -> tensor<2x4x4x4xi32>
  return
}

// CHECK-LABEL: func.func @tiles(
func.func @tiles(%x: tensor<2x6x5x3xf32>, %w: tensor<3x2x3x7xf32>, %b: tensor<3x2x3x7xi8>) {
  // CHECK: relay.nn.contrib_conv2d_gemm_weight_transform {{.*}} -> tensor<2x12x2x4xf32>
  %0 = relay.nn.contrib_conv2d_gemm_weight_transform %w {tile_N = 4 : i64, tile_K = 2 : i64} : (tensor<3x2x3x7xf32>) -> tensor<2x12x2x4xf32>
  // CHECK: relay.nn.contrib_conv2d_gemm_weight_transform {{.*}} -> tensor<2x12x4x2xi8>
  %1 = relay.nn.contrib_conv2d_gemm_weight_transform %b {tile_N = 4 : i64, tile_K = 2 : i64} : (tensor<3x2x3x7xi8>) -> tensor<2x12x4x2xi8>
  // CHECK: relay.nn.contrib_conv2d_gemm_without_weight_transform {{.*}} -> tensor<2x4x4x7xf32>
  %2 = relay.nn.contrib_conv2d_gemm_without_weight_transform %x, %0 {channels = 7 : i64, kernel_size = array<i64: 3, 2>} : (tensor<2x6x5x3xf32>, tensor<2x12x2x4xf32>) -> tensor<2x4x4x7xf32>
  return
}
