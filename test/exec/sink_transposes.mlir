// Scales, vectors, paddings, slices and means between transposes, as they are and with these behind them, against numpy.
// RUN: %python %S/Inputs/sink_transposes.py inputs %t.in.npz
// RUN: relay-opt %s --sink-transposes > %t.sunk.mlir
// RUN: FileCheck %s < %t.sunk.mlir
// RUN: relayc run %t.sunk.mlir --inputs %t.in.npz --outputs %t.sunk.npz
// RUN: relayc run %s --opt-level 0 --inputs %t.in.npz --outputs %t.plain.npz
// RUN: %python %S/Inputs/sink_transposes.py check %t.in.npz %t.plain.npz %t.sunk.npz
// CHECK-NOT: relay.transpose

func.func @main(%x: tensor<2x5x4x6xf32> {relay.name = "x"}, %y: tensor<2x5x4x6xf32> {relay.name = "y"})
    -> (tensor<2x10x5x4xf32> {relay.name = "all"}, tensor<2x5xf32> {relay.name = "means"}) {
  %s = relay.constant dense<[[[1.0, 2.0, 3.0, 4.0, 5.0]], [[-1.0, -2.0, 0.5, 0.25, 1.5]], [[7.0, 0.0, 1.0, -3.0, 2.0]], [[0.1, 0.2, 0.3, 0.4, 0.5]]]> : tensor<4x1x5xf32>
  %b = relay.constant dense<[1.0, -2.0, 3.0, -4.0, 5.0]> : tensor<5xf32>
  %half = relay.constant dense<0.5> : tensor<f32>
  %0 = relay.transpose %x {axes = array<i64: 0, 2, 3, 1>} : (tensor<2x5x4x6xf32>) -> tensor<2x4x6x5xf32>
  %1 = relay.multiply %0, %s : (tensor<2x4x6x5xf32>, tensor<4x1x5xf32>) -> tensor<2x4x6x5xf32>
  %2 = relay.transpose %y {axes = array<i64: 0, 2, 3, 1>} : (tensor<2x5x4x6xf32>) -> tensor<2x4x6x5xf32>
  %3 = relay.subtract %1, %2 : (tensor<2x4x6x5xf32>, tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  %4 = relay.add %3, %b : (tensor<2x4x6x5xf32>, tensor<5xf32>) -> tensor<2x4x6x5xf32>
  %5 = relay.nn.pad %4, %half {pad_width = array<i64: 0, 0, 1, 2, 0, 1, 0, 0>} : (tensor<2x4x6x5xf32>, tensor<f32>) -> tensor<2x7x7x5xf32>
  %6 = relay.strided_slice %5 {begin = array<i64: 0, 2>, end = array<i64: 5, 6>, strides = array<i64: 1, 1>, axes = array<i64: 1, 2>} : (tensor<2x7x7x5xf32>) -> tensor<2x5x4x5xf32>
  %7 = relay.concatenate %6, %6 {axis = -1 : i64} : (tensor<2x5x4x5xf32>, tensor<2x5x4x5xf32>) -> tensor<2x5x4x10xf32>
  %8 = relay.transpose %7 {axes = array<i64: 0, 3, 1, 2>} : (tensor<2x5x4x10xf32>) -> tensor<2x10x5x4xf32>
  %9 = relay.mean %6 {axis = array<i64: 1, 2>} : (tensor<2x5x4x5xf32>) -> tensor<2x5xf32>
  return %8, %9 : tensor<2x10x5x4xf32>, tensor<2x5xf32>
}
