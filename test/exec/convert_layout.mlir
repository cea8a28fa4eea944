// Convolutions, pools, norms and what is between them, as they are, brought to channels last and back, and with pools
// of other orders between convolutions, against ONNX Runtime. There are no kernels for convolutions with channels last:
// legalize brings them back.
// RUN: %python %S/Inputs/convert_layout.py inputs %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.first.npz
// RUN: relay-opt %s --convert-layout='desired-layouts=nn.conv2d:NHWC,default;nn.conv2d_transpose:NHWC,default' > %t.last.mlir
// RUN: FileCheck %s --check-prefix=LAST < %t.last.mlir
// RUN: relayc run %t.last.mlir --inputs %t.in.npz --outputs %t.last.npz
// RUN: relay-opt %t.last.mlir --convert-layout='desired-layouts=nn.conv2d:NCHW,default;nn.conv2d_transpose:NCHW,default' > %t.back.mlir
// RUN: relayc run %t.back.mlir --inputs %t.in.npz --outputs %t.back.npz
// RUN: relay-opt %s --convert-layout=desired-layouts=nn.avg_pool2d:CWHN > %t.pools.mlir
// RUN: FileCheck %s --check-prefix=POOLS < %t.pools.mlir
// RUN: relayc run %t.pools.mlir --inputs %t.in.npz --outputs %t.pools.npz
// RUN: %python %S/Inputs/convert_layout.py check %t.in.npz %t.first.npz %t.last.npz %t.back.npz %t.pools.npz
// LAST-COUNT-2: relay.nn.conv2d {{.*}}data_layout = "NHWC"
// LAST: relay.nn.conv2d_transpose {{.*}}data_layout = "NHWC"
// POOLS: relay.nn.avg_pool2d {{.*}}layout = "CWHN"
// POOLS: relay.nn.pad {{.*}} -> tensor<6x10x9x2xf32>

func.func @main(%x: tensor<2x4x9x10xf32> {relay.name = "x"}, %w: tensor<6x4x3x3xf32> {relay.name = "w"}, %b: tensor<6xf32> {relay.name = "b"},
                %d: tensor<6x1x3x3xf32> {relay.name = "d"}, %t: tensor<6x5x2x2xf32> {relay.name = "t"}, %s: tensor<6x1x1xf32> {relay.name = "s"})
    -> (tensor<2x6x7x8xf32> {relay.name = "wide"}, tensor<2x6xf32> {relay.name = "means"}, tensor<2x5x14x16xf32> {relay.name = "large"}) {
  %zero = relay.constant dense<0.0> : tensor<f32>
  %0 = relay.nn.conv2d %x, %w {padding = array<i64: 1, 0, 0, 1>} : (tensor<2x4x9x10xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x8x9xf32>
  %1 = relay.nn.bias_add %0, %b : (tensor<2x6x8x9xf32>, tensor<6xf32>) -> tensor<2x6x8x9xf32>
  %2 = relay.nn.avg_pool2d %1 {pool_size = array<i64: 2, 2>} : (tensor<2x6x8x9xf32>) -> tensor<2x6x7x8xf32>
  %3 = relay.nn.pad %2, %zero {pad_width = array<i64: 0, 0, 0, 0, 1, 1, 1, 1>} : (tensor<2x6x7x8xf32>, tensor<f32>) -> tensor<2x6x9x10xf32>
  %4 = relay.nn.conv2d %3, %d {groups = 6 : i64} : (tensor<2x6x9x10xf32>, tensor<6x1x3x3xf32>) -> tensor<2x6x7x8xf32>
  %5 = relay.multiply %4, %s : (tensor<2x6x7x8xf32>, tensor<6x1x1xf32>) -> tensor<2x6x7x8xf32>
  %6 = relay.mean %5 {axis = array<i64: 2, 3>} : (tensor<2x6x7x8xf32>) -> tensor<2x6xf32>
  %7 = relay.nn.softmax %5 {axis = 1 : i64} : (tensor<2x6x7x8xf32>) -> tensor<2x6x7x8xf32>
  %8 = relay.nn.conv2d_transpose %7, %t {strides = array<i64: 2, 2>} : (tensor<2x6x7x8xf32>, tensor<6x5x2x2xf32>) -> tensor<2x5x14x16xf32>
  return %5, %6, %8 : tensor<2x6x7x8xf32>, tensor<2x6xf32>, tensor<2x5x14x16xf32>
}
