// Models that are tuned together: a kernel of both is tuned once, and each model is tested and named.
// REQUIRES: time
// RUN: rm -rf %t && split-file %s %t
// RUN: relayc tune %t/a.mlir %t/b.mlir --records %t/records.jsonl --trials 24 --budget 60s --threads 1 2>&1 | FileCheck %s
// RUN: relayc tune db stats %t/records.jsonl | FileCheck %s --check-prefix=STATS
// RUN: relayc tune db explain %t/b.mlir --records %t/records.jsonl | FileCheck %s --check-prefix=EXPLAIN

// CHECK: 2 kernels, 0 of them finished; {{.*}}a.mlir takes {{.*}} ms, {{.*}}b.mlir takes {{.*}} ms in them
// CHECK: after 8 schedules, {{.*}}; {{.*}}a.mlir {{.*}} ms of {{.*}}, {{.*}}b.mlir {{.*}} ms of {{.*}} s left
// CHECK: tried 24 schedules {{.*}} of 2 kernels have a better one than the default: {{.*}}a.mlir takes {{.*}} of its time, {{.*}}b.mlir takes
// CHECK: relayc compile {{.*}}a.mlir --records
// CHECK: relayc compile {{.*}}b.mlir --records
// STATS: 2 kernels, 24 trials
// EXPLAIN: {{[0-9a-f]+}} 2 {{.*}} fused_batch_matmul_relu:

// A page names the kernels that were tried: in turns, both are.
// RUN: relayc tune %t/a.mlir %t/b.mlir --records %t/records.jsonl --trials 16 --strategy round-robin --threads 1 --html %t/page.html
// RUN: FileCheck %s --check-prefix=PAGE --input-file=%t/page.html
// PAGE: fused_batch_matmul_relu

// What is said to programs.
// RUN: relayc tune %t/a.mlir %t/b.mlir --records %t/records.jsonl --trials 0 --threads 1 --json | FileCheck %s --check-prefix=JSON
// JSON: {"event":"kernels","kernels":[{"name":"fused_batch_matmul_relu",{{.*}}"calls":3,
// JSON-SAME: "models":[{"model":"{{.*}}a.mlir",{{.*}}{"model":"{{.*}}b.mlir",

// A schedule that makes one of the models slower is dropped for all, and what is left is tested again.
// RUN: relayc tune %t/a.mlir %t/b.mlir --records %t/judged.jsonl --trials 16 --strategy round-robin --threads 1 --worker-command '%python %S/Inputs/judging_worker.py' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=JUDGED
// RUN: relayc tune db explain %t/a.mlir --records %t/judged.jsonl | FileCheck %s --check-prefix=KEPT
// JUDGED: a.mlir with 2 tuned kernels: 0.800 of the default
// JUDGED-NEXT: b.mlir with 1 tuned kernels: 1.200 of the default
// JUDGED-NEXT: a.mlir with 1 tuned kernels: 0.800 of the default
// JUDGED-NEXT: 1 of 2 kernels have a better one than the default: {{.*}}a.mlir takes 0.800 of its time, {{.*}}b.mlir takes 1.000
// KEPT: fused_batch_matmul_relu: default: it won
// KEPT: fused_batch_matmul_tanh: {{[a-z]}}

//--- a.mlir
func.func @main(%x: tensor<2x24x24xf32>, %y: tensor<2x24x24xf32>) -> tensor<2x24x24xf32> {
  %0 = relay.nn.batch_matmul %x, %y : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %1 = relay.nn.relu %0 : (tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %2 = relay.nn.batch_matmul %1, %y : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %3 = relay.tanh %2 : (tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  return %3 : tensor<2x24x24xf32>
}

//--- b.mlir
func.func @main(%x: tensor<2x24x24xf32>, %y: tensor<2x24x24xf32>) -> tensor<2x24x24xf32> {
  %0 = relay.nn.batch_matmul %x, %y : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %1 = relay.nn.relu %0 : (tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %2 = relay.nn.batch_matmul %1, %y : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %3 = relay.nn.relu %2 : (tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  return %3 : tensor<2x24x24xf32>
}
