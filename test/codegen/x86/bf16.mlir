// bf16 is widened by a shift of its bits, a vector at a time, and rounded by the processor's instruction,
// or by arithmetic on its bits where there is none: never by a call.
// RUN: relayc compile %s --precision bf16 --emit asm --target "x86_64-unknown-linux-gnu -mcpu=cooperlake" -o %t.native
// RUN: FileCheck %s --check-prefix=NATIVE --implicit-check-not=truncsfbf2 --input-file=%t.native
// RUN: relayc compile %s --precision bf16 --emit asm --target x86-64-v4 -o %t.v4
// RUN: FileCheck %s --check-prefix=V4 --implicit-check-not=truncsfbf2 --implicit-check-not=vcvtneps2bf16 --input-file=%t.v4
// RUN: relayc compile %s --precision bf16 --emit asm --target x86-64 -o %t.v1
// RUN: FileCheck %s --check-prefix=V1 --implicit-check-not=truncsfbf2 --input-file=%t.v1

// The weight in the loop of products, with numbers of the data from memory; then the result.
// NATIVE: vpmovzxwd ({{.*}}), %[[W:zmm[0-9]+]]
// NATIVE: vpslld $16, %[[W]], %[[W]]
// NATIVE: vfmadd
// NATIVE: vcvtneps2bf16 %{{zmm[0-9]+}}, %{{ymm[0-9]+}}
// V4: vpmovzxwd
// V4: vfmadd
// V4: vpmovdw
// V1: mulps
func.func @main(%x: tensor<8x128xf32>, %w: tensor<64x128xf32>, %v: tensor<64x64xf32>) -> tensor<8x64xf32> {
  %0 = relay.nn.dense %x, %w : (tensor<8x128xf32>, tensor<64x128xf32>) -> tensor<8x64xf32>
  %1 = relay.nn.relu %0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %2 = relay.nn.dense %1, %v : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  return %2 : tensor<8x64xf32>
}
