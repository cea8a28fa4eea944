// Lines, images and volumes at other sizes against ONNX Runtime.
// RUN: %python %S/Inputs/resize.py inputs %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/resize.py check %t.in.npz %t.out.npz

func.func @main(%x: tensor<2x3x7xf32> {relay.name = "x"}, %y: tensor<1x2x4x5xf32> {relay.name = "y"},
                %i: tensor<1x2x4x5xi32> {relay.name = "i"}, %last: tensor<1x4x5x2xf32> {relay.name = "last"},
                %z: tensor<1x2x3x4x5xf32> {relay.name = "z"}, %blocks: tensor<1x2x4x5x16xf32> {relay.name = "blocks"})
    -> (tensor<2x3x12xf32> {relay.name = "linear_half"}, tensor<2x3x12xf32> {relay.name = "linear_corners"},
        tensor<2x3x5xf32> {relay.name = "linear_asymmetric"}, tensor<2x3x1xf32> {relay.name = "linear_pytorch"},
        tensor<2x3x12xf32> {relay.name = "linear_tf"}, tensor<2x3x12xf32> {relay.name = "nearest_floor"},
        tensor<2x3x12xf32> {relay.name = "nearest_ceil"}, tensor<2x3x14xf32> {relay.name = "nearest_down"},
        tensor<2x3x14xf32> {relay.name = "nearest_up"}, tensor<2x3x12xf32> {relay.name = "nearest_tf"},
        tensor<2x3x13xf32> {relay.name = "nearest_corners"}, tensor<1x2x9x3xf32> {relay.name = "image_linear"},
        tensor<1x2x8x10xf32> {relay.name = "image_nearest"}, tensor<1x2x9x3xi32> {relay.name = "image_ints"},
        tensor<1x9x3x2xf32> {relay.name = "image_last"}, tensor<1x2x5x3x8xf32> {relay.name = "volume_linear"},
        tensor<1x2x6x8x10xf32> {relay.name = "volume_nearest"}, tensor<1x2x8x15xf32> {relay.name = "up_nearest"},
        tensor<1x2x6x10xf32> {relay.name = "up_linear"}, tensor<1x2x8x10xf32> {relay.name = "up_corners"},
        tensor<1x8x10x2xf32> {relay.name = "up_last"}, tensor<1x2x6x6x10xf32> {relay.name = "up3d_linear"},
        tensor<1x2x6x6x10xf32> {relay.name = "up3d_nearest"}, tensor<1x2x9x3x16xf32> {relay.name = "blocks_linear"},
        tensor<1x2x8x10x16xf32> {relay.name = "blocks_nearest"}) {
  %linear_half = relay.image.resize1d %x {size = array<i64: 12>} : (tensor<2x3x7xf32>) -> tensor<2x3x12xf32>
  %linear_corners = relay.image.resize1d %x {size = array<i64: 12>, coordinate_transformation_mode = "align_corners"} : (tensor<2x3x7xf32>) -> tensor<2x3x12xf32>
  %linear_asymmetric = relay.image.resize1d %x {size = array<i64: 5>, coordinate_transformation_mode = "asymmetric"} : (tensor<2x3x7xf32>) -> tensor<2x3x5xf32>
  %linear_pytorch = relay.image.resize1d %x {size = array<i64: 1>, coordinate_transformation_mode = "pytorch_half_pixel"} : (tensor<2x3x7xf32>) -> tensor<2x3x1xf32>
  %linear_tf = relay.image.resize1d %x {size = array<i64: 12>, coordinate_transformation_mode = "tf_half_pixel_for_nn"} : (tensor<2x3x7xf32>) -> tensor<2x3x12xf32>
  %nearest_floor = relay.image.resize1d %x {size = array<i64: 12>, method = "nearest_neighbor", coordinate_transformation_mode = "half_pixel", rounding_method = "floor"} : (tensor<2x3x7xf32>) -> tensor<2x3x12xf32>
  %nearest_ceil = relay.image.resize1d %x {size = array<i64: 12>, method = "nearest_neighbor", coordinate_transformation_mode = "half_pixel", rounding_method = "ceil"} : (tensor<2x3x7xf32>) -> tensor<2x3x12xf32>
  %nearest_down = relay.image.resize1d %x {size = array<i64: 14>, method = "nearest_neighbor", coordinate_transformation_mode = "asymmetric", rounding_method = "round_prefer_floor"} : (tensor<2x3x7xf32>) -> tensor<2x3x14xf32>
  %nearest_up = relay.image.resize1d %x {size = array<i64: 14>, method = "nearest_neighbor", coordinate_transformation_mode = "asymmetric", rounding_method = "round_prefer_ceil"} : (tensor<2x3x7xf32>) -> tensor<2x3x14xf32>
  %nearest_tf = relay.image.resize1d %x {size = array<i64: 12>, method = "nearest_neighbor", coordinate_transformation_mode = "tf_half_pixel_for_nn", rounding_method = "floor"} : (tensor<2x3x7xf32>) -> tensor<2x3x12xf32>
  %nearest_corners = relay.image.resize1d %x {size = array<i64: 13>, method = "nearest_neighbor", coordinate_transformation_mode = "align_corners", rounding_method = "round_prefer_floor"} : (tensor<2x3x7xf32>) -> tensor<2x3x13xf32>
  %image_linear = relay.image.resize2d %y {size = array<i64: 9, 3>} : (tensor<1x2x4x5xf32>) -> tensor<1x2x9x3xf32>
  %image_nearest = relay.image.resize2d %y {size = array<i64: 8, 10>, method = "nearest_neighbor", coordinate_transformation_mode = "asymmetric", rounding_method = "floor"} : (tensor<1x2x4x5xf32>) -> tensor<1x2x8x10xf32>
  %image_ints = relay.image.resize2d %i {size = array<i64: 9, 3>} : (tensor<1x2x4x5xi32>) -> tensor<1x2x9x3xi32>
  %image_last = relay.image.resize2d %last {size = array<i64: 9, 3>, layout = "NHWC", coordinate_transformation_mode = "align_corners"} : (tensor<1x4x5x2xf32>) -> tensor<1x9x3x2xf32>
  %volume_linear = relay.image.resize3d %z {size = array<i64: 5, 3, 8>} : (tensor<1x2x3x4x5xf32>) -> tensor<1x2x5x3x8xf32>
  %volume_nearest = relay.image.resize3d %z {size = array<i64: 6, 8, 10>, method = "nearest_neighbor", coordinate_transformation_mode = "asymmetric", rounding_method = "floor"} : (tensor<1x2x3x4x5xf32>) -> tensor<1x2x6x8x10xf32>
  %up_nearest = relay.nn.upsampling %y {scale_h = 2.0, scale_w = 3.0} : (tensor<1x2x4x5xf32>) -> tensor<1x2x8x15xf32>
  %up_linear = relay.nn.upsampling %y {scale_h = 1.5, scale_w = 2.0, method = "bilinear"} : (tensor<1x2x4x5xf32>) -> tensor<1x2x6x10xf32>
  %up_corners = relay.nn.upsampling %y {scale_h = 2.0, scale_w = 2.0, method = "bilinear", align_corners = true} : (tensor<1x2x4x5xf32>) -> tensor<1x2x8x10xf32>
  %up_last = relay.nn.upsampling %last {scale_h = 2.0, scale_w = 2.0, layout = "NHWC", align_corners = true} : (tensor<1x4x5x2xf32>) -> tensor<1x8x10x2xf32>
  %up3d_linear = relay.nn.upsampling3d %z {scale_d = 2.0, scale_h = 1.5, scale_w = 2.0, method = "trilinear"} : (tensor<1x2x3x4x5xf32>) -> tensor<1x2x6x6x10xf32>
  %up3d_nearest = relay.nn.upsampling3d %z {scale_d = 2.0, scale_h = 1.5, scale_w = 2.0} : (tensor<1x2x3x4x5xf32>) -> tensor<1x2x6x6x10xf32>
  %blocks_linear = relay.image.resize2d %blocks {size = array<i64: 9, 3>, layout = "NCHW16c"} : (tensor<1x2x4x5x16xf32>) -> tensor<1x2x9x3x16xf32>
  %blocks_nearest = relay.nn.upsampling %blocks {scale_h = 2.0, scale_w = 2.0, layout = "NCHW16c"} : (tensor<1x2x4x5x16xf32>) -> tensor<1x2x8x10x16xf32>
  return %linear_half, %linear_corners, %linear_asymmetric, %linear_pytorch, %linear_tf, %nearest_floor,
         %nearest_ceil, %nearest_down, %nearest_up, %nearest_tf, %nearest_corners, %image_linear,
         %image_nearest, %image_ints, %image_last, %volume_linear, %volume_nearest, %up_nearest,
         %up_linear, %up_corners, %up_last, %up3d_linear, %up3d_nearest,
         %blocks_linear, %blocks_nearest
    : tensor<2x3x12xf32>, tensor<2x3x12xf32>, tensor<2x3x5xf32>, tensor<2x3x1xf32>, tensor<2x3x12xf32>,
      tensor<2x3x12xf32>, tensor<2x3x12xf32>, tensor<2x3x14xf32>, tensor<2x3x14xf32>, tensor<2x3x12xf32>,
      tensor<2x3x13xf32>, tensor<1x2x9x3xf32>, tensor<1x2x8x10xf32>, tensor<1x2x9x3xi32>, tensor<1x9x3x2xf32>,
      tensor<1x2x5x3x8xf32>, tensor<1x2x6x8x10xf32>, tensor<1x2x8x15xf32>, tensor<1x2x6x10xf32>, tensor<1x2x8x10xf32>,
      tensor<1x8x10x2xf32>, tensor<1x2x6x6x10xf32>, tensor<1x2x6x6x10xf32>,
      tensor<1x2x9x3x16xf32>, tensor<1x2x8x10x16xf32>
}
