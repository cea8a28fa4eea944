// The registers that a loop over 16 elements uses are those of the target's CPU.
// RUN: relayc compile %s --emit asm --target "x86_64-unknown-linux-gnu -mcpu=x86-64-v4" -o %t.v4
// RUN: FileCheck %s --check-prefix=V4 --input-file=%t.v4
// RUN: relayc compile %s --emit asm --target "x86_64-unknown-linux-gnu -mcpu=x86-64-v3" -o %t.v3
// RUN: FileCheck %s --check-prefix=V3 --implicit-check-not=zmm --input-file=%t.v3
// RUN: relayc compile %s --emit asm --target x86_64-unknown-linux-gnu -o %t.v1
// RUN: FileCheck %s --check-prefix=V1 --implicit-check-not=ymm --implicit-check-not=zmm --input-file=%t.v1
// RUN: not relayc compile %s --emit asm --target sparc-unknown-linux-gnu -o %t.none 2>&1 | FileCheck %s --check-prefix=NONE

// V4: vaddps {{.*}}%zmm
// V3: vaddps {{.*}}%ymm
// V1: addps {{.*}}%xmm
// NONE: no code is made for 'sparc', only for aarch64, {{.*}}x86_64
func.func private @double(%a: tensor<32x16xf32>) -> tensor<32x16xf32> {
  %b = te.compute "b" (%i: 32, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<32x16xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<32x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<32x16xf32>
    %i, %j = te.axes %s
    te.vectorize %j
  }
  return %b : tensor<32x16xf32>
}
func.func @main(%a: tensor<32x16xf32> {relay.name = "a"}) -> (tensor<32x16xf32> {relay.name = "b"}) {
  %0 = call @double(%a) : (tensor<32x16xf32>) -> tensor<32x16xf32>
  return %0 : tensor<32x16xf32>
}
