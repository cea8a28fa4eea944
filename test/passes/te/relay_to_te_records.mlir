// Schedules that a tuner chose are found by what a function computes.
// RUN: relay-opt %s --relay-to-te='records=%S/Inputs/records.jsonl' | FileCheck %s
// RUN: relay-opt %s --relay-to-te='records=%S/Inputs/records.jsonl tuned-for=this' | FileCheck %s
// RUN: relay-opt %s --relay-to-te='records=%S/Inputs/records.jsonl tuned-for=another' | FileCheck %s --check-prefix=OTHER
// RUN: relay-opt %s --relay-to-te='records=%S/Inputs/records.jsonl' --remarks-filter=records 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SAID
// RUN: not relay-opt %s --relay-to-te='records=%t.none' 2>&1 | FileCheck %s --check-prefix=NONE

// OTHER-NOT: te.record
// NONE: error: {{.*}}.none: there is no such file of records

// The function has other names than the record.
// CHECK-LABEL: func.func private @exact
// CHECK-SAME: te.knobs = "by hand", te.record = "aaaaaaaaaaaa"
// SAID-DAG: gets the schedule of record aaaaaaaaaaaa{{[",]|$}}
// CHECK: te.unroll
// CHECK-NOT: te.vectorize
func.func private @exact(%left: tensor<4x8xf32>, %right: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {relay.primitive} {
  %0 = relay.add %left, %right : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// It has another number of samples.
// CHECK-LABEL: func.func private @samples
// CHECK-SAME: te.record = "aaaaaaaaaaaa"
// CHECK: te.unroll
// SAID-DAG: gets the schedule of record aaaaaaaaaaaa, of 4 samples
func.func private @samples(%x: tensor<64x8xf32>, %y: tensor<64x8xf32>) -> tensor<64x8xf32> attributes {relay.primitive} {
  %0 = relay.add %x, %y : (tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  return %0 : tensor<64x8xf32>
}

// It has longer rows: that is another kernel.
// CHECK-LABEL: func.func private @rows
// CHECK-NOT: te.record
// CHECK: te.vectorize
// SAID-DAG: has no record
func.func private @rows(%x: tensor<4x16xf32>, %y: tensor<4x16xf32>) -> tensor<4x16xf32> attributes {relay.primitive} {
  %0 = relay.add %x, %y : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// A loop that was split is unrolled.
// CHECK-LABEL: func.func private @illegal
// CHECK-NOT: te.record
// CHECK: te.vectorize
// SAID-DAG: the record bbbbbbbbbbbb does not apply: te.unroll: operand 0 is no longer a loop
func.func private @illegal(%x: tensor<5x8xf32>, %y: tensor<5x8xf32>) -> tensor<5x8xf32> attributes {relay.primitive} {
  %0 = relay.subtract %x, %y : (tensor<5x8xf32>, tensor<5x8xf32>) -> tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}

// The text is no schedule.
// CHECK-LABEL: func.func private @no_text
// CHECK-NOT: te.record
// CHECK: te.vectorize
// SAID-DAG: the record cccccccccccc does not apply:
func.func private @no_text(%x: tensor<6x8xf32>, %y: tensor<6x8xf32>) -> tensor<6x8xf32> attributes {relay.primitive} {
  %0 = relay.multiply %x, %y : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// The record brings an intrinsic of machine code that is nobody's here.
// CHECK-NOT: te.tensor_intrin
// CHECK-LABEL: func.func private @machine_code
// CHECK-NOT: te.record
// CHECK: te.vectorize
// CHECK-NOT: llvm.inline_asm
// SAID-DAG: the record dddddddddddd does not apply: the intrinsic @row is neither the model's nor this installation's
func.func private @machine_code(%x: tensor<7x8xf32>, %y: tensor<7x8xf32>) -> tensor<7x8xf32> attributes {relay.primitive} {
  %0 = relay.divide %x, %y : (tensor<7x8xf32>, tensor<7x8xf32>) -> tensor<7x8xf32>
  return %0 : tensor<7x8xf32>
}

// Its vectors would be longer than any machine's.
// CHECK-LABEL: func.func private @vectors
// CHECK-NOT: te.record
// CHECK: return
// SAID-DAG: the record eeeeeeeeeeee does not apply: te.vectorize: its vectors would have 1024 elements, and at most 512 can be
func.func private @vectors(%x: tensor<9x1024xf32>, %y: tensor<9x1024xf32>) -> tensor<9x1024xf32> attributes {relay.primitive} {
  %0 = relay.add %x, %y : (tensor<9x1024xf32>, tensor<9x1024xf32>) -> tensor<9x1024xf32>
  return %0 : tensor<9x1024xf32>
}
