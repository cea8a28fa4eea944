// Functions with every way of every template for GPUs, and what has none: loop programs, and dimensions that are open. Each is one kernel.
// test/codegen/assemblers.mlir assembles them.

// Elements, with a function that is long.
func.func private @gelu(%x: tensor<64x3072xf32>) -> tensor<64x3072xf32> attributes {relay.primitive} {
  %0 = relay.erf %x : (tensor<64x3072xf32>) -> tensor<64x3072xf32>
  %1 = relay.multiply %0, %x : (tensor<64x3072xf32>, tensor<64x3072xf32>) -> tensor<64x3072xf32>
  return %1 : tensor<64x3072xf32>
}

// Elements of f16, computed in f32 and f64.
func.func private @power_f16(%x: tensor<4096xf16>, %y: tensor<4096xf16>) -> tensor<4096xf16> attributes {relay.primitive} {
  %0 = relay.power %x, %y : (tensor<4096xf16>, tensor<4096xf16>) -> tensor<4096xf16>
  return %0 : tensor<4096xf16>
}

// Elements with a branch.
func.func private @sine(%x: tensor<100000xf32>) -> tensor<100000xf32> attributes {relay.primitive} {
  %0 = relay.sin %x : (tensor<100000xf32>) -> tensor<100000xf32>
  return %0 : tensor<100000xf32>
}

// Elements that are computed of several others.
func.func private @resize(%x: tensor<1x3x64x64xf32>) -> tensor<1x3x128x128xf32> attributes {relay.primitive} {
  %0 = relay.image.resize2d %x {size = array<i64: 128, 128>, method = "linear"} : (tensor<1x3x64x64xf32>) -> tensor<1x3x128x128xf32>
  return %0 : tensor<1x3x128x128xf32>
}

// Elements, of a number that a launch says.
func.func private @scale_open(%x: tensor<?x256xf32, ["n"]>, %s: tensor<256xf32>) -> tensor<?x256xf32, ["n"]> attributes {relay.primitive} {
  %0 = relay.multiply %x, %s : (tensor<?x256xf32, ["n"]>, tensor<256xf32>) -> tensor<?x256xf32, ["n"]>
  return %0 : tensor<?x256xf32, ["n"]>
}

// A thread sums a result.
func.func private @sum_columns(%x: tensor<30x100000xf32>) -> tensor<100000xf32> attributes {relay.primitive} {
  %0 = relay.sum %x {axis = array<i64: 0>} : (tensor<30x100000xf32>) -> tensor<100000xf32>
  return %0 : tensor<100000xf32>
}

// Threads of a block share a sum.
func.func private @sum_rows(%x: tensor<500x1700xf32>) -> tensor<500xf32> attributes {relay.primitive} {
  %0 = relay.sum %x {axis = array<i64: 1>} : (tensor<500x1700xf32>) -> tensor<500xf32>
  return %0 : tensor<500xf32>
}

// The same of bf16, with sums of f32.
func.func private @sum_rows_bf16(%x: tensor<500x1700xbf16>) -> tensor<500xbf16> attributes {relay.primitive} {
  %0 = relay.sum %x {axis = array<i64: 1>} : (tensor<500x1700xbf16>) -> tensor<500xbf16>
  return %0 : tensor<500xbf16>
}

// All blocks share a sum.
func.func private @sum_all(%x: tensor<1000x1000xf32>) -> tensor<f32> attributes {relay.primitive} {
  %0 = relay.sum %x {axis = array<i64: 0, 1>} : (tensor<1000x1000xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// Sums of as many terms as a launch says.
func.func private @sum_open(%x: tensor<64x?xf32, ["n"]>) -> tensor<64xf32> attributes {relay.primitive} {
  %0 = relay.sum %x {axis = array<i64: 1>} : (tensor<64x?xf32, ["n"]>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// Pairs of an element and its place.
func.func private @argmax(%x: tensor<500x1700xf32>) -> tensor<500xi64> attributes {relay.primitive} {
  %0 = relay.argmax %x {axis = array<i64: 1>} : (tensor<500x1700xf32>) -> tensor<500xi64>
  return %0 : tensor<500xi64>
}

// A window of each element.
func.func private @pool(%x: tensor<8x64x56x56xf32>) -> tensor<8x64x28x28xf32> attributes {relay.primitive} {
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 3, 3>, strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>} : (tensor<8x64x56x56xf32>) -> tensor<8x64x28x28xf32>
  return %0 : tensor<8x64x28x28xf32>
}

// A convolution of each channel.
func.func private @depthwise(%x: tensor<1x64x56x56xf32>, %w: tensor<64x1x3x3xf32>) -> tensor<1x64x56x56xf32> attributes {relay.primitive} {
  %0 = relay.nn.conv2d %x, %w {groups = 64 : i64, padding = array<i64: 1, 1, 1, 1>} : (tensor<1x64x56x56xf32>, tensor<64x1x3x3xf32>) -> tensor<1x64x56x56xf32>
  return %0 : tensor<1x64x56x56xf32>
}

// A product of a vector, which has no tile.
func.func private @vector_matrix(%x: tensor<1x4096xf16>, %w: tensor<4096x4096xf16>) -> tensor<1x4096xf16> attributes {relay.primitive} {
  %0 = relay.nn.dense %x, %w : (tensor<1x4096xf16>, tensor<4096x4096xf16>) -> tensor<1x4096xf16>
  return %0 : tensor<1x4096xf16>
}

// A dense layer of f32.
func.func private @dense_f32(%x: tensor<128x768xf32>, %w: tensor<3072x768xf32>, %c: tensor<3072xf32>) -> tensor<128x3072xf32> attributes {relay.primitive} {
  %0 = relay.nn.dense %x, %w : (tensor<128x768xf32>, tensor<3072x768xf32>) -> tensor<128x3072xf32>
  %1 = relay.nn.bias_add %0, %c {axis = 1 : i64} : (tensor<128x3072xf32>, tensor<3072xf32>) -> tensor<128x3072xf32>
  %2 = relay.nn.relu %1 : (tensor<128x3072xf32>) -> tensor<128x3072xf32>
  return %2 : tensor<128x3072xf32>
}

// A dense layer of f16.
func.func private @dense_f16(%x: tensor<128x768xf16>, %w: tensor<3072x768xf16>, %c: tensor<3072xf16>) -> tensor<128x3072xf16> attributes {relay.primitive} {
  %0 = relay.nn.dense %x, %w : (tensor<128x768xf16>, tensor<3072x768xf16>) -> tensor<128x3072xf16>
  %1 = relay.nn.bias_add %0, %c {axis = 1 : i64} : (tensor<128x3072xf16>, tensor<3072xf16>) -> tensor<128x3072xf16>
  %2 = relay.nn.relu %1 : (tensor<128x3072xf16>) -> tensor<128x3072xf16>
  return %2 : tensor<128x3072xf16>
}

// A dense layer of bf16.
func.func private @dense_bf16(%x: tensor<128x768xbf16>, %w: tensor<3072x768xbf16>, %c: tensor<3072xbf16>) -> tensor<128x3072xbf16> attributes {relay.primitive} {
  %0 = relay.nn.dense %x, %w : (tensor<128x768xbf16>, tensor<3072x768xbf16>) -> tensor<128x3072xbf16>
  %1 = relay.nn.bias_add %0, %c {axis = 1 : i64} : (tensor<128x3072xbf16>, tensor<3072xbf16>) -> tensor<128x3072xbf16>
  %2 = relay.nn.relu %1 : (tensor<128x3072xbf16>) -> tensor<128x3072xbf16>
  return %2 : tensor<128x3072xbf16>
}

// A dense layer of f64.
func.func private @dense_f64(%x: tensor<128x768xf64>, %w: tensor<3072x768xf64>, %c: tensor<3072xf64>) -> tensor<128x3072xf64> attributes {relay.primitive} {
  %0 = relay.nn.dense %x, %w : (tensor<128x768xf64>, tensor<3072x768xf64>) -> tensor<128x3072xf64>
  %1 = relay.nn.bias_add %0, %c {axis = 1 : i64} : (tensor<128x3072xf64>, tensor<3072xf64>) -> tensor<128x3072xf64>
  %2 = relay.nn.relu %1 : (tensor<128x3072xf64>) -> tensor<128x3072xf64>
  return %2 : tensor<128x3072xf64>
}

// A product of bytes, with sums of i32.
func.func private @dense_i8(%x: tensor<128x768xi8>, %w: tensor<3072x768xi8>) -> tensor<128x3072xi32> attributes {relay.primitive} {
  %z = relay.constant dense<0> : tensor<i32>
  %s = relay.constant dense<1.0> : tensor<f32>
  %0 = relay.qnn.dense %x, %w, %z, %z, %s, %s : (tensor<128x768xi8>, tensor<3072x768xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<128x3072xi32>
  return %0 : tensor<128x3072xi32>
}

// Extents that no tile divides.
func.func private @dense_odd(%x: tensor<37x101xf32>, %w: tensor<67x101xf32>) -> tensor<37x67xf32> attributes {relay.primitive} {
  %0 = relay.nn.dense %x, %w : (tensor<37x101xf32>, tensor<67x101xf32>) -> tensor<37x67xf32>
  return %0 : tensor<37x67xf32>
}

// A number of rows that a launch says.
func.func private @dense_open(%x: tensor<?x768xf32, ["n"]>, %w: tensor<3072x768xf32>) -> tensor<?x3072xf32, ["n"]> attributes {relay.primitive} {
  %0 = relay.nn.dense %x, %w : (tensor<?x768xf32, ["n"]>, tensor<3072x768xf32>) -> tensor<?x3072xf32, ["n"]>
  return %0 : tensor<?x3072xf32, ["n"]>
}

// Products of matrices.
func.func private @batch(%x: tensor<12x128x64xf32>, %w: tensor<12x64x128xf32>) -> tensor<12x128x128xf32> attributes {relay.primitive} {
  %0 = relay.nn.batch_matmul %x, %w {transpose_b = false} : (tensor<12x128x64xf32>, tensor<12x64x128xf32>) -> tensor<12x128x128xf32>
  return %0 : tensor<12x128x128xf32>
}

// Channels become the last dimension: tiles in shared memory.
func.func private @channels_last(%x: tensor<8x64x56x56xf32>) -> tensor<8x56x56x64xf32> attributes {relay.primitive} {
  %0 = relay.transpose %x {axes = array<i64: 0, 2, 3, 1>} : (tensor<8x64x56x56xf32>) -> tensor<8x56x56x64xf32>
  return %0 : tensor<8x56x56x64xf32>
}

// A convolution whose step has all taps.
func.func private @conv(%x: tensor<1x64x56x56xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32> attributes {relay.primitive} {
  %0 = relay.nn.conv2d %x, %w {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32>
  %1 = relay.nn.relu %0 : (tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  return %1 : tensor<1x64x56x56xf32>
}

// The same of f16.
func.func private @conv_f16(%x: tensor<1x64x56x56xf16>, %w: tensor<64x64x3x3xf16>) -> tensor<1x64x56x56xf16> attributes {relay.primitive} {
  %0 = relay.nn.conv2d %x, %w {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x64x56x56xf16>, tensor<64x64x3x3xf16>) -> tensor<1x64x56x56xf16>
  return %0 : tensor<1x64x56x56xf16>
}

// The same of bytes.
func.func private @conv_i8(%x: tensor<1x64x56x56xi8>, %w: tensor<64x64x3x3xi8>) -> tensor<1x64x56x56xi32> attributes {relay.primitive} {
  %z = relay.constant dense<0> : tensor<i32>
  %s = relay.constant dense<1.0> : tensor<f32>
  %0 = relay.qnn.conv2d %x, %w, %z, %z, %s, %s {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x64x56x56xi8>, tensor<64x64x3x3xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<1x64x56x56xi32>
  return %0 : tensor<1x64x56x56xi32>
}

// Channels that are last.
func.func private @conv_last(%x: tensor<1x56x56x64xf32>, %w: tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32> attributes {relay.primitive} {
  %0 = relay.nn.conv2d %x, %w {padding = array<i64: 1, 1, 1, 1>, data_layout = "NHWC", kernel_layout = "HWIO"} : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32>
  return %0 : tensor<1x56x56x64xf32>
}

// A convolution whose step has one tap: shared memory does not hold all.
func.func private @conv_wide(%x: tensor<1x8x160x160xf32>, %w: tensor<64x8x31x31xf32>) -> tensor<1x64x130x130xf32> attributes {relay.primitive} {
  %0 = relay.nn.conv2d %x, %w : (tensor<1x8x160x160xf32>, tensor<64x8x31x31xf32>) -> tensor<1x64x130x130xf32>
  return %0 : tensor<1x64x130x130xf32>
}

// An attention of f32, by register tiles.
func.func private @attention(%q: tensor<12x512x64xf32>, %k: tensor<12x64x512xf32>, %v: tensor<12x512x64xf32>, %m: tensor<1x1x512xf32>) -> tensor<12x512x64xf32> attributes {relay.primitive} {
  %c = relay.constant dense<0.125> : tensor<f32>
  %0 = relay.nn.batch_matmul %q, %k : (tensor<12x512x64xf32>, tensor<12x64x512xf32>) -> tensor<12x512x512xf32>
  %1 = relay.multiply %0, %c : (tensor<12x512x512xf32>, tensor<f32>) -> tensor<12x512x512xf32>
  %2 = relay.add %1, %m : (tensor<12x512x512xf32>, tensor<1x1x512xf32>) -> tensor<12x512x512xf32>
  %3 = relay.nn.softmax %2 {axis = -1 : i64} : (tensor<12x512x512xf32>) -> tensor<12x512x512xf32>
  %4 = relay.nn.batch_matmul %3, %v : (tensor<12x512x512xf32>, tensor<12x512x64xf32>) -> tensor<12x512x64xf32>
  return %4 : tensor<12x512x64xf32>
}

// The same with instructions for matrices, where there are any.
func.func private @attention_f16(%q: tensor<12x512x64xf16>, %k: tensor<12x64x512xf16>, %v: tensor<12x512x64xf16>, %m: tensor<1x1x512xf16>) -> tensor<12x512x64xf16> attributes {relay.primitive} {
  %c = relay.constant dense<0.125> : tensor<f16>
  %0 = relay.nn.batch_matmul %q, %k : (tensor<12x512x64xf16>, tensor<12x64x512xf16>) -> tensor<12x512x512xf16>
  %1 = relay.multiply %0, %c : (tensor<12x512x512xf16>, tensor<f16>) -> tensor<12x512x512xf16>
  %2 = relay.add %1, %m : (tensor<12x512x512xf16>, tensor<1x1x512xf16>) -> tensor<12x512x512xf16>
  %3 = relay.nn.softmax %2 {axis = -1 : i64} : (tensor<12x512x512xf16>) -> tensor<12x512x512xf16>
  %4 = relay.nn.batch_matmul %3, %v : (tensor<12x512x512xf16>, tensor<12x512x64xf16>) -> tensor<12x512x64xf16>
  return %4 : tensor<12x512x64xf16>
}

// Long heads, and numbers of queries and keys that blocks do not divide.
func.func private @attention_ragged(%q: tensor<8x200x128xbf16>, %k: tensor<8x128x333xbf16>, %v: tensor<8x333x128xbf16>) -> tensor<8x200x128xbf16> attributes {relay.primitive} {
  %0 = relay.nn.batch_matmul %q, %k : (tensor<8x200x128xbf16>, tensor<8x128x333xbf16>) -> tensor<8x200x333xbf16>
  %1 = relay.nn.softmax %0 {axis = -1 : i64} : (tensor<8x200x333xbf16>) -> tensor<8x200x333xbf16>
  %2 = relay.nn.batch_matmul %1, %v : (tensor<8x200x333xbf16>, tensor<8x333x128xbf16>) -> tensor<8x200x128xbf16>
  return %2 : tensor<8x200x128xbf16>
}

// Open numbers of queries and of keys, which lie as in a cache.
func.func private @attention_open(%q: tensor<12x?x32xf32, ["n"]>, %k: tensor<?x12x32xf32, ["m"]>, %v: tensor<?x12x32xf32, ["m"]>) -> tensor<12x?x32xf32, ["n"]> attributes {relay.primitive} {
  %0 = relay.transpose %k {axes = array<i64: 1, 2, 0>} : (tensor<?x12x32xf32, ["m"]>) -> tensor<12x32x?xf32, ["m"]>
  %1 = relay.transpose %v {axes = array<i64: 1, 0, 2>} : (tensor<?x12x32xf32, ["m"]>) -> tensor<12x?x32xf32, ["m"]>
  %2 = relay.nn.batch_matmul %q, %0 : (tensor<12x?x32xf32, ["n"]>, tensor<12x32x?xf32, ["m"]>) -> tensor<12x?x?xf32, ["n", "m"]>
  %3 = relay.nn.softmax %2 {axis = -1 : i64} : (tensor<12x?x?xf32, ["n", "m"]>) -> tensor<12x?x?xf32, ["n", "m"]>
  %4 = relay.nn.batch_matmul %3, %1 : (tensor<12x?x?xf32, ["n", "m"]>, tensor<12x?x32xf32, ["m"]>) -> tensor<12x?x32xf32, ["n"]>
  return %4 : tensor<12x?x32xf32, ["n"]>
}

// The same of f16.
func.func private @attention_open_f16(%q: tensor<12x?x64xf16, ["n"]>, %k: tensor<?x12x64xf16, ["m"]>, %v: tensor<?x12x64xf16, ["m"]>) -> tensor<12x?x64xf16, ["n"]> attributes {relay.primitive} {
  %0 = relay.transpose %k {axes = array<i64: 1, 2, 0>} : (tensor<?x12x64xf16, ["m"]>) -> tensor<12x64x?xf16, ["m"]>
  %1 = relay.transpose %v {axes = array<i64: 1, 0, 2>} : (tensor<?x12x64xf16, ["m"]>) -> tensor<12x?x64xf16, ["m"]>
  %2 = relay.nn.batch_matmul %q, %0 : (tensor<12x?x64xf16, ["n"]>, tensor<12x64x?xf16, ["m"]>) -> tensor<12x?x?xf16, ["n", "m"]>
  %3 = relay.nn.softmax %2 {axis = -1 : i64} : (tensor<12x?x?xf16, ["n", "m"]>) -> tensor<12x?x?xf16, ["n", "m"]>
  %4 = relay.nn.batch_matmul %3, %1 : (tensor<12x?x?xf16, ["n", "m"]>, tensor<12x?x64xf16, ["m"]>) -> tensor<12x?x64xf16, ["n"]>
  return %4 : tensor<12x?x64xf16, ["n"]>
}

// Rows with a maximum and a sum.
func.func private @softmax(%x: tensor<12x128x300xf32>) -> tensor<12x128x300xf32> attributes {relay.primitive} {
  %0 = relay.nn.softmax %x {axis = -1 : i64} : (tensor<12x128x300xf32>) -> tensor<12x128x300xf32>
  return %0 : tensor<12x128x300xf32>
}

// The same of f16.
func.func private @softmax_f16(%x: tensor<12x128x300xf16>) -> tensor<12x128x300xf16> attributes {relay.primitive} {
  %0 = relay.nn.softmax %x {axis = -1 : i64} : (tensor<12x128x300xf16>) -> tensor<12x128x300xf16>
  return %0 : tensor<12x128x300xf16>
}

// Rows with a mean and a variance.
func.func private @layer_norm(%x: tensor<128x768xf32>, %g: tensor<768xf32>, %b: tensor<768xf32>) -> tensor<128x768xf32> attributes {relay.primitive} {
  %0 = relay.nn.layer_norm %x, %g, %b {axis = -1 : i64, epsilon = 1.0e-5} : (tensor<128x768xf32>, tensor<768xf32>, tensor<768xf32>) -> tensor<128x768xf32>
  return %0 : tensor<128x768xf32>
}

// Rows that are shorter than a warp.
func.func private @softmax_short(%x: tensor<4096x10xf32>) -> tensor<4096x10xf32> attributes {relay.primitive} {
  %0 = relay.nn.softmax %x {axis = -1 : i64} : (tensor<4096x10xf32>) -> tensor<4096x10xf32>
  return %0 : tensor<4096x10xf32>
}

// Rows whose length a launch says.
func.func private @softmax_open(%x: tensor<128x?xf32, ["n"]>) -> tensor<128x?xf32, ["n"]> attributes {relay.primitive} {
  %0 = relay.nn.softmax %x {axis = -1 : i64} : (tensor<128x?xf32, ["n"]>) -> tensor<128x?xf32, ["n"]>
  return %0 : tensor<128x?xf32, ["n"]>
}

// A loop program: lines in order.
func.func private @sort(%x: tensor<64x1000xf32>) -> tensor<64x1000xf32> attributes {relay.primitive} {
  %0 = relay.sort %x {axis = -1 : i64, is_ascend = true} : (tensor<64x1000xf32>) -> tensor<64x1000xf32>
  return %0 : tensor<64x1000xf32>
}

// A loop program: each step needs the one before it.
func.func private @running_sums(%x: tensor<64x1000xf32>) -> tensor<64x1000xf32> attributes {relay.primitive} {
  %0 = relay.cumsum %x {axis = 1 : i64} : (tensor<64x1000xf32>) -> tensor<64x1000xf32>
  return %0 : tensor<64x1000xf32>
}
