// Whole networks on emulated GPUs beside ONNX Runtime, with the threads of a block in no order.
// REQUIRES: time
// RUN: %package
// RUN: env RELAY_EMULATOR_ORDER=shuffled:7 %python %S/Inputs/gpu_networks.py %t relayc | FileCheck %s
// RUN: rm -rf %t
// CHECK-COUNT-12: : agrees,
