// The schedules of a function other than the cheapest, by rank and by knobs.
// RUN: relay-opt %s --relay-to-te | FileCheck %s --check-prefix=DEFAULT
// RUN: relay-opt %s --relay-to-te='candidate=1' | FileCheck %s --check-prefix=SECOND
// RUN: relay-opt %s --relay-to-te='candidate=100000' | FileCheck %s --check-prefix=DEFAULT
// RUN: relay-opt %s --pass-pipeline='builtin.module(relay-to-te{knobs="product rows=2 vectors=3 part=32 taken=8 copied=false"})' | FileCheck %s --check-prefix=KNOBS
// RUN: not relay-opt %s --relay-to-te='candidate=-1' 2>&1 | FileCheck %s --check-prefix=NEGATIVE

// DEFAULT-LABEL: @product
// DEFAULT-SAME: te.candidates = {{[0-9][0-9]}} : i64
// DEFAULT-SAME: te.knobs = "product rows=8 vectors=2 part=8 taken=2 copied=false"
// DEFAULT-SAME: te.predicted_cycles = {{[0-9.e+]+}} : f64

// SECOND-LABEL: @product
// SECOND-NOT: te.knobs = "product rows=8 vectors=2 part=8
// SECOND: te.schedule

// KNOBS-LABEL: @product
// KNOBS-SAME: te.knobs = "product rows=2 vectors=3 part=32 taken=8 copied=false"
// KNOBS: te.split %{{.+}} {factor = 2 : i64, shift_inwards}
// KNOBS: te.split %{{.+}} {factor = 48 : i64, shift_inwards}
// NEGATIVE: error: {{.*}}candidate is negative, expected a rank from 0 on
func.func private @product(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {relay.primitive} {
  %0 = relay.nn.matmul %x, %y : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// One that leaves no choice says what it takes, too.
// DEFAULT-LABEL: @sum
// DEFAULT-SAME: te.candidates = 1 : i64
// DEFAULT-SAME: te.knobs = "injective lanes=1"
// DEFAULT-SAME: te.predicted_cycles
// KNOBS-LABEL: @sum
// KNOBS-SAME: te.knobs = "injective lanes=1"
func.func private @sum(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {relay.primitive} {
  %0 = relay.add %x, %y : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
