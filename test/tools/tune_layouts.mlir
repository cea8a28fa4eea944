// Layouts of operators are measured before schedules are searched for, once: what was decided is a record.
// REQUIRES: time
// RUN: rm -f %t.jsonl %t.other.jsonl
// RUN: relayc tune %s --records %t.jsonl --trials 1 --budget 200s --threads 1 2>&1 | FileCheck %s
// RUN: grep -c '"kind":"layout"' %t.jsonl | FileCheck %s --check-prefix=DECIDED
// RUN: grep -c '"kind":"exchange"' %t.jsonl | FileCheck %s --check-prefix=MEASURED
// RUN: relayc tune %s --records %t.jsonl --trials 1 --budget 200s --threads 1 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: relayc tune %s --records %t.other.jsonl --trials 1 --budget 200s --threads 1 --no-layouts 2>&1 | FileCheck %s --check-prefix=AGAIN

// CHECK: 2 operators may be laid out in {{[0-9]+}} other ways, which are measured for 50 s at most
// CHECK: nn.conv2d{{.*}}(f32[1,16,24,24], constant f32[16,16,3,3]) -> f32[1,16,24,24] as block={{[0-9]+ [a-z]+.*}}: {{[+-][0-9.]+}} ms in the place of {{[0-9.]+}}
// CHECK: tried {{[0-9]+}} schedules
// DECIDED: 2
// MEASURED: {{[1-9]}}
// AGAIN-NOT: other ways
// AGAIN: tried {{[0-9]+}} schedules

// A record makes the choice, and tools that look at records show it. Blocks of 8 are there for vectors of 8 numbers and of 16.
// RUN: relayc tune db explain %s --records %t.jsonl | FileCheck %s --check-prefix=EXPLAIN
// RUN: %python %S/Inputs/choose_layout.py %t.jsonl "nn.conv2d" "block=8 direct"
// RUN: relayc tune db explain %s --records %t.jsonl | FileCheck %s --check-prefix=CHOSEN
// RUN: relayc tune db stats %t.jsonl | FileCheck %s --check-prefix=STATS
// RUN: relayc compile %s --records %t.jsonl --emit relay -o - | FileCheck %s --check-prefix=APPLIED
// RUN: relayc tune db export %s --records %t.jsonl -o %t.other.jsonl
// RUN: relayc tune db explain %s --records %t.other.jsonl | FileCheck %s --check-prefix=CHOSEN
// RUN: rm %t.other.jsonl
// RUN: relayc tune db merge %t.jsonl --records %t.other.jsonl
// RUN: relayc tune db prune --records %t.other.jsonl
// RUN: relayc tune db explain %s --records %t.other.jsonl | FileCheck %s --check-prefix=CHOSEN

// RUN: relayc tune db explain %s --records %t.jsonl | grep nn.conv2d | cut -d' ' -f1 > %t.key
// RUN: cat %t.key | xargs -I KEY relayc tune db show KEY --records %t.jsonl | FileCheck %s --check-prefix=SHOW
// SHOW: nn.conv2d
// SHOW-NEXT: chosen: block=8 direct on

// EXPLAIN-DAG: {{[0-9a-f]+}} 1 {{.*}} nn.conv2d{{.*}}
// EXPLAIN-DAG: {{[0-9a-f]+}} 1 {{.*}} nn.dense(f32[1,9216], constant f32[10,9216]) -> f32[1,10]:
// CHOSEN: nn.conv2d{{.*}}: block=8 direct
// STATS: operators with another layout than the default
// APPLIED-NOT: winograd
// APPLIED: relay.nn.contrib_conv2d_NCHWc

func.func @main(%x: tensor<1x16x24x24xf32>) -> tensor<1x10xf32> {
  %k = relay.constant dense<0.01> : tensor<16x16x3x3xf32>
  %w = relay.constant dense<0.01> : tensor<10x9216xf32>
  %0 = relay.nn.conv2d %x, %k {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x16x24x24xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x24x24xf32>
  %1 = relay.nn.relu %0 : (tensor<1x16x24x24xf32>) -> tensor<1x16x24x24xf32>
  %2 = relay.nn.batch_flatten %1 : (tensor<1x16x24x24xf32>) -> tensor<1x9216xf32>
  %3 = relay.nn.dense %2, %w : (tensor<1x9216xf32>, tensor<10x9216xf32>) -> tensor<1x10xf32>
  return %3 : tensor<1x10xf32>
}
