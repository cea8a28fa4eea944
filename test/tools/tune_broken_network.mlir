// A network that breaks with one kernel's schedule loses that one alone, whatever the others gain.
// REQUIRES: time
// RUN: rm -f %t.jsonl
// RUN: relayc tune %s --records %t.jsonl --trials 24 --no-layouts --strategy round-robin --threads 1 --worker-command '%python %S/Inputs/breaking_worker.py' 2>&1 \
// RUN:   | FileCheck %s
// RUN: relayc tune db explain %s --records %t.jsonl | FileCheck %s --check-prefix=KEPT

// CHECK: it breaks
// CHECK: with 2 tuned kernels: 0.800 of the default
// CHECK-NEXT: 2 of 3 kernels have a better one
// KEPT: fused_batch_matmul_relu: default: it won
// KEPT-NOT: default: it won

func.func @main(%x: tensor<2x24x24xf32>, %y: tensor<2x24x24xf32>) -> tensor<2x24x24xf32> {
  %0 = relay.nn.batch_matmul %x, %y : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %1 = relay.nn.relu %0 : (tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %2 = relay.nn.batch_matmul %1, %y : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %3 = relay.tanh %2 : (tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %4 = relay.nn.batch_matmul %3, %x : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %5 = relay.exp %4 : (tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  return %5 : tensor<2x24x24xf32>
}
