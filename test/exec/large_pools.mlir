// Maxima of large windows, which are taken one dimension after the other, against numpy: strides, dilation,
// ceilings, channels last and in blocks, three dimensions, integers, and what is not a number; the same with
// one thread and with two.
// RUN: %python %S/Inputs/large_pools.py inputs %t.in.npz
// RUN: relayc run %s --threads 1 --inputs %t.in.npz --outputs %t.1.npz
// RUN: relayc run %s --threads 2 --inputs %t.in.npz --outputs %t.2.npz
// RUN: %python %S/Inputs/large_pools.py check %t.in.npz %t.1.npz
// RUN: %python %S/Inputs/large_pools.py check %t.in.npz %t.2.npz

func.func @main(%spp_x: tensor<1x24x20x20xf32> {relay.name = "spp_x"},
                %odd_x: tensor<2x3x17x23xf32> {relay.name = "odd_x"},
                %ceil_x: tensor<1x5x19x21xf32> {relay.name = "ceil_x"},
                %dilated_x: tensor<1x2x25x25xf32> {relay.name = "dilated_x"},
                %last_x: tensor<1x14x15x6xf32> {relay.name = "last_x"},
                %blocks_x: tensor<1x2x12x14x16xf32> {relay.name = "blocks_x"},
                %cube_x: tensor<1x3x9x10x11xf32> {relay.name = "cube_x"},
                %integers_x: tensor<1x3x12x12xi32> {relay.name = "integers_x"})
    -> (tensor<1x24x20x20xf32> {relay.name = "spp"},
        tensor<2x3x16x12xf32> {relay.name = "odd"},
        tensor<1x5x7x19xf32> {relay.name = "ceil"},
        tensor<1x2x25x20xf32> {relay.name = "dilated"},
        tensor<1x14x15x6xf32> {relay.name = "last"},
        tensor<1x2x12x14x16xf32> {relay.name = "blocks"},
        tensor<1x3x9x10x11xf32> {relay.name = "cube"},
        tensor<1x3x12x12xi32> {relay.name = "integers"}) {
  %spp = relay.nn.max_pool2d %spp_x {pool_size = array<i64: 13, 13>, strides = array<i64: 1, 1>, dilation = array<i64: 1, 1>, padding = array<i64: 6, 6, 6, 6>} : (tensor<1x24x20x20xf32>) -> tensor<1x24x20x20xf32>
  %odd = relay.nn.max_pool2d %odd_x {pool_size = array<i64: 7, 5>, strides = array<i64: 1, 2>, dilation = array<i64: 1, 1>, padding = array<i64: 3, 0, 2, 4>} : (tensor<2x3x17x23xf32>) -> tensor<2x3x16x12xf32>
  %ceil = relay.nn.max_pool2d %ceil_x {pool_size = array<i64: 9, 6>, strides = array<i64: 2, 1>, dilation = array<i64: 1, 1>, padding = array<i64: 1, 2, 0, 1>, ceil_mode = true} : (tensor<1x5x19x21xf32>) -> tensor<1x5x7x19xf32>
  %dilated = relay.nn.max_pool2d %dilated_x {pool_size = array<i64: 5, 6>, strides = array<i64: 1, 1>, dilation = array<i64: 2, 3>, padding = array<i64: 4, 5, 4, 5>} : (tensor<1x2x25x25xf32>) -> tensor<1x2x25x20xf32>
  %last = relay.nn.max_pool2d %last_x {pool_size = array<i64: 6, 7>, strides = array<i64: 1, 1>, dilation = array<i64: 1, 1>, padding = array<i64: 3, 3, 2, 3>, layout = "NHWC"} : (tensor<1x14x15x6xf32>) -> tensor<1x14x15x6xf32>
  %blocks = relay.nn.max_pool2d %blocks_x {pool_size = array<i64: 9, 9>, strides = array<i64: 1, 1>, dilation = array<i64: 1, 1>, padding = array<i64: 4, 4, 4, 4>, layout = "NCHW16c"} : (tensor<1x2x12x14x16xf32>) -> tensor<1x2x12x14x16xf32>
  %cube = relay.nn.max_pool3d %cube_x {pool_size = array<i64: 5, 4, 5>, strides = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>, padding = array<i64: 2, 1, 2, 2, 2, 2>} : (tensor<1x3x9x10x11xf32>) -> tensor<1x3x9x10x11xf32>
  %integers = relay.nn.max_pool2d %integers_x {pool_size = array<i64: 5, 5>, strides = array<i64: 1, 1>, dilation = array<i64: 1, 1>, padding = array<i64: 2, 2, 2, 2>} : (tensor<1x3x12x12xi32>) -> tensor<1x3x12x12xi32>
  return %spp, %odd, %ceil, %dilated, %last, %blocks, %cube, %integers
      : tensor<1x24x20x20xf32>, tensor<2x3x16x12xf32>, tensor<1x5x7x19xf32>, tensor<1x2x25x20xf32>, tensor<1x14x15x6xf32>, tensor<1x2x12x14x16xf32>, tensor<1x3x9x10x11xf32>, tensor<1x3x12x12xi32>
}
