// A library whose instructions the processor lacks says so when an instance of it is made, and runs none of them. An
// emulator is the older processor.
// REQUIRES: time
// RUN: rm -rf %t && mkdir %t
// RUN: relayc compile %s --emit object -o %t/twice.o --target x86-64-v3
// RUN: gcc -I %S/../../../runtime/include %S/../../../runtime/tests/c/object.c %t/twice.o %runtime -lm -o %t/v3
// RUN: not qemu-x86_64 -cpu Nehalem %t/v3 2>&1 | FileCheck %s --check-prefix=V3
// RUN: qemu-x86_64 -cpu max %t/v3 | FileCheck %s --check-prefix=RUNS
// A library, as the tools load it.
// RUN: relayc compile %s -o %t/fp16.so --target "x86_64-unknown-linux-gnu -mattr=+avx512fp16"
// RUN: relayc inspect %t/fp16.so | FileCheck %s --check-prefix=NEEDS
// RUN: not qemu-x86_64 -cpu Haswell %tools/relayc run %t/fp16.so 2>&1 | FileCheck %s --check-prefix=FP16
// What stands for all that a processor has is taken apart.
// RUN: relayc compile %s -o %t/cpu.so --target "x86_64-unknown-linux-gnu -mcpu=diamondrapids"
// RUN: relayc inspect %t/cpu.so | FileCheck %s --check-prefix=CPU
// RUN: not qemu-x86_64 -cpu max %tools/relayc run %t/cpu.so 2>&1 | FileCheck %s --check-prefix=NEWEST
// Of several levels, the oldest counts.
// RUN: relayc compile %s -o %t/levels.so --target x86-64-v2,x86-64-v4
// RUN: qemu-x86_64 -cpu Nehalem %tools/relayc run %t/levels.so
// RUN: not qemu-x86_64 -cpu Conroe %tools/relayc run %t/levels.so 2>&1 | FileCheck %s --check-prefix=LEVELS
// Features that change no code of models are not asked for.
// RUN: relayc compile %s -o %t/other.so --target "x86_64-unknown-linux-gnu -mattr=+aes,+rdrnd,+fast-bextr"
// RUN: relayc inspect %t/other.so | FileCheck %s --check-prefix=NONE

// V3: the model needs instructions that this processor, or its system, does not have: lzcnt, bmi, bmi2, movbe, avx, avx2, f16c, fma; it was compiled for x86_64-unknown-linux-gnu -mcpu=x86-64-v3 (AVX2); compile it on this machine, or for older processors as well, such as --target x86-64,
// RUNS: 11 22 33 44
// NEEDS: needs: sse3, {{.*}}avx512fp16
// FP16: error[R0405]: {{.*}}does not have: {{.*}}avx512f, {{.*}}avx512fp16;
// CPU: needs: {{.*}}avx10.2, egpr, ndd
// CPU-NOT: needs: {{.*}}amx
// NEWEST: error[R0405]: {{.*}}avx10.2, egpr, ndd{{.*}};
// LEVELS: error[R0405]: {{.*}}does not have: sse4.1, sse4.2, popcnt; it was compiled for {{.*}}x86-64-v4 (AVX-512), {{.*}}x86-64-v2 (SSE2);
// NONE: precision: f32
// NONE-NEXT: needs:{{$}}

func.func @main(%x: tensor<4xf32> {relay.name = "x"}) -> (tensor<4xf32> {relay.name = "y"}) {
  %c = relay.constant dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>
  %0 = relay.add %x, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
