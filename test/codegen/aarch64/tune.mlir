// Tuning for AArch64, whose kernels run under an emulator: all that is tried compiles there, and computes what the default does. What it
// takes says nothing here.
// REQUIRES: aarch64-runner, time
// RUN: rm -f %t.jsonl
// RUN: %S/Inputs/with_aarch64.sh %aarch64 relayc tune %s --records %t.jsonl --trials 40 --budget 300s --threads 2 --strategy round-robin --runner-command 'qemu-aarch64 -L %aarch64/root %aarch64/relay-runner --emulator "qemu-aarch64 -L %aarch64/root"' 2>&1 \
// RUN:   | FileCheck %s
// RUN: relayc tune db stats %t.jsonl | FileCheck %s --check-prefix=STATS

// CHECK: 5 kernels, 0 of them finished
// CHECK: tried 40 schedules (0 failed)
// CHECK: relayc compile {{.*}} --target "aarch64-unknown-linux-gnu -mattr={{.*}}-cores={{[0-9]+}}" --records
// STATS: 5 kernels, 40 trials, 0 of them failed
// STATS-NEXT: aarch64-unknown-linux-gnu generic NEON

func.func @main(%x: tensor<1x8x14x14xf32>, %w: tensor<8x8x3x3xf32>, %y: tensor<8x14x10xf32>) -> tensor<8x14x10xf32> {
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x8x14x14xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x14x14xf32>
  %1 = relay.reshape %0 {newshape = array<i64: 8, 14, 14>} : (tensor<1x8x14x14xf32>) -> tensor<8x14x14xf32>
  %2 = relay.nn.batch_matmul %1, %y : (tensor<8x14x14xf32>, tensor<8x14x10xf32>) -> tensor<8x14x10xf32>
  return %2 : tensor<8x14x10xf32>
}
