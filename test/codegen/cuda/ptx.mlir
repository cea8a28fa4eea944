// RUN: relayc compile %s --target nvidia/h100 --emit ptx | FileCheck %s
// RUN: relayc compile %s --target "cuda -arch=sm_75" --emit ptx | FileCheck %s --check-prefix=TURING
// RUN: not relayc compile %s --emit ptx 2>&1 | FileCheck %s --check-prefix=PROCESSOR
// RUN: not relayc compile %s --target "cuda -arch=sm_1" --emit ptx 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not relayc compile %s --target "x86-64-v3 -emulated" --emit ptx 2>&1 | FileCheck %s --check-prefix=EMULATED

// CHECK: // fused_exp_grid_0 has blocks of {{[0-9]+}} threads and 0 bytes of shared memory
// CHECK: .target sm_90
// CHECK: .visible .entry fused_exp_grid_0(
// CHECK: %ctaid.x
// CHECK: %tid.x
// CHECK: st.global
// CHECK: ret;
// TURING: .target sm_75
// PROCESSOR: there is no code for a GPU; write --target cuda, or a card such as nvidia/h100 or amd/mi300x
// CHIP: no code is made for the chip 'sm_1', only for sm_70, {{.*}}sm_90
// EMULATED: -emulated is for GPUs; write cuda -emulated
func.func @main(%x: tensor<64x1000xf32>) -> tensor<64x1000xf32> {
  %0 = relay.exp %x : (tensor<64x1000xf32>) -> tensor<64x1000xf32>
  return %0 : tensor<64x1000xf32>
}
