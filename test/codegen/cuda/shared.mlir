// A launch says the size of shared memory: the code reserves none beside it. On AMD's GPUs the same.
// RUN: relayc compile %s --target nvidia/h100 --emit gpu | FileCheck %s
// RUN: relayc compile %s --target amd/mi300x --emit gpu | FileCheck %s --check-prefix=AMD

// CHECK: {{[1-9][0-9]*}} bytes of shared memory
// CHECK: .extern .shared .align 64 .b8 relay_shared_memory[];
// CHECK-NOT: .shared .align
// AMD: {{[1-9][0-9]*}} bytes of shared memory
// AMD: .amdhsa_group_segment_fixed_size 0
// AMD: .group_segment_fixed_size: 0
func.func @main(%x: tensor<64x1000xf32>) -> tensor<64x1000xf32> {
  %0 = relay.nn.softmax %x : (tensor<64x1000xf32>) -> tensor<64x1000xf32>
  return %0 : tensor<64x1000xf32>
}
