// Convolutions, maxima and means of data that is padded before, as it is and with the padding folded, against numpy in
// double precision.
// RUN: %python %S/Inputs/fold_explicit_padding.py inputs %t.in.npz
// RUN: relay-opt %s --fold-explicit-padding > %t.folded.mlir
// RUN: FileCheck %s < %t.folded.mlir
// RUN: relayc run %t.folded.mlir --inputs %t.in.npz --outputs %t.folded.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.plain.npz
// RUN: %python %S/Inputs/fold_explicit_padding.py check %t.in.npz %t.plain.npz %t.folded.npz
// CHECK-NOT: relay.nn.pad

func.func @main(%x: tensor<1x4x9x10xf32> {relay.name = "x"}, %w: tensor<5x4x3x3xf32> {relay.name = "w"})
    -> (tensor<1x5x6x7xf32> {relay.name = "conv"}, tensor<1x4x6x6xf32> {relay.name = "max"}, tensor<1x4x11x11xf32> {relay.name = "mean"}) {
  %zero = relay.constant dense<0.0> : tensor<f32>
  %least = relay.constant dense<0xFF800000> : tensor<f32>
  %0 = relay.nn.pad %x, %zero {pad_width = array<i64: 0, 0, 0, 0, 1, 2, 2, 1>} : (tensor<1x4x9x10xf32>, tensor<f32>) -> tensor<1x4x12x13xf32>
  %1 = relay.nn.conv2d %0, %w {strides = array<i64: 2, 2>, padding = array<i64: 1, 0, 0, 2>} : (tensor<1x4x12x13xf32>, tensor<5x4x3x3xf32>) -> tensor<1x5x6x7xf32>
  %2 = relay.nn.pad %x, %least {pad_width = array<i64: 0, 0, 0, 0, 1, 2, 2, 1>} : (tensor<1x4x9x10xf32>, tensor<f32>) -> tensor<1x4x12x13xf32>
  %3 = relay.nn.max_pool2d %2 {pool_size = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 0, 0, 0>} : (tensor<1x4x12x13xf32>) -> tensor<1x4x6x6xf32>
  %4 = relay.nn.avg_pool2d %0 {pool_size = array<i64: 2, 3>} : (tensor<1x4x12x13xf32>) -> tensor<1x4x11x11xf32>
  return %1, %3, %4 : tensor<1x5x6x7xf32>, tensor<1x4x6x6xf32>, tensor<1x4x11x11xf32>
}
