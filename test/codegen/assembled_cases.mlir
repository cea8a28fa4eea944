// The kernels of onnx's own backend test cases, by NVIDIA's assembler and LLVM's: all assemble, and nothing spills.
// REQUIRES: release
// RUN: %python %S/../oracle/onnx_node_cases.py %t > %t.log 2>&1
// RUN: %python %S/Inputs/assembled_cases.py relayc %t --every 20 nvidia/v100 nvidia/t4 nvidia/h100 nvidia/b200 amd/mi250 amd/rx7900xtx | FileCheck %s
// RUN: rm -rf %t
// CHECK: {{[0-9]+}} passed, 0 failed
