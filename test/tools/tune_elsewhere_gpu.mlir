// Kernels for a GPU are timed by relay-runner on the machine that has it; here the emulated driver runs them, and its times mean nothing.
// RUN: rm -rf %t && mkdir %t
// RUN: relayc tune %s --target "nvidia/a100 -emulated" --records %t/records.jsonl --export-candidates %t/candidates --candidates 3 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EXPORT
// RUN: relay-runner %t/candidates 2>&1 | FileCheck %s --check-prefix=RUNNER
// RUN: relayc tune %s --records %t/records.jsonl --import %t/candidates/results.jsonl 2>&1 | FileCheck %s --check-prefix=IMPORT
// RUN: relayc tune db stats %t/records.jsonl | FileCheck %s --check-prefix=STATS
// EXPORT: wrote {{.*}}candidates for nvidia/a100 -arch=sm_80 -emulated beside {{.*}}: {{[1-9][0-9]*}} candidates of {{[1-9]}} kernels ({{.*}}0 candidates did not compile)
// RUNNER: candidates, 0 failed
// RUNNER-NOT: {{[1-9]}} failed
// IMPORT: (0 failed)
// IMPORT: relayc compile {{.*}} --target "nvidia/a100 -emulated" --records
// Records of a GPU name the card, whatever processor is beside it.
// STATS: nvidia/a100 -arch=sm_80 -emulated

// What wins is what the next compilation takes, for this card alone.
// RUN: %python %S/Inputs/tune_elsewhere.py win %t/candidates/results.jsonl %t/won.jsonl
// RUN: relayc tune %s --records %t/won.records --import %t/won.jsonl 2>&1 | FileCheck %s --check-prefix=WON
// RUN: relayc compile %s --target "nvidia/a100 -emulated" --no-records --emit te -o %t/default.mlir
// RUN: relayc compile %s --target "nvidia/a100 -emulated" --records %t/won.records --emit te -o %t/won.mlir
// RUN: not diff %t/default.mlir %t/won.mlir
// RUN: relayc compile %s --target "nvidia/h100 -emulated" --no-records --emit te -o %t/other.mlir
// RUN: relayc compile %s --target "nvidia/h100 -emulated" --records %t/won.records --emit te -o %t/other.won.mlir
// RUN: diff %t/other.mlir %t/other.won.mlir
// RUN: relayc compile %s --target "nvidia/a100 -emulated" --records %t/won.records -o %t/won.so
// RUN: relayc run %s --outputs %t/processor.npz
// RUN: relayc run %t/won.so --outputs %t/won.npz
// RUN: %python %S/Inputs/tune_elsewhere.py same %t/processor.npz %t/won.npz
// WON: takes 0.500 of the default's time

// Without the driver, no kernel can be run, and the runner says why.
// RUN: env RELAY_CUDA_DRIVER=%t/no_driver.so not relay-runner %t/candidates --results %t/none.jsonl 2>&1 | FileCheck %s --check-prefix=DRIVER
// DRIVER: relay-runner: no kernel can be run here: {{.*}}no CUDA driver

// A search on this machine is for processors.
// RUN: not relayc tune %s --target "nvidia/a100 -emulated" --records %t/records.jsonl 2>&1 | FileCheck %s --check-prefix=SEARCH
// SEARCH: error[R0208]: kernels for a GPU are timed by relay-runner: name a folder with --export-candidates

func.func @main(%x: tensor<64x96xf32>, %w: tensor<128x96xf32>) -> tensor<64x128xf32> {
  %0 = relay.nn.dense %x, %w : (tensor<64x96xf32>, tensor<128x96xf32>) -> tensor<64x128xf32>
  %1 = relay.nn.relu %0 : (tensor<64x128xf32>) -> tensor<64x128xf32>
  return %1 : tensor<64x128xf32>
}
