// The last elements of a row are a vector with a mask, for which AVX-512 has registers and AVX2 loads.
// RUN: relayc compile %s --emit asm --target "x86_64-unknown-linux-gnu -mcpu=x86-64-v4" -o %t.v4
// RUN: FileCheck %s --check-prefix=V4 --input-file=%t.v4
// RUN: relayc compile %s --emit asm --target "x86_64-unknown-linux-gnu -mcpu=x86-64-v3" -o %t.v3
// RUN: FileCheck %s --check-prefix=V3 --input-file=%t.v3

// V4: vmovups {{.+}}, %zmm{{[0-9]+}} {%k{{[0-9]}}} {z}
// V3: vmaskmovps
func.func @main(%a: tensor<32x27xf32> {relay.name = "a"}) -> (tensor<32xf32> {relay.name = "b"}) {
  %0 = relay.sum %a {axis = array<i64: 1>, exclude = false, keepdims = false} : (tensor<32x27xf32>) -> tensor<32xf32>
  return %0 : tensor<32xf32>
}
