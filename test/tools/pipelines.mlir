// The standard orders of passes are pipelines of every tool: what they make is what relayc compile writes.
// REQUIRES: time
// RUN: relay-opt %s --relay-pipeline=to=relay > %t.relay && relayc compile %s --emit relay | relay-opt | diff %t.relay -
// RUN: relay-opt %s --relay-pipeline="target=x86-64-v3 opt-level=2 precision=bf16 to=te" > %t.te
// RUN: relayc compile %s --emit te --target x86-64-v3 --opt-level 2 --precision bf16 | relay-opt | diff %t.te -
// RUN: relay-opt %s --relay-pipeline='target="x86_64-unknown-linux-gnu -mcpu=skylake" to=tir' | relay-opt > %t.tir
// RUN: relayc compile %s --emit tir --target "x86_64-unknown-linux-gnu -mcpu=skylake" | relay-opt | diff %t.tir -

// The lower part alone, behind the upper one; beside other passes; and in stock mlir-opt.
// RUN: relay-opt %s --relay-pipeline="target=x86-64-v3 to=relay" --relay-lower="target=x86-64-v3" > %t.two
// RUN: relay-opt %s --relay-pipeline=target=x86-64-v3 | diff %t.two -
// RUN: relay-opt %s --pass-pipeline='builtin.module(cse,relay-pipeline{target=x86-64-v3 to=relay},relay-lower{target=x86-64-v3})' | diff %t.two -
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %s --relay-pipeline=target=x86-64-v3 | diff %t.two -

// A schedule that is not the cheapest.
// RUN: relay-opt %s --relay-pipeline="target=x86-64-v3 to=relay" --relay-lower="target=x86-64-v3 candidate=1" | not diff %t.two - > %t.candidate

// The passes are shown, each with its options, in their order.
// RUN: relay-opt %s --relay-pipeline="target=x86-64-v3 opt-level=1 to=te" --dump-pass-pipeline 2>&1 >%t.dumped | FileCheck %s --check-prefix=DUMP
// DUMP: builtin.module(
// DUMP-NEXT: attach-target{{.*}}target=x86-64-v3
// DUMP-NEXT: infer-type,
// DUMP: fuse-ops{
// DUMP: relay-to-te{
// DUMP-NOT: lower-te

// RUN: relay-opt --help | FileCheck %s --check-prefix=HELP
// RUN: relay-reduce --help | FileCheck %s --check-prefix=HELP
// HELP-DAG: --relay-lower {{.*}}primitive functions
// HELP-DAG: --relay-pipeline {{.*}}relayc compile
// HELP-DAG: --opt-level=<long> {{.*}}the optimisation level

// RUN: not relay-opt %s --relay-pipeline=to=loops 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not relay-opt %s --relay-pipeline=opt-level=4 2>&1 | FileCheck %s --check-prefix=HARD
// RUN: not relay-opt %s --relay-pipeline=opt-level=high 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not relay-opt %s --relay-pipeline=precision=f16 2>&1 | FileCheck %s --check-prefix=PRECISION
// RUN: not relay-opt %s --relay-pipeline=target=x86-64-v9 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not relay-opt %s --relay-lower=depth=1 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not relay-opt %s --relay-lower=candidate=-1 2>&1 | FileCheck %s --check-prefix=RANK
// LEVEL: error: 'loops' is no value of to, which is one of relay, te, tir, planned, lowered
// HARD: error: there is no opt-level 4; levels are 0 to 3
// NUMBER: option: 'high' value invalid
// PRECISION: error: 'f16' is no value of precision, which is one of f32, bf16
// TARGET: error: {{.*}}there is no level x86-64-v9
// UNKNOWN: no such option depth
// RANK: error: there is no candidate -1; ranks start at 0

func.func @main(%x: tensor<1x16x8x8xf32>) -> tensor<1x32x8x8xf32> {
  %w = relay.constant dense<0.5> : tensor<32x16x3x3xf32>
  %b = relay.constant dense<[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]> : tensor<32xf32>
  %0 = relay.nn.conv2d %x, %w {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x16x8x8xf32>, tensor<32x16x3x3xf32>) -> tensor<1x32x8x8xf32>
  %1 = relay.nn.bias_add %0, %b {axis = 1 : i64} : (tensor<1x32x8x8xf32>, tensor<32xf32>) -> tensor<1x32x8x8xf32>
  %2 = relay.nn.relu %1 : (tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  return %2 : tensor<1x32x8x8xf32>
}
