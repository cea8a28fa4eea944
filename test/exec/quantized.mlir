// Random networks of quantised operators give what ONNX Runtime does without its optimisations, within one step of the last
// quantisation, and the same bits for all levels of the processor, for AArch64 under an emulator, and for any number of threads.
// REQUIRES: time
// RUN: %python %S/Inputs/quantized.py %t | FileCheck %s

// CHECK-NOT: differs
// CHECK: networks are right
