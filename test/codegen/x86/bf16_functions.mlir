// Without instructions on bf16, nothing is computed with it, and no lane is rounded by a call: neither functions of bf16,
// nor those of f32 that have only numbers from bf16, which LLVM would take to be the same.
// RUN: relayc compile %s --no-cache --target x86-64-v3 -o %t.so
// RUN: %llvm/llvm-nm --dynamic --undefined-only %t.so | FileCheck %s --implicit-check-not=truncsfbf2
// RUN: relayc compile %s --no-cache --target "x86_64-unknown-linux-gnu -mcpu=znver4 -mattr=-avx512f" -o %t.so
// RUN: %llvm/llvm-nm --dynamic --undefined-only %t.so | FileCheck %s --implicit-check-not=truncsfbf2
// CHECK: mmap
func.func @main(%x: tensor<9x3x2xbf16>) -> (tensor<9x3xf32>, tensor<9x3x2xbf16>) {
  %0 = relay.cast %x {dtype = f32} : (tensor<9x3x2xbf16>) -> tensor<9x3x2xf32>
  %1 = relay.max %0 {axis = array<i64: 2>} : (tensor<9x3x2xf32>) -> tensor<9x3xf32>
  %2 = relay.abs %x : (tensor<9x3x2xbf16>) -> tensor<9x3x2xbf16>
  return %1, %2 : tensor<9x3xf32>, tensor<9x3x2xbf16>
}
