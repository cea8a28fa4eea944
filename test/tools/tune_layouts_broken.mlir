// A worker that does not work says nothing of layouts: nothing is decided, and the next run measures them.
// RUN: rm -f %t.jsonl
// RUN: not relayc tune %s --records %t.jsonl --budget 200s --threads 1 --builders 1 --worker-command no-such-command 2>&1 | FileCheck %s
// RUN: not relayc tune %s --records %t.jsonl --budget 200s --threads 1 --builders 1 --worker-command '%python %S/Inputs/dying_worker.py' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DIES
// RUN: cut -c 1-20 %t.jsonl | FileCheck %s --check-prefix=RECORDS

// CHECK: 1 operators may be laid out in {{[0-9]+}} other ways
// CHECK: left as it is: ends the process: {{.*}}no-such-command
// CHECK: nn.dense{{.*}}: left as it is: {{[1-9][0-9]*}} of its other layouts could not be measured
// CHECK: none of the {{[0-9]+}} kernels can be timed
// DIES: 1 operators may be laid out in {{[0-9]+}} other ways
// DIES: left as it is: ends the process: {{.*}}no more
// DIES: nn.dense{{.*}}: left as it is: {{[1-9][0-9]*}} of its other layouts could not be measured
// DIES: none of the {{[0-9]+}} kernels can be timed
// RECORDS-NOT: "layout"
// RECORDS-NOT: "exchange"
// RECORDS: "kernel"
// RECORDS-NOT: "layout"
// RECORDS-NOT: "exchange"

func.func @main(%x: tensor<1x9216xf32>) -> tensor<1x10xf32> {
  %w = relay.constant dense<0.01> : tensor<10x9216xf32>
  %0 = relay.nn.dense %x, %w : (tensor<1x9216xf32>, tensor<10x9216xf32>) -> tensor<1x10xf32>
  return %0 : tensor<1x10xf32>
}
