// f16 is widened a vector at a time when it is loaded, multiplied and added in f32, and rounded a vector at a time when it
// is stored. So is a maximum, which LLVM would take in f16.
// RUN: relayc compile %s --emit asm --target x86-64-v4 -o %t.v4
// RUN: FileCheck %s --check-prefix=V4 --implicit-check-not=hfsf --implicit-check-not=sfhf --input-file=%t.v4
// RUN: relayc compile %s --emit asm --target x86-64-v3 -o %t.v3
// RUN: FileCheck %s --check-prefix=V3 --implicit-check-not=hfsf --implicit-check-not=sfhf --input-file=%t.v3

// V4-LABEL: {{^}}fused_contrib_dense_pack
// V4: vcvtph2ps {{.*}}(%{{.*}}), %zmm
// V4: vfmadd231ps {{.*}}, %zmm{{[0-9]+}}, %zmm
// V4: vcvtps2ph $4, %zmm
// V4-LABEL: {{^}}fused_max
// V4: vcvtph2ps {{.*}}(%{{.*}}), %zmm
// V4: vmaxps {{.*}}, %zmm{{[0-9]+}}, %zmm
// V3-LABEL: {{^}}fused_contrib_dense_pack
// V3: vcvtph2ps {{.*}}(%{{.*}}), %ymm
// V3: vfmadd231ps {{.*}}, %ymm{{[0-9]+}}, %ymm
// V3: vcvtps2ph $4, %ymm
// V3-LABEL: {{^}}fused_max
// V3: vcvtph2ps {{.*}}(%{{.*}}), %ymm
// V3: vmaxps {{.*}}, %ymm{{[0-9]+}}, %ymm
func.func @main(%x: tensor<64x128xf16>, %w: tensor<64x128xf16>, %y: tensor<64x256xf16>) -> (tensor<64x64xf16>, tensor<64xf16>) {
  %0 = relay.nn.dense %x, %w : (tensor<64x128xf16>, tensor<64x128xf16>) -> tensor<64x64xf16>
  %1 = relay.max %y {axis = array<i64: 1>} : (tensor<64x256xf16>) -> tensor<64xf16>
  return %0, %1 : tensor<64x64xf16>, tensor<64xf16>
}
