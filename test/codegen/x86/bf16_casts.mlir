// The instruction that rounds to bf16 makes 0 of subnormal numbers. So a cast of the model is arithmetic on bits, a vector at a time.
// RUN: relayc compile %s --emit asm --target "x86_64-unknown-linux-gnu -mcpu=cooperlake" -o %t.s
// RUN: FileCheck %s --implicit-check-not=truncsfbf2 --implicit-check-not=vcvtneps2bf16 --input-file=%t.s

// CHECK: vpaddd {{.*}}ymm
// CHECK: {{vpmovdw|vpackusdw}}
func.func @main(%x: tensor<4096xf32>) -> tensor<4096xbf16> {
  %0 = relay.cast %x {dtype = bf16} : (tensor<4096xf32>) -> tensor<4096xbf16>
  return %0 : tensor<4096xbf16>
}
