// How well models rank schedules of kernels that they never saw: a table, and why there is none.
// REQUIRES: time
// RUN: rm -f %t.jsonl
// RUN: relayc tune %s --records %t.jsonl --trials 32 --budget 120s --threads 1 --tuner grid --strategy round-robin --no-model -q
// RUN: relayc tune db rank --records %t.jsonl --folds 2 | FileCheck %s
// RUN: relayc tune db rank --records %t.jsonl --folds 2 --json | FileCheck %s --check-prefix=JSON

// CHECK: {{[0-9]+}} schedules of 2 kernels, each ranked by models of 1 of 2 parts of the kernels
// CHECK: | schedules | model | kernels | trials | Spearman | best in first 8 | time of first 8 |
// CHECK: | all | learned, squares | 2 | {{[0-9]+}} | {{[-0-9.]+ \| [01].[0-9]+ \| [0-9.]+}} |
// CHECK: | all | learned, pairs | 2 | {{[0-9]+}} | {{[-0-9.]+ \| [01].[0-9]+ \| [0-9.]+}} |
// CHECK: | templates' choices | learned, squares | 2 | {{[0-9]+}} | {{[-0-9.]+ \| [01].[0-9]+ \| [0-9.]+}} |
// CHECK: | templates' choices | learned, pairs | 2 | {{[0-9]+}} | {{[-0-9.]+ \| [01].[0-9]+ \| [0-9.]+}} |
// CHECK: | templates' choices | analytic | 2 | {{[0-9]+}} | {{[-0-9.]+ \| [01].[0-9]+ \| [0-9.]+}} |

// JSON: "model": "learned, pairs",
// JSON-NEXT: "kernels": 2,
// JSON: "spearman":

// RUN: not relayc tune db rank --records %t.jsonl 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not relayc tune db rank --records %t.jsonl --folds 1 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: there are schedules of 2 kernels to rank in {{[15]}} parts; measure more with relayc tune MODEL, or ask for fewer parts

// RUN: echo > %t.empty
// RUN: not relayc tune db rank --records %t.empty 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: the records have no trials to learn from

// A file in the place of the model that is none, or that of another version: tuning goes on without.
// RUN: echo '{}' > %t.model.json
// RUN: relayc tune %s --records %t.jsonl --trials 1 2>&1 | FileCheck %s --check-prefix=NO-MODEL
// NO-MODEL: .model.json: is no model of costs that this version reads; tuning learns another one in its place
// NO-MODEL: tried 1 schedules

func.func @main(%x: tensor<2x24x24xf32>, %y: tensor<2x24x24xf32>, %z: tensor<2x40x24xf32>) -> tensor<2x40x24xf32> {
  %0 = relay.nn.batch_matmul %x, %y : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %1 = relay.nn.relu %0 : (tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %2 = relay.nn.batch_matmul %z, %1 : (tensor<2x40x24xf32>, tensor<2x24x24xf32>) -> tensor<2x40x24xf32>
  return %2 : tensor<2x40x24xf32>
}
