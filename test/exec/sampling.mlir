// Images sampled at places, in windows and in regions, against plain loops.
// RUN: %python %S/Inputs/sampling.py inputs %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/sampling.py check %t.in.npz %t.out.npz

func.func @main(%x: tensor<2x3x5x6xf32> {relay.name = "x"}, %y: tensor<2x3x5x6xf32> {relay.name = "y"},
                %maps: tensor<2x2x3xf32> {relay.name = "maps"}, %grid: tensor<2x2x4x3xf32> {relay.name = "grid"},
                %boxes: tensor<3x4xf32> {relay.name = "boxes"}, %of: tensor<3xi32> {relay.name = "of"},
                %w: tensor<3x2x3xf32> {relay.name = "w"}, %rois: tensor<4x5xf32> {relay.name = "rois"})
    -> (tensor<2x2x4x3xf32> {relay.name = "affine"}, tensor<2x3x4x3xf32> {relay.name = "bilinear"},
        tensor<2x3x4x3xf32> {relay.name = "nearest"}, tensor<2x3x4x3xf32> {relay.name = "border"},
        tensor<3x3x4x3xf32> {relay.name = "crop"}, tensor<3x3x1x3xf32> {relay.name = "crop_nearest"},
        tensor<2x3x3x5xf32> {relay.name = "dilation"}, tensor<2x25x5x6xf32> {relay.name = "correlation"},
        tensor<2x9x2x2xf32> {relay.name = "difference"}, tensor<4x3x2x3xf32> {relay.name = "pool"}) {
  %affine = relay.image.affine_grid %maps {target_shape = array<i64: 4, 3>} : (tensor<2x2x3xf32>) -> tensor<2x2x4x3xf32>
  %bilinear = relay.image.grid_sample %x, %grid : (tensor<2x3x5x6xf32>, tensor<2x2x4x3xf32>) -> tensor<2x3x4x3xf32>
  %nearest = relay.image.grid_sample %x, %grid {method = "nearest", align_corners = false} : (tensor<2x3x5x6xf32>, tensor<2x2x4x3xf32>) -> tensor<2x3x4x3xf32>
  %border = relay.image.grid_sample %x, %grid {padding_mode = "border", align_corners = false} : (tensor<2x3x5x6xf32>, tensor<2x2x4x3xf32>) -> tensor<2x3x4x3xf32>
  %crop = relay.image.crop_and_resize %x, %boxes, %of {crop_size = array<i64: 4, 3>, extrapolation_value = -9.0} : (tensor<2x3x5x6xf32>, tensor<3x4xf32>, tensor<3xi32>) -> tensor<3x3x4x3xf32>
  %crop_nearest = relay.image.crop_and_resize %x, %boxes, %of {crop_size = array<i64: 1, 3>, method = "nearest_neighbor"} : (tensor<2x3x5x6xf32>, tensor<3x4xf32>, tensor<3xi32>) -> tensor<3x3x1x3xf32>
  %dilation = relay.image.dilation2d %x, %w {strides = array<i64: 2, 1>, padding = array<i64: 1, 0, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<2x3x5x6xf32>, tensor<3x2x3xf32>) -> tensor<2x3x3x5xf32>
  %correlation = relay.nn.correlation %x, %y {max_displacement = 2 : i64, padding = 2 : i64} : (tensor<2x3x5x6xf32>, tensor<2x3x5x6xf32>) -> tensor<2x25x5x6xf32>
  %difference = relay.nn.correlation %x, %y {kernel_size = 3 : i64, max_displacement = 2 : i64, stride1 = 2 : i64, stride2 = 2 : i64, padding = 2 : i64, is_multiply = false} : (tensor<2x3x5x6xf32>, tensor<2x3x5x6xf32>) -> tensor<2x9x2x2xf32>
  %pool = relay.vision.roi_pool %x, %rois {pooled_size = array<i64: 2, 3>, spatial_scale = 0.5} : (tensor<2x3x5x6xf32>, tensor<4x5xf32>) -> tensor<4x3x2x3xf32>
  return %affine, %bilinear, %nearest, %border, %crop, %crop_nearest, %dilation, %correlation, %difference, %pool
    : tensor<2x2x4x3xf32>, tensor<2x3x4x3xf32>, tensor<2x3x4x3xf32>, tensor<2x3x4x3xf32>, tensor<3x3x4x3xf32>, tensor<3x3x1x3xf32>,
      tensor<2x3x3x5xf32>, tensor<2x25x5x6xf32>, tensor<2x9x2x2xf32>, tensor<4x3x2x3xf32>
}
