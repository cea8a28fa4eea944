// Where nothing can be compiled any more, no schedule is the reason: none is written down as one that fails.
// RUN: rm -f %t.jsonl
// RUN: not relayc tune %s --records %t.jsonl --trials 8 --no-layouts --threads 1 --builders 1 --worker-command '%python %S/Inputs/full_disk_worker.py' 2>&1 \
// RUN:   | FileCheck %s
// RUN: relayc tune db stats %t.jsonl | FileCheck %s --check-prefix=STATS
// CHECK: nothing can be compiled and timed any more, not even what could before: {{.*}}No space left on device
// STATS: 1 kernels, 0 trials

func.func @main(%x: tensor<2x24x24xf32>, %y: tensor<2x24x24xf32>) -> tensor<2x24x24xf32> {
  %0 = relay.nn.batch_matmul %x, %y : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  return %0 : tensor<2x24x24xf32>
}
