// A library holds a code object for the chip, which has the kernel and its metadata.
//
// RUN: relayc compile %s --target amd/mi250 --output %t.so
// RUN: %python %S/Inputs/code_objects.py %t.so %t.hsaco
// RUN: llvm-readelf --file-header --dyn-syms --notes %t.hsaco | FileCheck %s
// RUN: relayc inspect %t.so | FileCheck %s --check-prefix=INSPECT

// CHECK: ELF64
// CHECK: OS/ABI: AMDGPU - HSA
// CHECK: ABI Version: 3
// CHECK: DYN (Shared object file)
// CHECK: AMDGPU
// CHECK: Flags: {{.*}}gfx90a
// CHECK-DAG: FUNC GLOBAL PROTECTED {{.*}} kernel_grid_0
// CHECK-DAG: OBJECT GLOBAL {{.*}} kernel_grid_0.kd
// CHECK: amdhsa.kernels:
// CHECK: .address_space: global
// CHECK: amdhsa.target: amdgcn-amd-amdhsa--gfx90a
// INSPECT: rocm
func.func @main(%x: tensor<64x1000xf32>) -> tensor<64x1000xf32> {
  %0 = relay.exp %x : (tensor<64x1000xf32>) -> tensor<64x1000xf32>
  return %0 : tensor<64x1000xf32>
}
