// One library for several levels of x86-64: each run takes the newest that the processor can.
// RUN: relayc compile %s --target x86-64-v3,x86-64,x86-64-v4 -o %t.so 2>&1 | FileCheck %s --check-prefix=WROTE
// RUN: llvm-objdump -d --no-show-raw-insn %t.so > %t.s
// RUN: FileCheck %s --check-prefix=V4 --input-file=%t.s
// RUN: FileCheck %s --check-prefix=V3 --input-file=%t.s
// RUN: FileCheck %s --check-prefix=V1 --input-file=%t.s
// RUN: relayc compile %s --target x86-64 -o %t.v1.so
// RUN: relayc run %t.v1.so --outputs %t.v1.npz
// RUN: relayc run %t.so --outputs %t.best.npz
// RUN: cmp %t.v1.npz %t.best.npz
// RUN: env RELAY_MAX_CPU_LEVEL=3 relayc run %t.so --outputs %t.v3.npz
// RUN: cmp %t.v1.npz %t.v3.npz
// RUN: env RELAY_MAX_CPU_LEVEL=1 relayc run %t.so --outputs %t.limited.npz
// RUN: cmp %t.v1.npz %t.limited.npz

// Where none can run, the model says so.
// RUN: relayc compile %s --target x86-64-v4,x86-64-v3 -o %t.new.so
// RUN: env RELAY_MAX_CPU_LEVEL=2 not relayc run %t.new.so 2>&1 | FileCheck %s --check-prefix=NONE

// RUN: not relayc compile %s --target x86-64-v3,x86-64-v3 -o %t.so 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not relayc compile %s --target x86-64-v3,x86-64-v4 --emit asm 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not relayc compile %s --target x86-64-v3,native -o %t.so 2>&1 | FileCheck %s --check-prefix=LIST

// The width of a CPU's vectors is LLVM's.
// RUN: not relayc bench %s --target x86-64-v3,x86-64-v4 2>&1 | FileCheck %s --check-prefix=BENCH
// RUN: relayc compile %s --emit asm --target "x86_64-unknown-linux-gnu -mcpu=skylake-avx512" -o %t.skx
// RUN: FileCheck %s --check-prefix=V4 --input-file=%t.skx
// RUN: relayc compile %s --emit asm --target "x86_64-unknown-linux-gnu -mcpu=skylake-avx512 -mattr=-avx512f" -o %t.less
// RUN: FileCheck %s --check-prefix=V3 --implicit-check-not=zmm --input-file=%t.less
// RUN: relayc compile %s --emit asm --target "x86_64-unknown-linux-gnu -mcpu=znver3" -o %t.zen
// RUN: FileCheck %s --check-prefix=V3 --implicit-check-not=zmm --input-file=%t.zen

// WROTE: -mcpu=x86-64-v4 (AVX-512), {{.*}} -mcpu=x86-64-v3 (AVX2), {{.*}} -mcpu=x86-64 (SSE2)
// V4: vaddps {{.*}}%zmm
// V3: vaddps {{.*}}%ymm
// V1: {{[^v]}}addps {{.*}}%xmm
// NONE: error{{.*}}: the model failed: this processor has not the instructions of any target that the model was compiled for ({{.*}}x86-64-v4 (AVX-512), {{.*}}x86-64-v3 (AVX2))
// TWICE: error{{.*}}: target 'x86-64-v3,x86-64-v3': each level can be given once
// ONE: error{{.*}}: only a library can be for several targets; name one
// BENCH: error{{.*}}: {{.*}}name the target to measure
// LIST: error{{.*}}: target 'x86-64-v3,native'
func.func private @double(%a: tensor<32x16xf32>) -> tensor<32x16xf32> {
  %b = te.compute "b" (%i: 32, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<32x16xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<32x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<32x16xf32>
    %i, %j = te.axes %s
    te.parallel %i
    te.vectorize %j
  }
  return %b : tensor<32x16xf32>
}
func.func @main(%a: tensor<32x16xf32> {relay.name = "a"}) -> (tensor<32x16xf32> {relay.name = "b"}) {
  %0 = call @double(%a) : (tensor<32x16xf32>) -> tensor<32x16xf32>
  return %0 : tensor<32x16xf32>
}
