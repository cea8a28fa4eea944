// Targets that there are not: LLVM would only warn.
// RUN: not relayc compile %s --emit asm --target "x86_64-unknown-linux-gnu -mcpu=nosuch" 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not relayc compile %s --emit asm --target "x86_64-unknown-linux-gnu -mattr=+avx2,+nosuch" 2>&1 | FileCheck %s --check-prefix=FEATURE
// RUN: not relayc compile %s --emit asm --target "x86_64-unknown-linux-gnu -mattr=avx2" 2>&1 | FileCheck %s --check-prefix=SIGN
// RUN: not relayc compile %s --emit asm --target x86-64-v9 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not relayc compile %s --target riscv64-unknown-linux-gnu -o %t.so 2>&1 | FileCheck %s --check-prefix=ARCHITECTURE
// RUN: not relayc compile %s --target aarch64-unknown-linux-gnu -o %t.so 2>&1 | FileCheck %s --check-prefix=RUNTIME
// RUN: not relayc compile %s --target thumbv7em-none-eabihf -o %t.so 2>&1 | FileCheck %s --check-prefix=SYSTEM
// RUN: not relayc compile %s --target wasm32-unknown-unknown --emit object -o %t.o 2>&1 | FileCheck %s --check-prefix=SYSTEM
// RUN: relayc compile %s --emit asm --target "x86_64-unknown-linux-gnu -mcpu=skylake -mattr=-fma,+f16c" 2>&1 | FileCheck %s
// RUN: not relayc compile %s --emit asm --target "native -mcpu=skylake" 2>&1 | FileCheck %s --check-prefix=BOTH
// Features are added to those of this machine, whose CPU is named all the same.
// RUN: relayc compile %s --emit object -o %t.o --target native 2> %t.native
// RUN: relayc compile %s --emit object -o %t.o --target "native -mattr=-sse4a,+sse2" 2> %t.more
// RUN: diff %t.native %t.more
// RUN: not relayc compile %s --emit asm --target "native -mattr=+nosuch" 2>&1 | FileCheck %s --check-prefix=FEATURE
// What a CPU's name does not say.
// RUN: relayc compile %s --emit asm --target "x86-64-v3 -l2=2048 -cores=8" 2>&1 | FileCheck %s
// RUN: not relayc compile %s --emit asm --target "native -l2=0" 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not relayc compile %s --emit asm --target "native -cores=all" 2>&1 | FileCheck %s --check-prefix=NUMBER

// CPUs have names of their own, and architectures others.
// RUN: relayc compile %s --emit asm --target skylake 2>&1 | FileCheck %s
// RUN: relayc compile %s --emit asm --target znver4 2>&1 | FileCheck %s
// RUN: relayc compile %s --emit asm --target amd64 2>&1 | FileCheck %s
// RUN: relayc compile %s --emit object --target arm64 -o %t.o 2>&1 | FileCheck %s --check-prefix=ARM
// RUN: relayc compile %s --emit object --target apple-m1 -o %t.o 2>&1 | FileCheck %s --check-prefix=ARM
// ARM: wrote {{.*}} for aarch64-unknown-linux-gnu -mcpu={{generic|apple-m1}} (NEON)
// Systems for which there is no runtime.
// RUN: not relayc compile %s --target x86_64-unknown-linux-musl -o %t.so 2>&1 | FileCheck %s --check-prefix=LIBRARY
// RUN: not relayc compile %s --target x86_64-linux-android -o %t.so 2>&1 | FileCheck %s --check-prefix=LIBRARY
// RUN: not relayc compile %s --target x86_64-pc-windows-msvc -o %t.so 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not relayc compile %s --target arm64-apple-darwin -o %t.so 2>&1 | FileCheck %s --check-prefix=OTHER
// LIBRARY: no code is made for the C library of 'x86_64-{{.*}}': supported are Linux with glibc, x86_64-unknown-linux-gnu,
// OTHER: no code is made for the system of '{{.*}}': supported are Linux with glibc,
// RUN: not relayc compile %s --emit asm --target skylark 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: 'skylark' is neither a CPU nor an architecture (aarch64, {{.*}}x86_64); relayc compile --target help lists them
// RUN: relayc compile --target help | FileCheck %s --check-prefix=HELP
// HELP: x86_64-unknown-linux-gnu, x86_64-none-elf (--emit bare)
// HELP: x86-64-v4
// HELP: CPUs of x86_64:
// HELP: skylake
// HELP: Features of x86_64
// HELP: avx512f

// CPU-NOT: not a recognized processor
// CPU: error{{.*}}: {{.*}}there is no CPU 'nosuch' for x86_64-unknown-linux-gnu; relayc compile --target help lists them
// CPU-NOT: not a recognized processor
// FEATURE-NOT: not a recognized feature
// FEATURE: there is no feature '+nosuch'
// SIGN: there is no feature 'avx2' {{.*}}written +avx2
// LEVEL: there is no level x86-64-v9, only {{.*}}x86-64-v4
// NUMBER: error{{.*}}: target 'native -{{l2=0|cores=all}}': -{{l2=0|cores=all}} has no number from 1 to 2^30
// BOTH: native stands for triple and CPU
// ARCHITECTURE: riscv64
// RUNTIME: cannot find a runtime for {{aarch64; .*--target aarch64-unknown-linux-gnu.* RELAY_RUNTIME_LIB .*--emit object}}
// SYSTEM: error{{.*}}: target '{{(thumbv7em|wasm32).*}}': where there is no operating system, models run without the runtime: --emit bare
// CHECK-NOT: {{warning|not a recognized}}
// CHECK: retq

func.func @main(%x: tensor<4xf32> {relay.name = "x"}) -> (tensor<4xf32> {relay.name = "y"}) {
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
