// A network of the usual layers for AArch64, run under an emulator, computes what ONNX Runtime does here.
// REQUIRES: time
// RUN: rm -rf %t && mkdir %t && %python %S/Inputs/network.py %t float32
// RUN: relayc compile %t/network.onnx --target aarch64-unknown-linux-gnu --emit relay | FileCheck %s
// RUN: relayc compile %t/network.onnx --target aarch64-unknown-linux-gnu --emit object -o %t/network.o
// RUN: clang --target=aarch64-unknown-linux-gnu -O1 -ffreestanding -nostdlib -static -fuse-ld=lld -I %t -I %S/../../../runtime/include %S/../../../runtime/tests/c/bare_network.c %t/network.o -o %t/network
// RUN: qemu-aarch64 %t/network | FileCheck %s --check-prefix=RIGHT
// RUN: relayc compile %t/network.onnx --target aarch64-unknown-linux-gnu --emit asm -o %t/network.s
// RUN: FileCheck %s --check-prefix=ASM --input-file=%t/network.s

// CHECK-DAG: relay.nn.contrib_conv2d_winograd_without_weight_transform
// CHECK-DAG: relay.nn.contrib_depthwise_conv2d_NCHWc
// CHECK-DAG: relay.nn.contrib_conv2d_NCHWc
// CHECK-DAG: relay.nn.contrib_dense_pack
// RIGHT: 000037 elements are right
// The tile of a convolution: 14 columns by 2 vectors of channels, with the elements taken from vectors.
// ASM: fmla v{{[0-9]+}}.4s, v{{[0-9]+}}.4s, v{{[0-9]+}}.s[0]
// ASM-COUNT-26: fmla v

// With weights of f16, which AArch64's first instructions widen and round, half a vector at a time.
// RUN: rm -rf %t && mkdir %t && %python %S/Inputs/network.py %t float16
// RUN: relayc compile %t/network.onnx --target aarch64-unknown-linux-gnu --emit object -o %t/network.o
// RUN: clang --target=aarch64-unknown-linux-gnu -O1 -ffreestanding -nostdlib -static -fuse-ld=lld -I %t -I %S/../../../runtime/include %S/../../../runtime/tests/c/bare_network.c %t/network.o -o %t/network
// RUN: qemu-aarch64 %t/network | FileCheck %s --check-prefix=RIGHT
// RUN: relayc compile %t/network.onnx --target aarch64-unknown-linux-gnu --emit asm -o %t/network.s
// RUN: FileCheck %s --check-prefix=NARROW --input-file=%t/network.s

// NARROW-DAG: fcvtl v{{[0-9]+}}.4s, v{{[0-9]+}}.4h
// NARROW-DAG: fmla v{{[0-9]+}}.4s, v{{[0-9]+}}.4s, v{{[0-9]+}}.s[0]
// NARROW-DAG: fcvtn v{{[0-9]+}}.4h, v{{[0-9]+}}.4s
