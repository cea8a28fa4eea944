// What takes many times the memory of a machine takes the compiler no longer than other sizes.
// RUN: relay-opt %s --fuse-ops --relay-to-te --lower-te --split-input-file -o %t

func.func @windows(%x: tensor<1x2x8x5xf32>) -> tensor<1x2x2147483647x3xf32> {
  %0 = relay.nn.adaptive_avg_pool2d %x {output_size = array<i64: 2147483647, 3>} : (tensor<1x2x8x5xf32>) -> tensor<1x2x2147483647x3xf32>
  return %0 : tensor<1x2x2147483647x3xf32>
}

// -----

func.func @pixels(%x: tensor<1x16x2147483647x64xf32>, %w: tensor<16x16x1x1xf32>) -> tensor<1x16x2147483647x64xf32> {
  %0 = relay.nn.conv2d %x, %w : (tensor<1x16x2147483647x64xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x2147483647x64xf32>
  return %0 : tensor<1x16x2147483647x64xf32>
}

// -----

func.func @rows(%x: tensor<2147483647x64xf32>, %w: tensor<64x64xf32>) -> tensor<2147483647x64xf32> {
  %0 = relay.nn.dense %x, %w : (tensor<2147483647x64xf32>, tensor<64x64xf32>) -> tensor<2147483647x64xf32>
  return %0 : tensor<2147483647x64xf32>
}
