// The inner loop of a convolution with a kernel of 3 x 3 pixels on tiles of bf16 (AMX): a block of input channels.
// RUN: relayc compile %s --precision bf16 --target "x86_64-unknown-linux-gnu -mcpu=sapphirerapids" --emit asm -o %t.s
// RUN: FileCheck %s --input-file=%t.s

// Each of the three rows of the kernel is two steps, of two tiles of pixels by two of channels. Nothing is stored,
// configured or copied between, and no constant is loaded again: beside tiles there is only what adds to addresses.
// CHECK: ldtilecfg
// CHECK-NOT: tmm
// CHECK-COUNT-4: tilezero
// CHECK: [[LOOP:\.LBB[0-9]+_[0-9]+]]:
// CHECK-NOT: {{tilestored|ldtilecfg|tilezero|jmp|call|movabs|rsp}}
// CHECK-COUNT-24: tdpbf16ps
// CHECK-NOT: {{tilestored|ldtilecfg|tilezero|jmp|call|movabs|rsp}}
// CHECK: j{{[a-z]+}} [[LOOP]]
// CHECK-NOT: ldtilecfg
// CHECK-COUNT-4: tilestored
// CHECK: vmaxps
// CHECK: tilerelease
func.func @main(%x: tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32> {
  %w = relay.constant dense<1.0> : tensor<64x64x3x3xf32>
  %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x64x28x28xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x28x28xf32>
  %1 = relay.nn.relu %0 : (tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32>
  return %1 : tensor<1x64x28x28xf32>
}
