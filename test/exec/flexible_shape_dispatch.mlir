// Samples one by one, as many as a bucket has, fewer, more than the largest, and none: numpy says what the results are. Bytes
// are filled up with 7, which is no neutral number.
// REQUIRES: time
// RUN: split-file %s %t
// RUN: relay-opt %t/net.mlir --flexible-shape-dispatch='buckets=1,4 auto-pad' > %t/padded.mlir
// RUN: relay-opt %t/net.mlir --flexible-shape-dispatch='buckets=3,4' > %t/exact.mlir
// RUN: relay-opt %t/bytes.mlir --flexible-shape-dispatch='buckets=2,4 axis=1 inputs=0,1 auto-pad pad-value=7' > %t/filled.mlir
// RUN: %python %S/Inputs/flexible_shape_dispatch.py relayc %t

// Random inputs need shapes.
// RUN: not relayc run %t/padded.mlir --executor interpreter 2>&1 | FileCheck %s
// CHECK: the input 'x' of @main has open dimensions; --inputs has to give it

//--- net.mlir
func.func @main(%x: tensor<1x3x6x6xf32> {relay.name = "x"}, %w: tensor<4x3x3x3xf32> {relay.name = "w"}, %v: tensor<2x64xf32> {relay.name = "v"})
    -> (tensor<1x2xf32> {relay.name = "y"}) {
  %0 = relay.nn.conv2d %x, %w : (tensor<1x3x6x6xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x4x4xf32>
  %1 = relay.nn.relu %0 : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %2 = relay.nn.batch_flatten %1 : (tensor<1x4x4x4xf32>) -> tensor<1x64xf32>
  %3 = relay.nn.dense %2, %v : (tensor<1x64xf32>, tensor<2x64xf32>) -> tensor<1x2xf32>
  return %3 : tensor<1x2xf32>
}

//--- bytes.mlir
func.func @main(%a: tensor<3x4xui8> {relay.name = "a"}, %b: tensor<3x4xui8> {relay.name = "b"}) -> tensor<3x4xui8> {
  %0 = relay.add %a, %b : (tensor<3x4xui8>, tensor<3x4xui8>) -> tensor<3x4xui8>
  return %0 : tensor<3x4xui8>
}
