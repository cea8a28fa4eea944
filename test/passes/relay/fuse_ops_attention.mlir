// RUN: relay-opt %s --fuse-ops | FileCheck %s
// RUN: relay-opt %s --target=sapphirerapids --fuse-ops | FileCheck %s --check-prefix=AMX
// RUN: relay-opt %s --attach-target='target="nvidia/h100 x86_64-unknown-linux-gnu -mcpu=sapphirerapids"' --fuse-ops | FileCheck %s --check-prefix=GPU

// The two products of an attention, what scales and masks the scores, the softmax and what follows are one function.
// CHECK-LABEL: func.func @masked
// CHECK: call @fused_batch_matmul_multiply_add_softmax_batch_matmul_relu(
// CHECK-NOT: call
// CHECK: return
func.func @masked(%q: tensor<2x8x4xf32>, %k: tensor<2x4x6xf32>, %v: tensor<2x6x4xf32>, %m: tensor<1x1x6xf32>) -> tensor<2x8x4xf32> {
  %c = relay.constant dense<0.5> : tensor<f32>
  %0 = relay.nn.batch_matmul %q, %k : (tensor<2x8x4xf32>, tensor<2x4x6xf32>) -> tensor<2x8x6xf32>
  %1 = relay.multiply %0, %c : (tensor<2x8x6xf32>, tensor<f32>) -> tensor<2x8x6xf32>
  %2 = relay.add %1, %m : (tensor<2x8x6xf32>, tensor<1x1x6xf32>) -> tensor<2x8x6xf32>
  %3 = relay.nn.softmax %2 {axis = -1 : i64} : (tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
  %4 = relay.nn.batch_matmul %3, %v : (tensor<2x8x6xf32>, tensor<2x6x4xf32>) -> tensor<2x8x4xf32>
  %5 = relay.nn.relu %4 : (tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %5 : tensor<2x8x4xf32>
}

// Scores that something else reads, too, are in memory.
// CHECK-LABEL: func.func @scores_returned
// CHECK: call @fused_batch_matmul{{[_0-9]*}}(
// CHECK: call @fused_softmax{{[_0-9]*}}(
// CHECK: call @fused_batch_matmul{{[_0-9]*}}(
func.func @scores_returned(%q: tensor<2x8x4xf32>, %k: tensor<2x4x6xf32>, %v: tensor<2x6x4xf32>) -> (tensor<2x8x4xf32>, tensor<2x8x6xf32>) {
  %0 = relay.nn.batch_matmul %q, %k : (tensor<2x8x4xf32>, tensor<2x4x6xf32>) -> tensor<2x8x6xf32>
  %1 = relay.nn.softmax %0 {axis = -1 : i64} : (tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
  %2 = relay.nn.batch_matmul %1, %v : (tensor<2x8x6xf32>, tensor<2x6x4xf32>) -> tensor<2x8x4xf32>
  return %2, %0 : tensor<2x8x4xf32>, tensor<2x8x6xf32>
}

// A softmax of columns needs all rows of the scores.
// CHECK-LABEL: func.func @columns
// CHECK: call @fused_batch_matmul{{[_0-9]*}}(
// CHECK: call @fused_softmax{{[_0-9]*}}(
// CHECK: call @fused_batch_matmul{{[_0-9]*}}(
func.func @columns(%q: tensor<2x8x4xf32>, %k: tensor<2x4x6xf32>, %v: tensor<2x6x4xf32>) -> tensor<2x8x4xf32> {
  %0 = relay.nn.batch_matmul %q, %k : (tensor<2x8x4xf32>, tensor<2x4x6xf32>) -> tensor<2x8x6xf32>
  %1 = relay.nn.softmax %0 {axis = 1 : i64} : (tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
  %2 = relay.nn.batch_matmul %1, %v : (tensor<2x8x6xf32>, tensor<2x6x4xf32>) -> tensor<2x8x4xf32>
  return %2 : tensor<2x8x4xf32>
}

// The softmax must be the first operand.
// CHECK-LABEL: func.func @second_operand
// CHECK: call @fused_batch_matmul{{[_0-9]*}}(
// CHECK: call @fused_softmax{{[_0-9]*}}(
// CHECK: call @fused_batch_matmul{{[_0-9]*}}(
func.func @second_operand(%q: tensor<2x8x4xf32>, %k: tensor<2x4x6xf32>, %v: tensor<2x4x8xf32>) -> tensor<2x4x6xf32> {
  %0 = relay.nn.batch_matmul %q, %k : (tensor<2x8x4xf32>, tensor<2x4x6xf32>) -> tensor<2x8x6xf32>
  %1 = relay.nn.softmax %0 {axis = 2 : i64} : (tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
  %2 = relay.nn.batch_matmul %v, %1 : (tensor<2x4x8xf32>, tensor<2x8x6xf32>) -> tensor<2x4x6xf32>
  return %2 : tensor<2x4x6xf32>
}

// Products of bf16 are one function with the softmax, and what rounds that.
// AMX-LABEL: func.func @narrow
// AMX: call @fused_batch_matmul_cast_multiply_softmax_cast_batch_matmul(
// AMX-NOT: call
// AMX: return
// CHECK-LABEL: func.func @narrow
// CHECK: call @fused_batch_matmul_cast_multiply_softmax_cast_batch_matmul(
// CHECK-NOT: call
// CHECK: return
func.func @narrow(%q: tensor<2x64x32xbf16>, %k: tensor<2x32x52xbf16>, %v: tensor<2x52x32xbf16>) -> tensor<2x64x32xbf16> {
  %c = relay.constant dense<0.5> : tensor<f32>
  %0 = relay.nn.batch_matmul %q, %k : (tensor<2x64x32xbf16>, tensor<2x32x52xbf16>) -> tensor<2x64x52xbf16>
  %1 = relay.cast %0 {dtype = f32} : (tensor<2x64x52xbf16>) -> tensor<2x64x52xf32>
  %2 = relay.multiply %1, %c : (tensor<2x64x52xf32>, tensor<f32>) -> tensor<2x64x52xf32>
  %3 = relay.nn.softmax %2 {axis = -1 : i64} : (tensor<2x64x52xf32>) -> tensor<2x64x52xf32>
  %4 = relay.cast %3 {dtype = bf16} : (tensor<2x64x52xf32>) -> tensor<2x64x52xbf16>
  %5 = relay.nn.batch_matmul %4, %v : (tensor<2x64x52xbf16>, tensor<2x52x32xbf16>) -> tensor<2x64x32xbf16>
  return %5 : tensor<2x64x32xbf16>
}

// So are those of f16, on every machine.
// AMX-LABEL: func.func @half
// AMX: call @fused_batch_matmul_softmax_batch_matmul(
// CHECK-LABEL: func.func @half
// CHECK: call @fused_batch_matmul_softmax_batch_matmul(
func.func @half(%q: tensor<2x8x4xf16>, %k: tensor<2x4x6xf16>, %v: tensor<2x6x4xf16>) -> tensor<2x8x4xf16> {
  %0 = relay.nn.batch_matmul %q, %k : (tensor<2x8x4xf16>, tensor<2x4x6xf16>) -> tensor<2x8x6xf16>
  %1 = relay.nn.softmax %0 {axis = -1 : i64} : (tensor<2x8x6xf16>) -> tensor<2x8x6xf16>
  %2 = relay.nn.batch_matmul %1, %v : (tensor<2x8x6xf16>, tensor<2x6x4xf16>) -> tensor<2x8x4xf16>
  return %2 : tensor<2x8x4xf16>
}

// Products of bf16 are apart on a machine with AMX where the sums of the second product have no whole steps, or are fewer than two
// tiles' columns.
// AMX-LABEL: func.func @odd
// AMX: call @fused_batch_matmul{{[_a-z0-9]*}}(
// AMX: call @fused_softmax{{[_a-z0-9]*}}(
// AMX: call @fused_batch_matmul{{[_0-9]*}}(
// A GPU beside such a machine needs no tiles.
// GPU-LABEL: func.func @odd
// GPU: call @fused_batch_matmul_cast_softmax_cast_batch_matmul(
// GPU-NOT: call
// GPU: return
func.func @odd(%q: tensor<2x64x32xbf16>, %k: tensor<2x32x37xbf16>, %v: tensor<2x37x32xbf16>) -> tensor<2x64x32xbf16> {
  %0 = relay.nn.batch_matmul %q, %k : (tensor<2x64x32xbf16>, tensor<2x32x37xbf16>) -> tensor<2x64x37xbf16>
  %1 = relay.cast %0 {dtype = f32} : (tensor<2x64x37xbf16>) -> tensor<2x64x37xf32>
  %2 = relay.nn.softmax %1 {axis = -1 : i64} : (tensor<2x64x37xf32>) -> tensor<2x64x37xf32>
  %3 = relay.cast %2 {dtype = bf16} : (tensor<2x64x37xf32>) -> tensor<2x64x37xbf16>
  %4 = relay.nn.batch_matmul %3, %v : (tensor<2x64x37xbf16>, tensor<2x37x32xbf16>) -> tensor<2x64x32xbf16>
  return %4 : tensor<2x64x32xbf16>
}
// AMX-LABEL: func.func @narrow_heads
// AMX: call @fused_batch_matmul{{[_a-z0-9]*}}(
// AMX: call @fused_softmax{{[_a-z0-9]*}}(
// AMX: call @fused_batch_matmul{{[_0-9]*}}(
func.func @narrow_heads(%q: tensor<2x64x16xbf16>, %k: tensor<2x16x64xbf16>, %v: tensor<2x64x16xbf16>) -> tensor<2x64x16xbf16> {
  %0 = relay.nn.batch_matmul %q, %k : (tensor<2x64x16xbf16>, tensor<2x16x64xbf16>) -> tensor<2x64x64xbf16>
  %1 = relay.cast %0 {dtype = f32} : (tensor<2x64x64xbf16>) -> tensor<2x64x64xf32>
  %2 = relay.nn.softmax %1 {axis = -1 : i64} : (tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %3 = relay.cast %2 {dtype = bf16} : (tensor<2x64x64xf32>) -> tensor<2x64x64xbf16>
  %4 = relay.nn.batch_matmul %3, %v : (tensor<2x64x64xbf16>, tensor<2x64x16xbf16>) -> tensor<2x64x16xbf16>
  return %4 : tensor<2x64x16xbf16>
}

// With open lengths, what moves the keys and the values is in the function: it reads them where they lie.
// CHECK-LABEL: func.func @open
// CHECK: call @fused_strided_slice_transpose_batch_matmul_softmax_transpose_batch_matmul(%arg1, %arg0, %arg2)
// CHECK-NOT: call
// CHECK: return
func.func @open(%q: tensor<2x?x4xf32, ["n"]>, %k: tensor<2x8x4xf32>, %v: tensor<6x2x4xf32>) -> tensor<2x?x4xf32, ["n"]> {
  %0 = relay.strided_slice %k {begin = array<i64: 0>, end = array<i64: 6>, strides = array<i64: 1>, axes = array<i64: 1>} : (tensor<2x8x4xf32>) -> tensor<2x6x4xf32>
  %1 = relay.transpose %0 {axes = array<i64: 0, 2, 1>} : (tensor<2x6x4xf32>) -> tensor<2x4x6xf32>
  %2 = relay.nn.batch_matmul %q, %1 : (tensor<2x?x4xf32, ["n"]>, tensor<2x4x6xf32>) -> tensor<2x?x6xf32, ["n"]>
  %3 = relay.nn.softmax %2 {axis = -1 : i64} : (tensor<2x?x6xf32, ["n"]>) -> tensor<2x?x6xf32, ["n"]>
  %4 = relay.transpose %v {axes = array<i64: 1, 0, 2>} : (tensor<6x2x4xf32>) -> tensor<2x6x4xf32>
  %5 = relay.nn.batch_matmul %3, %4 : (tensor<2x?x6xf32, ["n"]>, tensor<2x6x4xf32>) -> tensor<2x?x4xf32, ["n"]>
  return %5 : tensor<2x?x4xf32, ["n"]>
}

// Keys that something else reads, too, are moved once.
// CHECK-LABEL: func.func @open_keys_returned
// CHECK: call @fused_transpose{{[_0-9]*}}(
// CHECK: call @fused_batch_matmul_softmax_batch_matmul{{[_0-9]*}}(
func.func @open_keys_returned(%q: tensor<2x?x4xf32, ["n"]>, %k: tensor<2x?x4xf32, ["m"]>, %v: tensor<2x?x4xf32, ["m"]>)
    -> (tensor<2x?x4xf32, ["n"]>, tensor<2x4x?xf32, ["m"]>) {
  %0 = relay.transpose %k {axes = array<i64: 0, 2, 1>} : (tensor<2x?x4xf32, ["m"]>) -> tensor<2x4x?xf32, ["m"]>
  %1 = relay.nn.batch_matmul %q, %0 : (tensor<2x?x4xf32, ["n"]>, tensor<2x4x?xf32, ["m"]>) -> tensor<2x?x?xf32, ["n", "m"]>
  %2 = relay.nn.softmax %1 {axis = -1 : i64} : (tensor<2x?x?xf32, ["n", "m"]>) -> tensor<2x?x?xf32, ["n", "m"]>
  %3 = relay.nn.batch_matmul %2, %v : (tensor<2x?x?xf32, ["n", "m"]>, tensor<2x?x4xf32, ["m"]>) -> tensor<2x?x4xf32, ["n"]>
  return %3, %0 : tensor<2x?x4xf32, ["n"]>, tensor<2x4x?xf32, ["m"]>
}

// A block of keys of an open number of elements has no known size.
// CHECK-LABEL: func.func @open_elements
// CHECK: call @fused_batch_matmul{{[_0-9]*}}(
// CHECK: call @fused_softmax{{[_0-9]*}}(
// CHECK: call @fused_batch_matmul{{[_0-9]*}}(
func.func @open_elements(%q: tensor<2x?x?xf32, ["n", "d"]>, %k: tensor<2x?x6xf32, ["d"]>, %v: tensor<2x6x4xf32>) -> tensor<2x?x4xf32, ["n"]> {
  %0 = relay.nn.batch_matmul %q, %k : (tensor<2x?x?xf32, ["n", "d"]>, tensor<2x?x6xf32, ["d"]>) -> tensor<2x?x6xf32, ["n"]>
  %1 = relay.nn.softmax %0 {axis = -1 : i64} : (tensor<2x?x6xf32, ["n"]>) -> tensor<2x?x6xf32, ["n"]>
  %2 = relay.nn.batch_matmul %1, %v : (tensor<2x?x6xf32, ["n"]>, tensor<2x6x4xf32>) -> tensor<2x?x4xf32, ["n"]>
  return %2 : tensor<2x?x4xf32, ["n"]>
}
