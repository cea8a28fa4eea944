// Transposes and windows on the emulated driver, against numpy: tiles longer than their tensors, odd borders, strides, dilation, groups.
// RUN: %python %S/Inputs/gpu_tiles.py inputs %t.in.npz
// RUN: relayc compile %s --target "nvidia/h100 -emulated" -o %t.so
// RUN: env RELAY_EMULATOR_ORDER=shuffled:3 relayc run %t.so --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/gpu_tiles.py check %t.in.npz %t.out.npz

func.func @main(%image: tensor<2x40x9x20xf32> {relay.name = "image"}, %heads: tensor<2x40x3x64xf16> {relay.name = "heads"},
                %bytes: tensor<100x33xi8> {relay.name = "bytes"}, %none: tensor<0x64x64xf32> {relay.name = "none"},
                %x: tensor<2x6x9x13xf32> {relay.name = "x"}, %small: tensor<1x40x2x2xf32> {relay.name = "small"},
                %w3: tensor<6x1x3x3xf32> {relay.name = "w3"}, %w5: tensor<6x1x5x5xf32> {relay.name = "w5"},
                %w40: tensor<40x1x3x3xf32> {relay.name = "w40"}, %wg: tensor<9x2x3x3xf32> {relay.name = "wg"})
    -> (tensor<2x9x20x40xf32> {relay.name = "nhwc"}, tensor<2x3x64x40xf16> {relay.name = "keys"}, tensor<33x100xi8> {relay.name = "turned"},
        tensor<0x64x64xf32> {relay.name = "none_turned"}, tensor<2x6x9x13xf32> {relay.name = "plain"}, tensor<2x6x5x7xf32> {relay.name = "strided"},
        tensor<2x6x9x13xf32> {relay.name = "dilated"}, tensor<2x6x5x9xf32> {relay.name = "wide"}, tensor<1x40x2x2xf32> {relay.name = "small_conv"},
        tensor<2x6x5x7xf32> {relay.name = "max"}, tensor<2x6x9x13xf32> {relay.name = "mean"},
        tensor<2x9x9x13xf32> {relay.name = "groups"}) {
  %0 = relay.transpose %image {axes = array<i64: 0, 2, 3, 1>} : (tensor<2x40x9x20xf32>) -> tensor<2x9x20x40xf32>
  %1 = relay.nn.relu %0 : (tensor<2x9x20x40xf32>) -> tensor<2x9x20x40xf32>
  %2 = relay.transpose %heads {axes = array<i64: 0, 2, 3, 1>} : (tensor<2x40x3x64xf16>) -> tensor<2x3x64x40xf16>
  %3 = relay.transpose %bytes {axes = array<i64: 1, 0>} : (tensor<100x33xi8>) -> tensor<33x100xi8>
  %4 = relay.transpose %none {axes = array<i64: 0, 2, 1>} : (tensor<0x64x64xf32>) -> tensor<0x64x64xf32>
  %5 = relay.nn.conv2d %x, %w3 {padding = array<i64: 1, 1, 1, 1>, groups = 6 : i64}
    : (tensor<2x6x9x13xf32>, tensor<6x1x3x3xf32>) -> tensor<2x6x9x13xf32>
  %6 = relay.nn.relu %5 : (tensor<2x6x9x13xf32>) -> tensor<2x6x9x13xf32>
  %7 = relay.nn.conv2d %x, %w3 {padding = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>, groups = 6 : i64}
    : (tensor<2x6x9x13xf32>, tensor<6x1x3x3xf32>) -> tensor<2x6x5x7xf32>
  %8 = relay.nn.conv2d %x, %w3 {padding = array<i64: 2, 2, 2, 2>, dilation = array<i64: 2, 2>, groups = 6 : i64}
    : (tensor<2x6x9x13xf32>, tensor<6x1x3x3xf32>) -> tensor<2x6x9x13xf32>
  %9 = relay.nn.conv2d %x, %w5 {groups = 6 : i64} : (tensor<2x6x9x13xf32>, tensor<6x1x5x5xf32>) -> tensor<2x6x5x9xf32>
  %10 = relay.nn.conv2d %small, %w40 {padding = array<i64: 1, 1, 1, 1>, groups = 40 : i64}
    : (tensor<1x40x2x2xf32>, tensor<40x1x3x3xf32>) -> tensor<1x40x2x2xf32>
  %11 = relay.nn.max_pool2d %x {pool_size = array<i64: 3, 3>, padding = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
    : (tensor<2x6x9x13xf32>) -> tensor<2x6x5x7xf32>
  %12 = relay.nn.avg_pool2d %x {pool_size = array<i64: 3, 3>, padding = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>}
    : (tensor<2x6x9x13xf32>) -> tensor<2x6x9x13xf32>
  %13 = relay.nn.conv2d %x, %wg {padding = array<i64: 1, 1, 1, 1>, groups = 3 : i64}
    : (tensor<2x6x9x13xf32>, tensor<9x2x3x3xf32>) -> tensor<2x9x9x13xf32>
  return %1, %2, %3, %4, %6, %7, %8, %9, %10, %11, %12, %13 : tensor<2x9x20x40xf32>, tensor<2x3x64x40xf16>, tensor<33x100xi8>,
    tensor<0x64x64xf32>, tensor<2x6x9x13xf32>, tensor<2x6x5x7xf32>, tensor<2x6x9x13xf32>, tensor<2x6x5x9xf32>, tensor<1x40x2x2xf32>,
    tensor<2x6x5x7xf32>, tensor<2x6x9x13xf32>, tensor<2x9x9x13xf32>
}
