// Kernels for a GPU, run by the emulated driver, beside those for the processor.
// RUN: %python %S/Inputs/gpu.py inputs %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.processor.npz
// RUN: relayc compile %s --target "nvidia/a100 -emulated" -o %t.so
// RUN: env RELAY_EMULATOR_ORDER=forward relayc run %t.so --inputs %t.in.npz --outputs %t.forward.npz
// RUN: env RELAY_EMULATOR_ORDER=backward relayc run %t.so --inputs %t.in.npz --outputs %t.backward.npz
// RUN: %python %S/Inputs/gpu.py check %t.processor.npz %t.forward.npz %t.backward.npz
// RUN: relayc inspect %t.so | FileCheck %s --check-prefix=INSPECT

// The same for an AMD GPU, by HIP.
// RUN: relayc compile %s --target "amd/mi300x -emulated" -o %t.amd.so
// RUN: env RELAY_EMULATOR_ORDER=forward relayc run %t.amd.so --inputs %t.in.npz --outputs %t.amd.forward.npz
// RUN: env RELAY_EMULATOR_ORDER=backward relayc run %t.amd.so --inputs %t.in.npz --outputs %t.amd.backward.npz
// RUN: %python %S/Inputs/gpu.py check %t.processor.npz %t.amd.forward.npz %t.amd.backward.npz
// RUN: relayc inspect %t.amd.so | FileCheck %s --check-prefix=AMD

// What is for NVIDIA's driver does not run without one, and says why.
// RUN: relayc compile %s --target "cuda -arch=sm_75" -o %t.cuda.so
// RUN: env RELAY_CUDA_DRIVER=%t/no_driver.so not relayc run %t.cuda.so 2>&1 | FileCheck %s --check-prefix=DRIVER
// RUN: not relayc run %t.cuda.so 2>&1 | FileCheck %s --check-prefix=IMAGE

// RUN: relayc compile %s --target amd/mi300x -o %t.rocm.so
// RUN: env RELAY_HIP_DRIVER=%t/no_hip.so not relayc run %t.rocm.so 2>&1 | FileCheck %s --check-prefix=HIP
// RUN: not relayc run %t.rocm.so 2>&1 | FileCheck %s --check-prefix=OBJECT

// What cannot run on a GPU yet.
// RUN: not relayc compile %S/blocks.mlir --target cuda -o %t.no.so 2>&1 | FileCheck %s --check-prefix=ENTRY

// INSPECT: target: nvidia/a100 -arch=sm_80 -emulated beside
// INSPECT: device: cuda
// AMD: target: amd/mi300x -arch=gfx942 -emulated beside
// AMD: device: rocm
// HIP: no HIP runtime: {{.*}}no_hip.so
// OBJECT: compile the model for the emulated target
// OBJECT: hipErrorNoBinaryForGpu
// DRIVER: no CUDA driver: {{.*}}no_driver.so
// DRIVER-SAME: check the path in RELAY_CUDA_DRIVER
// IMAGE: CUDA_ERROR_NO_BINARY_FOR_GPU
// ENTRY: needs tir.for of the entry function, beside its calls of kernels, which is not supported on GPUs yet; compile for a processor

func.func @main(%x: tensor<4x3x19x23xf32> {relay.name = "x"}, %w: tensor<24x3x3x3xf32> {relay.name = "w"},
                %p: tensor<24x37xf32> {relay.name = "p"}) -> (tensor<4x24xf32> {relay.name = "means"}, tensor<4x37xf32> {relay.name = "softmax"},
                tensor<4xi64> {relay.name = "best"}) {
  %0 = relay.nn.conv2d %x, %w {padding = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
    : (tensor<4x3x19x23xf32>, tensor<24x3x3x3xf32>) -> tensor<4x24x10x12xf32>
  %1 = relay.nn.relu %0 : (tensor<4x24x10x12xf32>) -> tensor<4x24x10x12xf32>
  %2 = relay.mean %1 {axis = array<i64: 2, 3>} : (tensor<4x24x10x12xf32>) -> tensor<4x24xf32>
  %3 = relay.nn.matmul %2, %p : (tensor<4x24xf32>, tensor<24x37xf32>) -> tensor<4x37xf32>
  %4 = relay.nn.softmax %3 : (tensor<4x37xf32>) -> tensor<4x37xf32>
  %5 = relay.argmax %4 {axis = array<i64: 1>} : (tensor<4x37xf32>) -> tensor<4xi64>
  return %2, %4, %5 : tensor<4x24xf32>, tensor<4x37xf32>, tensor<4xi64>
}
