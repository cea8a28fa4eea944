// A tuner's records: made, looked at, edited, merged, and compiled with.
// REQUIRES: time
// RUN: rm -f %t.jsonl %t.other.jsonl
// RUN: relayc tune %s --records %t.jsonl --trials 8 --budget 60s --threads 1 2>&1 | FileCheck %s
// RUN: relayc tune db stats %t.jsonl | FileCheck %s --check-prefix=STATS
// RUN: relayc tune db explain %s --records %t.jsonl | FileCheck %s --check-prefix=EXPLAIN
// RUN: relayc tune db show a2846be56f9a --records %t.jsonl | FileCheck %s --check-prefix=SHOW

// CHECK: 1 kernels, 0 of them finished; a run takes {{.*}} ms in them
// CHECK: fused_batch_matmul_relu: {{.*}} of the default after 8 schedules
// CHECK: tried 8 schedules (0 failed)
// CHECK: relayc compile {{.*}} --records

// STATS: 1 kernels, 8 trials, 0 of them failed (0.00 of 100)
// EXPLAIN: [[KEY:[0-9a-f]+]] 2 {{.*}} fused_batch_matmul_relu:
// SHOW: f32[2,24,24], f32[2,24,24] -> t0 f32[2,24,24] sum 24 = mulf(a0[x0,x1,r0], a1[x0,r0,x2]); t1
// SHOW: ns product rows=

// What is written here by hand is a schedule of the kernel: it is compiled with, also where all is called otherwise, and for
// another number of samples.
// RUN: relayc tune db show a2846be56f9a --mlir --records %t.jsonl > %t.mlir
// RUN: %python %S/Inputs/scalar_schedule.py %t.mlir
// RUN: relayc tune db choose a2846be56f9a %t.mlir --records %t.jsonl
// RUN: relayc tune db explain %s --records %t.jsonl | FileCheck %s --check-prefix=CHOSEN
// RUN: relayc compile %s --records %t.jsonl --emit te -o - | FileCheck %s --check-prefix=APPLIED
// RUN: sed -e 's/main/main/; s/%x/%other/g; s/%y/%weight/g' %s > %t.renamed.mlir
// RUN: relayc compile %t.renamed.mlir --records %t.jsonl --emit te -o - | FileCheck %s --check-prefix=APPLIED
// RUN: sed -e 's/tensor<2x/tensor<7x/g' %s > %t.batch.mlir
// RUN: relayc compile %t.batch.mlir --records %t.jsonl --emit te -o - | FileCheck %s --check-prefix=APPLIED
// RUN: relayc tune db explain %t.batch.mlir --records %t.jsonl | FileCheck %s --check-prefix=SAMPLES
// RUN: relayc compile %s --no-records --emit te -o - | FileCheck %s --check-prefix=DEFAULT

// CHOSEN: by hand
// SAMPLES: by hand {{[0-9a-f]+}} (of 2 samples)
// APPLIED: te.knobs = "by hand {{[0-9a-f]+}}"
// APPLIED-SAME: te.record = "{{[0-9a-f]+}}"
// APPLIED-NOT: te.vectorize
// DEFAULT-NOT: te.record
// DEFAULT: te.vectorize

// RUN: relayc tune db export %s --records %t.jsonl -o %t.other.jsonl
// RUN: relayc tune db merge %t.other.jsonl --records %t.jsonl 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: rm %t.other.jsonl
// RUN: relayc tune db merge %t.jsonl --records %t.other.jsonl 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: relayc tune db prune --count 2 --records %t.other.jsonl 2>&1 | FileCheck %s --check-prefix=PRUNED
// NOTHING: added 0 records
// ALL: added 10 records
// PRUNED: keeps 4 records

// RUN: not relayc tune db show ffff --records %t.jsonl 2>&1 | FileCheck %s --check-prefix=NO-KEY
// RUN: not relayc tune db stats %t.none 2>&1 | FileCheck %s --check-prefix=NO-FILE
// RUN: not relayc compile %s --records %t.none 2>&1 | FileCheck %s --check-prefix=NO-RECORDS
// RUN: not relayc tune db choose a2846be56f9a %t.renamed.mlir --records %t.jsonl 2>&1 | FileCheck %s --check-prefix=NO-KERNEL
// RUN: not relayc tune %s --records %t.jsonl --budget 5 2>&1 | FileCheck %s --check-prefix=TIME
// NO-KEY: there is no kernel whose key begins with 'ffff'
// NO-FILE: there are no records; relayc tune MODEL makes some
// NO-RECORDS: there is no such file of records
// NO-KERNEL: has no function @kernel
// TIME: '5' is no time

func.func @main(%x: tensor<2x24x24xf32>, %y: tensor<2x24x24xf32>) -> tensor<2x24x24xf32> {
  %0 = relay.nn.batch_matmul %x, %y : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %1 = relay.nn.relu %0 : (tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %2 = relay.nn.batch_matmul %1, %y : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %3 = relay.nn.relu %2 : (tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  return %3 : tensor<2x24x24xf32>
}
