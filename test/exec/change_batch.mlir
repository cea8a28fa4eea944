// A model of one sample, changed to five: the results are those of the samples one by one. A graph calls kernels only, so
// what it calls is inlined.
// RUN: %python %S/Inputs/change_batch.py inputs %t.one.npz %t.five.npz
// RUN: relay-opt %s --relay-inline > %t.one.mlir
// RUN: relayc run %t.one.mlir --inputs %t.one.npz --outputs %t.one.out.npz
// RUN: relay-opt %s --change-batch='data=x:0 batch-size=5' --relay-inline > %t.five.mlir
// RUN: relayc run %t.five.mlir --inputs %t.five.npz --outputs %t.five.out.npz
// RUN: %python %S/Inputs/change_batch.py check %t.five.npz %t.one.out.npz %t.five.out.npz

func.func @main(%x: tensor<1x3x6x6xf32> {relay.name = "x"}, %w: tensor<4x3x3x3xf32> {relay.name = "w"}, %v: tensor<2x64xf32> {relay.name = "v"})
    -> (tensor<1x2xf32> {relay.name = "y"}) {
  %0 = relay.nn.conv2d %x, %w : (tensor<1x3x6x6xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x4x4xf32>
  %1 = call @head(%0, %v) : (tensor<1x4x4x4xf32>, tensor<2x64xf32>) -> tensor<1x2xf32>
  return %1 : tensor<1x2xf32>
}
func.func private @head(%x: tensor<1x4x4x4xf32>, %v: tensor<2x64xf32>) -> tensor<1x2xf32> attributes {relay.inline} {
  %0 = relay.nn.relu %x : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %1 = relay.nn.batch_flatten %0 : (tensor<1x4x4x4xf32>) -> tensor<1x64xf32>
  %2 = relay.nn.dense %1, %v : (tensor<1x64xf32>, tensor<2x64xf32>) -> tensor<1x2xf32>
  return %2 : tensor<1x2xf32>
}
