// A model for a GPU with operators that an external code generator takes: the host runs them, in the emulated driver beside ONNX Runtime. The memory
// of the device is not the host's there, so that a kernel of the host without its copies would fail.
// REQUIRES: time
// RUN: %python %S/Inputs/external.py write %t.onnx %t.in.npz %t.expected.npz
// RUN: relayc compile %t.onnx --codegen=c --target "nvidia/a100 -emulated" -o %t.so 2>&1 | FileCheck %s
// RUN: env RELAY_EMULATOR_ORDER=forward relayc run %t.so --inputs %t.in.npz --outputs %t.out.npz -q
// RUN: %python %S/Inputs/external.py check %t.expected.npz %t.out.npz
// RUN: relayc compile %t.onnx --codegen=c --target "amd/mi300x -emulated" --no-cache -o %t.amd.so -q
// RUN: relayc run %t.amd.so --inputs %t.in.npz --outputs %t.amd.npz -q
// RUN: %python %S/Inputs/external.py check %t.expected.npz %t.amd.npz

// One note says which operators, and why.
// CHECK-COUNT-1: operators run on the host, and their tensors are copied from and to the device (cuda), because the code generator 'c' writes code for processors: add, multiply, nn.dense, nn.relu, reshape
// CHECK-NOT: run on the host
