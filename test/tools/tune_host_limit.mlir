// What a machine can do at most is measured by its runner.
// RUN: rm -f %t.jsonl
// RUN: relayc tune %s --records %t.jsonl --trials 1 --budget 60s --threads 1 --builders 1 --no-layouts --runner-command relay-runner 2>&1 \
// RUN:   | FileCheck %s
// CHECK: GFLOP/s ({{[0-9.]+}}, at most {{[1-9][0-9.]*}})

func.func @main(%x: tensor<2x24x24xf32>, %y: tensor<2x24x24xf32>) -> tensor<2x24x24xf32> {
  %0 = relay.nn.batch_matmul %x, %y : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  return %0 : tensor<2x24x24xf32>
}
