// RUN: relay-opt %s --fold-explicit-padding --split-input-file | FileCheck %s

// One, two and three dimensions, channels first and last, with padding of their own; two paddings in a row.
// CHECK-LABEL: func.func @convolutions
// CHECK-NOT: relay.nn.pad
// CHECK: relay.nn.conv1d %arg0, %arg1 {padding = array<i64: 3, 1>} : {{.*}} -> tensor<1x8x12xf32>
// CHECK: relay.nn.conv2d %arg2, %arg3 {data_layout = "NHWC", kernel_layout = "HWIO", padding = array<i64: 1, 3, 0, 4>} : {{.*}} -> tensor<1x9x15x8xf32>
// CHECK: relay.nn.conv3d %arg4, %arg5 {padding = array<i64: 1, 2, 3, 1, 1, 4>} : {{.*}} -> tensor<1x8x10x11x15xf32>
func.func @convolutions(%x: tensor<1x3x10xf32>, %v: tensor<8x3x3xf32>, %y: tensor<1x10x10x3xf32>, %w: tensor<3x3x3x8xf32>,
                        %z: tensor<1x3x10x10x10xf32>, %u: tensor<8x3x3x3x3xf32>)
    -> (tensor<1x8x12xf32>, tensor<1x9x15x8xf32>, tensor<1x8x10x11x15xf32>) {
  %zero = relay.constant dense<0.0> : tensor<f32>
  %0 = relay.nn.pad %x, %zero {pad_width = array<i64: 0, 0, 0, 0, 1, 1>} : (tensor<1x3x10xf32>, tensor<f32>) -> tensor<1x3x12xf32>
  %1 = relay.nn.conv1d %0, %v {padding = array<i64: 2, 0>} : (tensor<1x3x12xf32>, tensor<8x3x3xf32>) -> tensor<1x8x12xf32>
  %2 = relay.nn.pad %y, %zero {pad_width = array<i64: 0, 0, 0, 0, 1, 2, 0, 0>} : (tensor<1x10x10x3xf32>, tensor<f32>) -> tensor<1x10x13x3xf32>
  %3 = relay.nn.pad %2, %zero {pad_width = array<i64: 0, 0, 1, 0, 2, 0, 0, 0>} : (tensor<1x10x13x3xf32>, tensor<f32>) -> tensor<1x11x15x3xf32>
  %4 = relay.nn.conv2d %3, %w {padding = array<i64: 0, 0, 0, 2>, data_layout = "NHWC", kernel_layout = "HWIO"} : (tensor<1x11x15x3xf32>, tensor<3x3x3x8xf32>) -> tensor<1x9x15x8xf32>
  %5 = relay.nn.pad %z, %zero {pad_width = array<i64: 0, 0, 0, 0, 1, 0, 2, 0, 3, 4>} : (tensor<1x3x10x10x10xf32>, tensor<f32>) -> tensor<1x3x11x12x17xf32>
  %6 = relay.nn.conv3d %5, %u {padding = array<i64: 0, 0, 0, 1, 1, 0>} : (tensor<1x3x11x12x17xf32>, tensor<8x3x3x3x3xf32>) -> tensor<1x8x10x11x15xf32>
  return %1, %4, %6 : tensor<1x8x12xf32>, tensor<1x9x15x8xf32>, tensor<1x8x10x11x15xf32>
}

// -----

// Channels in blocks are no dimensions of an image.
// CHECK-LABEL: func.func @packed
// CHECK: %[[C:.*]] = relay.nn.contrib_conv2d_NCHWc %arg0, %arg1 {{.*}}padding = array<i64: 1, 1, 1, 1>
// CHECK-NEXT: return %[[C]]
func.func @packed(%x: tensor<1x2x8x8x4xf32>, %w: tensor<2x2x3x3x4x4xf32>) -> tensor<1x2x8x8x4xf32> {
  %zero = relay.constant dense<0.0> : tensor<f32>
  %0 = relay.nn.pad %x, %zero {pad_width = array<i64: 0, 0, 0, 0, 1, 1, 1, 1, 0, 0>} : (tensor<1x2x8x8x4xf32>, tensor<f32>) -> tensor<1x2x10x10x4xf32>
  %1 = relay.nn.contrib_conv2d_NCHWc %0, %w {data_layout = "NCHW4c", kernel_layout = "OIHW4i4o"} : (tensor<1x2x10x10x4xf32>, tensor<2x2x3x3x4x4xf32>) -> tensor<1x2x8x8x4xf32>
  return %1 : tensor<1x2x8x8x4xf32>
}

// -----

// Other elements than zero, other modes, a value that is not known, and padding of channels stay.
// CHECK-LABEL: func.func @not_convolutions
// CHECK-COUNT-4: relay.nn.pad
func.func @not_convolutions(%x: tensor<1x3x10xf32>, %w: tensor<8x3x3xf32>, %v: tensor<8x5x3xf32>, %unknown: tensor<f32>)
    -> (tensor<1x8x10xf32>, tensor<1x8x10xf32>, tensor<1x8x10xf32>, tensor<1x8x8xf32>) {
  %zero = relay.constant dense<0.0> : tensor<f32>
  %one = relay.constant dense<1.0> : tensor<f32>
  %0 = relay.nn.pad %x, %one {pad_width = array<i64: 0, 0, 0, 0, 1, 1>} : (tensor<1x3x10xf32>, tensor<f32>) -> tensor<1x3x12xf32>
  %1 = relay.nn.conv1d %0, %w : (tensor<1x3x12xf32>, tensor<8x3x3xf32>) -> tensor<1x8x10xf32>
  %2 = relay.nn.pad %x, %zero {pad_width = array<i64: 0, 0, 0, 0, 1, 1>, pad_mode = "edge"} : (tensor<1x3x10xf32>, tensor<f32>) -> tensor<1x3x12xf32>
  %3 = relay.nn.conv1d %2, %w : (tensor<1x3x12xf32>, tensor<8x3x3xf32>) -> tensor<1x8x10xf32>
  %4 = relay.nn.pad %x, %unknown {pad_width = array<i64: 0, 0, 0, 0, 1, 1>} : (tensor<1x3x10xf32>, tensor<f32>) -> tensor<1x3x12xf32>
  %5 = relay.nn.conv1d %4, %w : (tensor<1x3x12xf32>, tensor<8x3x3xf32>) -> tensor<1x8x10xf32>
  %6 = relay.nn.pad %x, %zero {pad_width = array<i64: 0, 0, 1, 1, 0, 0>} : (tensor<1x3x10xf32>, tensor<f32>) -> tensor<1x5x10xf32>
  %7 = relay.nn.conv1d %6, %v : (tensor<1x5x10xf32>, tensor<8x5x3xf32>) -> tensor<1x8x8xf32>
  return %1, %3, %5, %7 : tensor<1x8x10xf32>, tensor<1x8x10xf32>, tensor<1x8x10xf32>, tensor<1x8x8xf32>
}

// -----

// The padding together has to be one that a convolution may have.
// CHECK-LABEL: func.func @too_wide
// CHECK: relay.nn.pad
// CHECK: relay.nn.conv1d
func.func @too_wide(%x: tensor<1x1x10xf32>, %w: tensor<1x1x3xf32>) -> tensor<1x1x1610612744xf32> {
  %zero = relay.constant dense<0.0> : tensor<f32>
  %0 = relay.nn.pad %x, %zero {pad_width = array<i64: 0, 0, 0, 0, 1073741824, 0>} : (tensor<1x1x10xf32>, tensor<f32>) -> tensor<1x1x1073741834xf32>
  %1 = relay.nn.conv1d %0, %w {padding = array<i64: 536870912, 0>} : (tensor<1x1x1073741834xf32>, tensor<1x1x3xf32>) -> tensor<1x1x1610612744xf32>
  return %1 : tensor<1x1x1610612744xf32>
}

// -----

// Maxima: minus infinity, the least finite number, the least integer, with a sign or without.
// CHECK-LABEL: func.func @maxima
// CHECK-NOT: relay.nn.pad
// CHECK: relay.nn.max_pool1d %arg0 {layout = "NWC", padding = array<i64: 3, 1>
// CHECK: relay.nn.max_pool2d %arg1 {padding = array<i64: 2, 2, 2, 0>
// CHECK: relay.nn.max_pool2d %arg2 {padding = array<i64: 1, 1, 1, 1>
// CHECK: relay.nn.max_pool3d %arg3 {padding = array<i64: 1, 0, 0, 0, 0, 1>
// CHECK: relay.nn.max_pool1d %arg4 {padding = array<i64: 1, 1>
func.func @maxima(%a: tensor<1x10x3xf32>, %b: tensor<1x3x10x10xui8>, %c: tensor<1x3x10x10xi8>, %d: tensor<1x3x10x10x10xf16>, %e: tensor<1x3x10xbf16>)
    -> (tensor<1x13x3xf32>, tensor<1x3x13x11xui8>, tensor<1x3x11x11xi8>, tensor<1x3x10x9x10xf16>, tensor<1x3x11xbf16>) {
  %lowest = relay.constant dense<-3.4028234663852886e+38> : tensor<f32>
  %none = relay.constant dense<0> : tensor<ui8>
  %least = relay.constant dense<-128> : tensor<i8>
  %f16 = relay.constant dense<0xFC00> : tensor<f16>
  %bf16 = relay.constant dense<0xFF7F> : tensor<bf16>
  %0 = relay.nn.pad %a, %lowest {pad_width = array<i64: 0, 0, 1, 1, 0, 0>} : (tensor<1x10x3xf32>, tensor<f32>) -> tensor<1x12x3xf32>
  %1 = relay.nn.max_pool1d %0 {pool_size = array<i64: 2>, padding = array<i64: 2, 0>, layout = "NWC"} : (tensor<1x12x3xf32>) -> tensor<1x13x3xf32>
  %2 = relay.nn.pad %b, %none {pad_width = array<i64: 0, 0, 0, 0, 0, 2, 2, 0>} : (tensor<1x3x10x10xui8>, tensor<ui8>) -> tensor<1x3x12x12xui8>
  %3 = relay.nn.max_pool2d %2 {pool_size = array<i64: 2, 2>, padding = array<i64: 2, 0, 0, 0>} : (tensor<1x3x12x12xui8>) -> tensor<1x3x13x11xui8>
  %4 = relay.nn.pad %c, %least {pad_width = array<i64: 0, 0, 0, 0, 1, 1, 1, 1>} : (tensor<1x3x10x10xi8>, tensor<i8>) -> tensor<1x3x12x12xi8>
  %5 = relay.nn.max_pool2d %4 {pool_size = array<i64: 2, 2>, padding = array<i64: 0, 0, 0, 0>} : (tensor<1x3x12x12xi8>) -> tensor<1x3x11x11xi8>
  %6 = relay.nn.pad %d, %f16 {pad_width = array<i64: 0, 0, 0, 0, 1, 0, 0, 0, 0, 1>} : (tensor<1x3x10x10x10xf16>, tensor<f16>) -> tensor<1x3x11x10x11xf16>
  %7 = relay.nn.max_pool3d %6 {pool_size = array<i64: 2, 2, 2>, padding = array<i64: 0, 0, 0, 0, 0, 0>} : (tensor<1x3x11x10x11xf16>) -> tensor<1x3x10x9x10xf16>
  %8 = relay.nn.pad %e, %bf16 {pad_width = array<i64: 0, 0, 0, 0, 1, 1>} : (tensor<1x3x10xbf16>, tensor<bf16>) -> tensor<1x3x12xbf16>
  %9 = relay.nn.max_pool1d %8 {pool_size = array<i64: 2>, padding = array<i64: 0, 0>} : (tensor<1x3x12xbf16>) -> tensor<1x3x11xbf16>
  return %1, %3, %5, %7, %9 : tensor<1x13x3xf32>, tensor<1x3x13x11xui8>, tensor<1x3x11x11xi8>, tensor<1x3x10x9x10xf16>, tensor<1x3x11xbf16>
}

// -----

// Means: what nn.pad adds counts, so it counts afterwards; without padding of its own, and with padding that counts.
// CHECK-LABEL: func.func @means
// CHECK-NOT: relay.nn.pad
// CHECK: relay.nn.avg_pool2d %arg0 {count_include_pad = true, padding = array<i64: 0, 2, 2, 0>
// CHECK: relay.nn.avg_pool2d %arg0 {count_include_pad = true, padding = array<i64: 0, 2, 3, 0>
func.func @means(%x: tensor<1x3x10x10xf32>) -> (tensor<1x3x11x11xf32>, tensor<1x3x12x11xf32>) {
  %zero = relay.constant dense<0.0> : tensor<f32>
  %0 = relay.nn.pad %x, %zero {pad_width = array<i64: 0, 0, 0, 0, 0, 2, 2, 0>} : (tensor<1x3x10x10xf32>, tensor<f32>) -> tensor<1x3x12x12xf32>
  %1 = relay.nn.avg_pool2d %0 {pool_size = array<i64: 2, 2>} : (tensor<1x3x12x12xf32>) -> tensor<1x3x11x11xf32>
  %2 = relay.nn.avg_pool2d %0 {pool_size = array<i64: 2, 2>, padding = array<i64: 0, 0, 1, 0>, count_include_pad = true} : (tensor<1x3x12x12xf32>) -> tensor<1x3x12x11xf32>
  return %1, %2 : tensor<1x3x11x11xf32>, tensor<1x3x12x11xf32>
}

// -----

// A mean with padding that does not count, a mean of ones around, and a maximum of zeros around stay.
// CHECK-LABEL: func.func @not_pools
// CHECK-COUNT-2: relay.nn.pad
// CHECK: relay.nn.avg_pool1d {{.*}} {padding = array<i64: 1, 0>
// CHECK: relay.nn.avg_pool1d
// CHECK: relay.nn.max_pool1d
func.func @not_pools(%x: tensor<1x3x10xf32>) -> (tensor<1x3x12xf32>, tensor<1x3x11xf32>, tensor<1x3x11xf32>) {
  %zero = relay.constant dense<0.0> : tensor<f32>
  %one = relay.constant dense<1.0> : tensor<f32>
  %0 = relay.nn.pad %x, %zero {pad_width = array<i64: 0, 0, 0, 0, 0, 2>} : (tensor<1x3x10xf32>, tensor<f32>) -> tensor<1x3x12xf32>
  %1 = relay.nn.pad %x, %one {pad_width = array<i64: 0, 0, 0, 0, 0, 2>} : (tensor<1x3x10xf32>, tensor<f32>) -> tensor<1x3x12xf32>
  %2 = relay.nn.avg_pool1d %0 {pool_size = array<i64: 2>, padding = array<i64: 1, 0>} : (tensor<1x3x12xf32>) -> tensor<1x3x12xf32>
  %3 = relay.nn.avg_pool1d %1 {pool_size = array<i64: 2>} : (tensor<1x3x12xf32>) -> tensor<1x3x11xf32>
  %4 = relay.nn.max_pool1d %0 {pool_size = array<i64: 2>} : (tensor<1x3x12xf32>) -> tensor<1x3x11xf32>
  return %2, %3, %4 : tensor<1x3x12xf32>, tensor<1x3x11xf32>, tensor<1x3x11xf32>
}

// -----

// A last window that begins in what nn.pad added would be lost with ceil_mode; where windows fit exactly, there is none.
// CHECK-LABEL: func.func @ceil
// CHECK: %[[P:.*]] = relay.nn.pad
// CHECK: relay.nn.max_pool1d %[[P]] {{.*}} -> tensor<1x1x3xf32>
// CHECK: relay.nn.max_pool1d %arg0 {{.*}}padding = array<i64: 0, 2>
func.func @ceil(%x: tensor<1x1x7xf32>) -> (tensor<1x1x3xf32>, tensor<1x1x3xf32>) {
  %least = relay.constant dense<0xFF800000> : tensor<f32>
  %0 = relay.nn.pad %x, %least {pad_width = array<i64: 0, 0, 0, 0, 0, 2>} : (tensor<1x1x7xf32>, tensor<f32>) -> tensor<1x1x9xf32>
  %1 = relay.nn.max_pool1d %0 {pool_size = array<i64: 2>, strides = array<i64: 4>, ceil_mode = true} : (tensor<1x1x9xf32>) -> tensor<1x1x3xf32>
  %2 = relay.nn.max_pool1d %0 {pool_size = array<i64: 3>, strides = array<i64: 3>, ceil_mode = true} : (tensor<1x1x9xf32>) -> tensor<1x1x3xf32>
  return %1, %2 : tensor<1x1x3xf32>, tensor<1x1x3xf32>
}
