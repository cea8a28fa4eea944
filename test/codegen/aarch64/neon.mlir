// A layer of Relay's operators, compiled for another machine and run under an emulator of it. The
// program around it has no C library and no runtime: it calls the graph itself, on one thread.
// RUN: mkdir -p %t
// RUN: relayc compile %S/../../../examples/tour/layer.mlir --target aarch64-unknown-linux-gnu --emit object -o %t/layer.o
// RUN: clang --target=aarch64-unknown-linux-gnu -O1 -ffreestanding -nostdlib -static -fuse-ld=lld -I %S/../../../runtime/include %S/../../../runtime/tests/c/bare_layer.c -DMODEL=layer %t/layer.o -o %t.exe
// RUN: qemu-aarch64 %t.exe | FileCheck %s --check-prefix=RIGHT
// RUN: relayc compile %S/../../../examples/tour/layer.mlir --target aarch64-unknown-linux-gnu --emit asm -o %t.s
// RUN: FileCheck %s --check-prefix=ASM --input-file=%t.s

// RIGHT: 000128 elements are right
// ASM: fmla v{{[0-9]+}}.4s
