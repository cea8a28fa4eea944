// The network on a microcontroller, a Cortex-M4 that qemu emulates, without system and C library.
// REQUIRES: time
// RUN: rm -rf %t && mkdir %t
// RUN: relayc compile %examples/digits/digits.onnx --emit bare --target "thumbv7em-none-eabihf -mcpu=cortex-m4" -o %t/digits
// DEFINE: %{cc} = clang --target=thumbv7em-none-eabihf -mcpu=cortex-m4 -O2 -Wall -Wextra -Werror -ffreestanding -nostdlib -fuse-ld=lld -T %examples/bare_metal/mps2.ld -I %t/digits
// DEFINE: %{sources} = %examples/bare_metal/main.c %examples/bare_metal/startup.c %examples/bare_metal/memory.c %t/digits/digits.c %t/digits/digits.o
// DEFINE: %{run} = qemu-system-arm -M mps2-an386 -display none -monitor none -serial none -semihosting -kernel
// RUN: %{cc} %{sources} -o %t/three && %{run} %t/three 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: %python %S/Inputs/digits.py header > %t/all.h
// RUN: %{cc} -DIMAGES='"%t/all.h"' %{sources} -o %t/all
// RUN: %{run} %t/all 2>&1 | %python %S/Inputs/digits.py score | FileCheck %s
// CHECK: {{(19[0-9]|200)}} of 200 are right
// THREE-COUNT-3: {{^[0-9]$}}

// What it needs is said in the header and to programs, and its code asks for nothing of a system.
// RUN: FileCheck %s --check-prefix=HEADER < %t/digits/digits.h
// HEADER: #define DIGITS_ARENA_BYTES {{[0-9]+}}
// HEADER: input 0: image, f32[1, 1, 8, 8]
// HEADER: int32_t digits_run(const float *t_image, float *t_probabilities);
// RUN: %python -c "import json, sys; print(json.load(open(sys.argv[1]))['outputs'])" %t/digits/digits.json | FileCheck %s --check-prefix=JSON
// JSON: [{'name': 'probabilities', 'identifier': 't_probabilities', 'dtype': 'f32', 'shape': [1, 10]}]
// RUN: llvm-nm --undefined-only --just-symbol-name %t/digits/digits.o | sort | tr '\n' ' ' | FileCheck %s --check-prefix=NEEDS
// NEEDS: {{^}}digits_parallel_for memset {{$}}
