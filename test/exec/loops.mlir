// Loops over open lengths, and loops that data end: one library of each, at several lengths, beside ONNX Runtime.
// REQUIRES: time
// RUN: %package
// RUN: %python %S/Inputs/loops.py relayc %t
// What is collected until data end the loop needs a greatest number of steps.
// RUN: not relayc compile %t/collected.onnx 2>&1 | FileCheck %s --check-prefix=COLLECTED
// A recurrent operator of many steps is one loop: its kernels do not depend on the number of steps.
// RUN: relayc compile %t/many_steps.onnx --emit relay | FileCheck %s --check-prefix=MANY
// RUN: relayc compile %t/few_steps.onnx --emit relay | FileCheck %s --check-prefix=FEW

// COLLECTED: node 'Loop_0' (Loop): it collects outputs (output 1) until a condition ends it, and nothing says for how many steps there has to be memory

// MANY: relay.scan {{.*}}trips = [500]
// MANY: func.call @fused_matmul_add
// MANY-NOT: func.call @fused_matmul_add
// MANY: relay.yield
// FEW-NOT: relay.scan
