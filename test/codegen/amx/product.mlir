// A dense layer and what follows it on tiles of bf16 (AMX), for which the process asks the system first.
// RUN: relayc compile %s --precision bf16 --target "x86_64-unknown-linux-gnu -mcpu=sapphirerapids" --emit asm -o %t.s
// RUN: FileCheck %s --input-file=%t.s
// The same by features, and without them.
// RUN: relayc compile %s --precision bf16 --target "x86_64-unknown-linux-gnu -mcpu=x86-64-v4 -mattr=+amx-tile,+amx-bf16,+avx512bf16" --emit asm -o %t.features
// RUN: FileCheck %s --input-file=%t.features --check-prefix=FEATURES
// RUN: relayc compile %s --precision bf16 --target "x86_64-unknown-linux-gnu -mcpu=sapphirerapids -mattr=-amx-bf16" --emit asm -o %t.less
// RUN: FileCheck %s --input-file=%t.less --check-prefix=VECTORS --implicit-check-not=tmm --implicit-check-not=relay_rt_amx
// RUN: relayc compile %s --target "x86_64-unknown-linux-gnu -mcpu=sapphirerapids" --emit asm -o %t.f32
// RUN: FileCheck %s --input-file=%t.f32 --check-prefix=VECTORS --implicit-check-not=tmm --implicit-check-not=relay_rt_amx

// The tiles are configured once, before all loops. In the loop of the sum, of the eight tiles four hold sums and
// four operands, each of which is used twice: nothing is stored, and nothing is configured again.
// CHECK: ldtilecfg
// CHECK-NOT: tmm
// CHECK-COUNT-4: tilezero
// CHECK: [[LOOP:\.LBB[0-9]+_[0-9]+]]:
// CHECK-NOT: {{tilestored|ldtilecfg|tilezero|jmp|call}}
// CHECK-COUNT-4: tileloadd
// CHECK-COUNT-4: tdpbf16ps
// CHECK-NOT: {{tilestored|ldtilecfg|tilezero|jmp|call}}
// CHECK: j{{[a-z]+}} [[LOOP]]
// CHECK-NOT: ldtilecfg
// CHECK-COUNT-4: tilestored
// CHECK: vaddps
// CHECK: tilerelease
// CHECK: relay_run_graph:
// CHECK: callq relay_rt_amx

// FEATURES: tdpbf16ps
// VECTORS: vfmadd
func.func @main(%x: tensor<64x1024xf32>) -> tensor<64x64xf32> {
  %w = relay.constant dense<1.0> : tensor<64x1024xf32>
  %b = relay.constant dense<1.0> : tensor<64xf32>
  %0 = relay.nn.dense %x, %w : (tensor<64x1024xf32>, tensor<64x1024xf32>) -> tensor<64x64xf32>
  %1 = relay.add %0, %b : (tensor<64x64xf32>, tensor<64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}
