// Kernels for GPUs, by NVIDIA's assembler and LLVM's: nothing spills, only loop programs have a stack, and the registers are those of the guide.
// REQUIRES: package
// RUN: %python %S/Inputs/assemblers.py relayc %S/Inputs/gpu_functions.mlir %S/../../docs/guide/gpu_registers.md | FileCheck %s
// CHECK: kernels for 9 cards
