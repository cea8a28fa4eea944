// Operators on tensors that no machine has the memory or the time for: what passes on graphs compute of their sizes stays within
// 64 bits, and relay-to-te refuses them.
// RUN: split-file %s %t
// RUN: relay-opt %t/memory.mlir --fold-constant --fuse-ops --alter-op-layout --fold-scale-axis -o %t.out
// RUN: not relayc compile %t/memory.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: relay-opt %t/products.mlir --fold-constant --fuse-ops --alter-op-layout --fold-scale-axis -o %t.out
// RUN: not relayc compile %t/products.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=PRODUCTS
// RUN: relay-opt %t/time.mlir --fold-constant --fuse-ops --alter-op-layout --fold-scale-axis -o %t.out
// RUN: not relayc compile %t/time.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: relay-opt %t/cube.mlir --fold-constant --fuse-ops --alter-op-layout --fold-scale-axis -o %t.out
// RUN: not relayc compile %t/cube.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: not relayc compile %t/window.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: not relayc compile %t/resize.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=FRACTIONS
// RUN: not relayc compile %t/adaptive.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=FRACTIONS
// RUN: relay-opt %t/even.mlir --fuse-ops --relay-to-te --lower-te -o %t.out
// RUN: relay-opt %t/transposed.mlir --fuse-ops --relay-to-te --lower-te -o %t.out
// RUN: relay-opt %t/depthwise.mlir --fuse-ops --relay-to-te --lower-te -o %t.out
// MEMORY: 'relay.abs' op has a tensor of type tensor<2147483648x2147483648xf32>, which takes more than 2^47 bytes
// PRODUCTS: 'relay.nn.dense' op has a tensor of type tensor<2147483647x2147483647xf32>, which takes more than 2^47 bytes
// TIME: 'te.compute' op takes more than 2^54 iterations, which would not end in months
// FRACTIONS: takes 4294967295 elements from places between 4294967296 in dimension 2: 64 bits do not hold such fractions

//--- memory.mlir
func.func @main(%x: tensor<2147483648x2147483648xf32>) -> tensor<2147483648x2147483648xf32> {
  %0 = relay.abs %x : (tensor<2147483648x2147483648xf32>) -> tensor<2147483648x2147483648xf32>
  return %0 : tensor<2147483648x2147483648xf32>
}

//--- products.mlir
func.func @main(%x: tensor<2147483647x2147483647xf32>) -> tensor<2147483647x2147483647xf32> {
  %0 = relay.nn.dense %x, %x : (tensor<2147483647x2147483647xf32>, tensor<2147483647x2147483647xf32>) -> tensor<2147483647x2147483647xf32>
  %1 = relay.nn.matmul %0, %x : (tensor<2147483647x2147483647xf32>, tensor<2147483647x2147483647xf32>) -> tensor<2147483647x2147483647xf32>
  return %1 : tensor<2147483647x2147483647xf32>
}

//--- cube.mlir
func.func @main(%x: tensor<4194304x4194304xf32>, %y: tensor<4194304x4194304xf32>) -> tensor<4194304x4194304xf32> {
  %0 = relay.nn.matmul %x, %y : (tensor<4194304x4194304xf32>, tensor<4194304x4194304xf32>) -> tensor<4194304x4194304xf32>
  return %0 : tensor<4194304x4194304xf32>
}

//--- time.mlir
func.func @main(%x: tensor<1048576x1048576xf32>, %w: tensor<1048576x1048576xf32>) -> tensor<1048576x1048576xf32> {
  %0 = relay.nn.dense %x, %w : (tensor<1048576x1048576xf32>, tensor<1048576x1048576xf32>) -> tensor<1048576x1048576xf32>
  return %0 : tensor<1048576x1048576xf32>
}

//--- window.mlir
func.func @main(%x: tensor<1x1x1048576x1048576xf32>, %w: tensor<1x1x1048577x1048577xf32>) -> tensor<1x1x1048576x1048576xf32> {
  %0 = relay.nn.conv2d %x, %w {padding = array<i64: 524288, 524288, 524288, 524288>, kernel_size = array<i64: 1048577, 1048577>, channels = 1 : i64} : (tensor<1x1x1048576x1048576xf32>, tensor<1x1x1048577x1048577xf32>) -> tensor<1x1x1048576x1048576xf32>
  return %0 : tensor<1x1x1048576x1048576xf32>
}

//--- resize.mlir
func.func @main(%x: tensor<1x1x4294967296x1xf32>) -> tensor<1x1x4294967295x1xf32> {
  %0 = relay.image.resize2d %x {size = array<i64: 4294967295, 1>} : (tensor<1x1x4294967296x1xf32>) -> tensor<1x1x4294967295x1xf32>
  return %0 : tensor<1x1x4294967295x1xf32>
}

//--- adaptive.mlir
func.func @main(%x: tensor<1x1x4294967296x1xf32>) -> tensor<1x1x4294967295x1xf32> {
  %0 = relay.nn.adaptive_avg_pool2d %x {output_size = array<i64: 4294967295, 1>} : (tensor<1x1x4294967296x1xf32>) -> tensor<1x1x4294967295x1xf32>
  return %0 : tensor<1x1x4294967295x1xf32>
}

//--- even.mlir
func.func @main(%x: tensor<1x1x4294967296x1xf32>) -> tensor<1x1x2147483648x1xf32> {
  %0 = relay.nn.adaptive_avg_pool2d %x {output_size = array<i64: 2147483648, 1>} : (tensor<1x1x4294967296x1xf32>) -> tensor<1x1x2147483648x1xf32>
  return %0 : tensor<1x1x2147483648x1xf32>
}

// Lengths of tiles are chosen from no more than there are different ones.

//--- transposed.mlir
func.func @main(%x: tensor<4x4294967296xf32>) -> tensor<4294967296x4xf32> {
  %0 = relay.nn.relu %x : (tensor<4x4294967296xf32>) -> tensor<4x4294967296xf32>
  %1 = relay.transpose %0 {axes = array<i64: 1, 0>} : (tensor<4x4294967296xf32>) -> tensor<4294967296x4xf32>
  return %1 : tensor<4294967296x4xf32>
}

//--- depthwise.mlir
func.func @main(%x: tensor<1x1x4294967296x2x16xf32>, %w: tensor<1x1x3x1x1x16xf32>) -> tensor<1x1x4294967294x2x16xf32> {
  %0 = relay.nn.contrib_depthwise_conv2d_NCHWc %x, %w {groups = 16 : i64} : (tensor<1x1x4294967296x2x16xf32>, tensor<1x1x3x1x1x16xf32>) -> tensor<1x1x4294967294x2x16xf32>
  return %0 : tensor<1x1x4294967294x2x16xf32>
}
