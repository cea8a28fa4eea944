// Schedules of each distinct kernel, timed beside each other into a file that a later run goes on with.
// RUN: rm -f %t.json
// RUN: relayc candidates %s --count 3 --output %t.json 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=FILE --input-file %t.json
// RUN: relayc candidates %s --count 3 --output %t.json 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: not relayc candidates %s --count 4 --output %t.json 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: relayc refit %t.json | FileCheck %s --check-prefix=REFIT
// RUN: echo "{}" > %t.json
// RUN: not relayc candidates %s --output %t.json 2>&1 | FileCheck %s --check-prefix=BROKEN

// The two products of equal shapes are one kernel; the transpose is another.
// CHECK: [1/2] fused_batch_matmul: 3 of {{[0-9]+}} schedules, the default takes {{.*}} ms, the fastest {{.*}} of it (product rows=
// CHECK: [2/2] fused_transpose: {{.*}} schedules
// CHECK-NOT: FAILED

// FILE-DAG: "threads": 1
// FILE-DAG: "candidates": 3
// FILE-DAG: "rank": 0
// FILE-DAG: "knobs": "product rows=
// FILE-DAG: "failures": []

// AGAIN: [1/2] {{.*}}: is measured
// AGAIN: [2/2] {{.*}}: is measured
// OTHER: was recorded for {{.*}} name another file
// The kernels are too short to say anything of the model.
// REFIT: number {{ *}}old {{ *}}new
// REFIT: cycles_of_load {{ *[0-9.]+ +[0-9.]+$}}
// REFIT: over 0 kernels
// BROKEN: is no record of candidates

func.func @main(%x: tensor<2x24x24xf32>, %y: tensor<2x24x24xf32>) -> (tensor<2x24x24xf32>, tensor<2x24x24xf32>) {
  %0 = relay.nn.batch_matmul %x, %y : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %1 = relay.nn.batch_matmul %0, %y : (tensor<2x24x24xf32>, tensor<2x24x24xf32>) -> tensor<2x24x24xf32>
  %2 = relay.transpose %x {axes = array<i64: 2, 1, 0>} : (tensor<2x24x24xf32>) -> tensor<24x24x2xf32>
  %3 = relay.transpose %2 {axes = array<i64: 2, 0, 1>} : (tensor<24x24x2xf32>) -> tensor<2x24x24xf32>
  return %1, %3 : tensor<2x24x24xf32>, tensor<2x24x24xf32>
}
