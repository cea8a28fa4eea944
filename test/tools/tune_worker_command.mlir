// Workers may be another command. One that has no machine ends the tuner, and that is no record of a schedule.
// RUN: rm -f %t.jsonl
// RUN: relayc tune %s --records %t.jsonl --trials 8 --budget 60s --threads 1 --builders 1 --worker-command 'env A=b relayc tune-worker' 2>&1 \
// RUN:   | FileCheck %s
// RUN: not relayc tune %s --records %t.jsonl --trials 8 --threads 1 --worker-command '%python %S/Inputs/lost_worker.py' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LOST
// RUN: relayc tune db stats %t.jsonl | FileCheck %s --check-prefix=STATS

// What says something else is told.
// RUN: not relayc tune %s --records %t.other.jsonl --trials 8 --threads 1 --no-layouts --worker-command 'echo hello' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OTHER

// CHECK: tried 8 schedules
// LOST: no machine could be had for a build of 120 s
// STATS: 1 kernels, 8 trials
// OTHER: ends the process: it says 'hello --no-cache

func.func @main(%x: tensor<2x24x24xf32>, %y: tensor<2x24x24xf32>) -> tensor<2x24x24xf32> {
  %0 = relay.nn.batch_matmul %x, %y : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  return %0 : tensor<2x24x24xf32>
}
