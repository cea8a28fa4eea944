// Planned sizes of open dimensions for which no tensor is too short.
// RUN: relay-opt %s --plan-open-sizes --split-input-file | FileCheck %s

// Frames of an audio signal: of 8,192 samples there are 49, of 4,096 there are 23.
// CHECK: module attributes {relay.symbols = {n = array<i64: 0, 9223372036854775807, 1, 8192>}}
// CHECK-LABEL: func.func @frames
func.func @frames(%x: tensor<1x1x?xf32, ["n"]>, %w: tensor<8x1x400xf32>) -> tensor<1x8x?xf32, ["(n + 80) / 160 - 2"]> {
  %0 = relay.nn.conv1d %x, %w {strides = array<i64: 160>}
    : (tensor<1x1x?xf32, ["n"]>, tensor<8x1x400xf32>) -> tensor<1x8x?xf32, ["(n + 80) / 160 - 2"]>
  return %0 : tensor<1x8x?xf32, ["(n + 80) / 160 - 2"]>
}

// -----

// Both sides of an image, whose pixels count together. Samples of a batch do not.
// CHECK: module attributes {relay.symbols = {b = array<i64: 0, 9223372036854775807, 1, 4>, h = array<i64: 0, 9223372036854775807, 1, 512>, w = array<i64: 0, 9223372036854775807, 1, 512>}}
// CHECK-LABEL: func.func @image
module attributes {relay.symbols = {b = array<i64: 0, 9223372036854775807, 1, 4>, h = array<i64: 0, 9223372036854775807, 1, 256>, w = array<i64: 0, 9223372036854775807, 1, 256>}} {
  func.func @image(%x: tensor<?x3x?x?xf32, ["b", "h", "w"]>) -> tensor<?x3x?x?xf32, ["b", "h / 64", "w / 64"]> {
    %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 64, 64>, strides = array<i64: 64, 64>}
      : (tensor<?x3x?x?xf32, ["b", "h", "w"]>) -> tensor<?x3x?x?xf32, ["b", "h / 64", "w / 64"]>
    return %0 : tensor<?x3x?x?xf32, ["b", "h / 64", "w / 64"]>
  }
}

// -----

// An upper bound is what is planned for. No size makes the second tensor long enough.
// CHECK: module attributes {relay.symbols = {n = array<i64: 0, 1000, 1, 1000>}}
// CHECK-LABEL: func.func @bounded
module attributes {relay.symbols = {n = array<i64: 0, 1000, 1, 1000>}} {
  func.func @bounded(%x: tensor<1x1x?xf32, ["n"]>) -> tensor<1x1x?xf32, ["(n + 80) / 160 - 2"]> {
    %w = relay.constant dense<1.0> : tensor<1x1x400xf32>
    %0 = relay.nn.conv1d %x, %w {strides = array<i64: 160>}
      : (tensor<1x1x?xf32, ["n"]>, tensor<1x1x400xf32>) -> tensor<1x1x?xf32, ["(n + 80) / 160 - 2"]>
    return %0 : tensor<1x1x?xf32, ["(n + 80) / 160 - 2"]>
  }
}

// -----

// CHECK: module {
// CHECK-LABEL: func.func @least
module {
  func.func @least(%x: tensor<1x?xf32, ["n"]>) -> tensor<1x?xf32, ["min(n, 3)"]> {
    %0 = relay.strided_slice %x {begin = array<i64: 0>, end = array<i64: 3>, strides = array<i64: 1>, axes = array<i64: 1>}
      : (tensor<1x?xf32, ["n"]>) -> tensor<1x?xf32, ["min(n, 3)"]>
    return %0 : tensor<1x?xf32, ["min(n, 3)"]>
  }
}
