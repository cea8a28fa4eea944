// RUN: relayc compile %s --target amd/mi300x --emit gpu | FileCheck %s --check-prefixes=CHECK,CDNA
// RUN: relayc compile %s --target "rocm -arch=gfx1100" --emit gpu | FileCheck %s --check-prefixes=CHECK,RDNA
// RUN: not relayc compile %s --target rocm --emit gpu 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not relayc compile %s --target "rocm -arch=gfx1" --emit gpu 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not relayc compile %s --target "rocm -arch=sm_80" --emit gpu 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not relayc compile %s --target "amd/mi250 -arch=gfx942" --emit gpu 2>&1 | FileCheck %s --check-prefix=CARD
// RUN: not relayc compile %s --target "amd/mi250 nvidia/h100" --emit gpu 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: relayc compile --target help | FileCheck %s --check-prefix=HELP

// CDNA: .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
// RDNA: .amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
// CHECK: .amdhsa_code_object_version 5
// CHECK-LABEL: fused_exp_grid_0:
// CHECK-NOT: flat_load
// CHECK: global_store_
// CHECK: s_endpgm
// CHECK: .amdhsa_kernel fused_exp_grid_0
// CHECK: .amdhsa_group_segment_fixed_size 0
// CHECK: .amdhsa_private_segment_fixed_size 0
// CHECK: .max_flat_workgroup_size: {{[0-9]+}}
// CDNA: .wavefront_size: 64
// RDNA: .wavefront_size: 32

// KIND: rocm alone names no chip, and code for one chip does not run on another; write rocm -arch=CHIP, or a card: amd/mi250, amd/mi300x, amd/rx7900xtx
// CHIP: no code is made for the chip 'gfx1', only for gfx90a, gfx942, gfx1100
// OTHER: sm_80 is a chip of cuda, not of rocm
// CARD: the chip of amd/mi250 is gfx90a
// TWO: a target has one GPU
// HELP: amd/mi250 (gfx90a)
// HELP-SAME: amd/mi300x (gfx942)
func.func @main(%x: tensor<64x1000xf32>) -> tensor<64x1000xf32> {
  %0 = relay.exp %x : (tensor<64x1000xf32>) -> tensor<64x1000xf32>
  return %0 : tensor<64x1000xf32>
}
