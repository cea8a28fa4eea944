// A network whose runs are long is tested over as few rounds as there is time for. One that cannot be tested keeps the default, and is
// called neither slower nor faster.
// REQUIRES: time
// RUN: rm -f %t.jsonl
// RUN: relayc tune %s --records %t.jsonl --trials 8 --budget 60s --threads 1 --builders 1 --no-layouts \
// RUN:   --worker-command '%python %S/Inputs/slow_worker.py 3.75' 2>&1 | FileCheck %s
// RUN: rm %t.jsonl
// RUN: relayc tune %s --records %t.jsonl --trials 8 --budget 60s --threads 1 --builders 1 --no-layouts \
// RUN:   --worker-command '%python %S/Inputs/slow_worker.py 25' 2>&1 | FileCheck %s --check-prefix=SLOW
// RUN: rm %t.jsonl
// RUN: relayc tune %s --records %t.jsonl --trials 8 --budget 60s --threads 1 --builders 1 --no-layouts \
// RUN:   --worker-command '%python %S/Inputs/slow_worker.py 60' 2>&1 | FileCheck %s --check-prefix=SLOWER

// CHECK-NOT: takes too long
// CHECK: with 1 tuned kernels: 0.800 of the default
// CHECK: 1 of 1 kernels have a better one
// SLOW: it could not be tested: a run takes 25 s
// SLOW-NOT: tuned kernels
// SLOW: 0 of 1 kernels have a better one
// SLOWER: it could not be tested: takes too long: it took more than 200 s
// SLOWER-NOT: tuned kernels
// SLOWER: 0 of 1 kernels have a better one

func.func @main(%x: tensor<2x24x24xf32>, %y: tensor<2x24x24xf32>) -> tensor<2x24x24xf32> {
  %0 = relay.nn.batch_matmul %x, %y : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  return %0 : tensor<2x24x24xf32>
}
