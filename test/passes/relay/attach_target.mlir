// A module says which machine it is for, and passes decide by what it says.
// RUN: relay-opt %s --split-input-file --attach-target=target=x86-64-v3 | FileCheck %s --check-prefixes=V3,BOTH
// RUN: relay-opt %s --split-input-file --attach-target=target=sapphirerapids | FileCheck %s --check-prefixes=AMX,BOTH
// RUN: relay-opt %s --split-input-file --attach-target="target=x86-64-v3 keep=true" | FileCheck %s --check-prefixes=V3,KEPT
// RUN: not relay-opt %s --attach-target=target=x86-64-v9 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// V3: relay.machine = {byte_dot = "avx2", cpu = "x86-64-v3", features = "", file = "generic",
// V3-SAME: l2_bytes = 524288 : i64
// V3-SAME: registers = 16 : i64
// V3-SAME: triple = "x86_64-unknown-linux-gnu", units = [], vector_bits = 256 : i64}
// AMX: file = "sapphire_rapids"
// AMX-SAME: l1_bytes = 49152 : i64
// AMX-SAME: units = ["amx-bf16", "amx-int8"], vector_bits = 512 : i64}
// UNKNOWN: target 'x86-64-v9': there is no level x86-64-v9

// relay-opt attaches a target where a pass needs one. One that is given counts more than one that a module names.
// RUN: relay-opt %s --split-input-file --fuse-ops | FileCheck %s --check-prefixes=DEFAULT,KEPT
// RUN: relay-opt %s --split-input-file --target=wasm32 | FileCheck %s --check-prefixes=WASM,BOTH
// DEFAULT: cpu = "x86-64-v4"
// WASM: file = "wasm32"

// Without one, and with numbers that no machine has, a pass says so.
// RUN: relay-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(cse))'
// RUN: not mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %s --fuse-ops 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: sed 's/vector_bits = 128/vector_bits = 100/' %s > %t.bits && not relay-opt %t.bits --split-input-file --fuse-ops 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: sed 's/l1_bytes = 1024/l1_bytes = 0/' %s > %t.zero && not relay-opt %t.zero --split-input-file --fuse-ops 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: sed 's/units = \[\]/units = ["abacus"]/' %s > %t.unit && not relay-opt %t.unit --split-input-file --fuse-ops 2>&1 | FileCheck %s --check-prefix=UNIT
// RUN: sed 's/units = \[\]/units = [], byte_dot = "abacus"/' %s > %t.dot && not relay-opt %t.dot --split-input-file --fuse-ops 2>&1 | FileCheck %s --check-prefix=DOT
// NONE: is for no machine: run attach-target first
// BITS: relay.machine: vector_bits is 100, expected a multiple of 32 from 64 on
// ZERO: relay.machine: there is no positive number l1_bytes
// UNIT: relay.machine: one of the units abacus is unknown
// DOT: relay.machine: the byte_dot abacus is unknown

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// KEPT: l1_bytes = 1024 : i64
// BOTH-NOT: l1_bytes = 1024 :
module attributes {relay.machine = {
  fma_latency = 4, fma_per_cycle = 2, l1_bytes = 1024, l2_bytes = 4096, l2_bytes_per_cycle = 48, l3_bytes_per_cycle = 5,
  line_bytes = 64, loads_per_cycle = 2, memory_bytes_per_cycle = 6.7, memory_latency = 350, registers = 16, stores_per_cycle = 1,
  threads = 8, units = [], vector_bits = 128, fitted = {
    column_loads = 1, cycles_of_depthwise_load = 0.22, cycles_of_function = 10, cycles_of_line = 3, cycles_of_load = 0.8,
    cycles_of_more_columns = 0.09, cycles_of_padded_vector = 2.3, cycles_of_transform = 8, loads_of_near_weight = 0.2,
    loads_of_sums = 2, loads_of_weight = 0.4, pools_under_way = 8, rate_of_padded_rows = 1.3, slowdown_of_spilled_taps = 1.5,
    spare_loads = 0.1}}} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}
