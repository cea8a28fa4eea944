// Products of bytes by each GPU's instruction.
// RUN: relayc compile %s --target nvidia/h100 --emit gpu | FileCheck %s
// RUN: relayc compile %s --target amd/mi250 --emit gpu | FileCheck %s --check-prefix=SIGNED
// RUN: relayc compile %s --target amd/rx7900xtx --emit gpu | FileCheck %s --check-prefix=MIXED

// CHECK: dp4a.u32.s32
// SIGNED: v_dot4{{c?}}_i32_i8
// MIXED: v_dot4_i32_iu8
func.func @main(%x: tensor<128x768xi8>, %w: tensor<256x768xi8>) -> tensor<128x256xi32> {
  %z = relay.constant dense<0> : tensor<i32>
  %s = relay.constant dense<1.0> : tensor<f32>
  %0 = relay.qnn.dense %x, %w, %z, %z, %s, %s
    : (tensor<128x768xi8>, tensor<256x768xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<128x256xi32>
  return %0 : tensor<128x256xi32>
}
