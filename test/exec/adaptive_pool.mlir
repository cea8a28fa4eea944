// Pools with windows of equal and of different extents against their definition in numpy.
// RUN: %python %S/Inputs/adaptive_pool.py inputs %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/adaptive_pool.py check %t.in.npz %t.out.npz

func.func @main(%x: tensor<2x3x7xf32> {relay.name = "x"}, %y: tensor<1x2x8x5xf32> {relay.name = "y"},
                %z: tensor<1x2x3x4x7xf32> {relay.name = "z"}, %last: tensor<1x6x5x3xf32> {relay.name = "last"},
                %blocks: tensor<1x2x8x5x16xf32> {relay.name = "blocks"})
    -> (tensor<2x3x3xf32> {relay.name = "avg1d"}, tensor<2x3x9xf32> {relay.name = "max1d_larger"},
        tensor<1x2x4x3xf32> {relay.name = "avg2d"}, tensor<1x2x3x3xf32> {relay.name = "max2d"},
        tensor<1x2x1x1xf32> {relay.name = "avg2d_one"}, tensor<1x2x8x5xf32> {relay.name = "avg2d_same"},
        tensor<1x4x2x3xf32> {relay.name = "avg2d_last"}, tensor<1x2x2x2x3xf32> {relay.name = "avg3d"},
        tensor<1x2x3x2x5xf32> {relay.name = "max3d"}, tensor<1x2x3x3x16xf32> {relay.name = "avg2d_blocks"},
        tensor<1x2x4x1x16xf32> {relay.name = "max2d_blocks"}) {
  %avg1d = relay.nn.adaptive_avg_pool1d %x {output_size = array<i64: 3>} : (tensor<2x3x7xf32>) -> tensor<2x3x3xf32>
  %max1d_larger = relay.nn.adaptive_max_pool1d %x {output_size = array<i64: 9>} : (tensor<2x3x7xf32>) -> tensor<2x3x9xf32>
  %avg2d = relay.nn.adaptive_avg_pool2d %y {output_size = array<i64: 4, 3>} : (tensor<1x2x8x5xf32>) -> tensor<1x2x4x3xf32>
  %max2d = relay.nn.adaptive_max_pool2d %y {output_size = array<i64: 3>} : (tensor<1x2x8x5xf32>) -> tensor<1x2x3x3xf32>
  %avg2d_one = relay.nn.adaptive_avg_pool2d %y {output_size = array<i64: 1>} : (tensor<1x2x8x5xf32>) -> tensor<1x2x1x1xf32>
  %avg2d_same = relay.nn.adaptive_avg_pool2d %y : (tensor<1x2x8x5xf32>) -> tensor<1x2x8x5xf32>
  %avg2d_last = relay.nn.adaptive_avg_pool2d %last {output_size = array<i64: 4, 2>, layout = "NHWC"} : (tensor<1x6x5x3xf32>) -> tensor<1x4x2x3xf32>
  %avg3d = relay.nn.adaptive_avg_pool3d %z {output_size = array<i64: 2, 2, 3>} : (tensor<1x2x3x4x7xf32>) -> tensor<1x2x2x2x3xf32>
  %max3d = relay.nn.adaptive_max_pool3d %z {output_size = array<i64: 3, 2, 5>} : (tensor<1x2x3x4x7xf32>) -> tensor<1x2x3x2x5xf32>
  %avg2d_blocks = relay.nn.adaptive_avg_pool2d %blocks {output_size = array<i64: 3>, layout = "NCHW16c"} : (tensor<1x2x8x5x16xf32>) -> tensor<1x2x3x3x16xf32>
  %max2d_blocks = relay.nn.adaptive_max_pool2d %blocks {output_size = array<i64: 4, 1>, layout = "NCHW16c"} : (tensor<1x2x8x5x16xf32>) -> tensor<1x2x4x1x16xf32>
  return %avg1d, %max1d_larger, %avg2d, %max2d, %avg2d_one, %avg2d_same, %avg2d_last, %avg3d, %max3d, %avg2d_blocks, %max2d_blocks
    : tensor<2x3x3xf32>, tensor<2x3x9xf32>, tensor<1x2x4x3xf32>, tensor<1x2x3x3xf32>, tensor<1x2x1x1xf32>,
      tensor<1x2x8x5xf32>, tensor<1x4x2x3xf32>, tensor<1x2x2x2x3xf32>, tensor<1x2x3x2x5xf32>,
      tensor<1x2x3x3x16xf32>, tensor<1x2x4x1x16xf32>
}
