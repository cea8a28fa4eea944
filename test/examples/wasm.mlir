// The network in WebAssembly, with vectors.
// REQUIRES: node
// RUN: rm -rf %t && mkdir %t
// RUN: relayc compile %examples/digits/digits.onnx --emit bare --target "wasm32-unknown-unknown -mattr=+simd128" -o %t/digits
// RUN: clang --target=wasm32 -msimd128 -O2 -Wall -Wextra -Werror -ffreestanding -nostdlib -I %t/digits -Wl,--no-entry -Wl,--export=digits_run -Wl,--export=__heap_base %t/digits/digits.c %t/digits/digits.o %examples/bare_metal/memory.c -o %t/digits.wasm
// RUN: %python %S/Inputs/digits.py images | node %examples/wasm/reader.mjs %t/digits.wasm | %python %S/Inputs/digits.py score | FileCheck %s
// CHECK: {{(19[0-9]|200)}} of 200 are right
// RUN: llvm-objdump -d %t/digits.wasm | FileCheck %s --check-prefix=SIMD
// SIMD: f32x4.mul
