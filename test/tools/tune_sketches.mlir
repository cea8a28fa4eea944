// On a schedule that is bad on purpose, scalar and serial, the search from sketches alone finds one that takes less than half of its time.
// REQUIRES: time
// RUN: rm -f %t.jsonl
// RUN: relayc tune %s --records %t.jsonl --tuner sketches --trials 32 --budget 60s --threads 1 2>&1 | FileCheck %s
// RUN: relayc tune db explain %s --records %t.jsonl | FileCheck %s --check-prefix=CHOSEN
// RUN: relayc compile %s --records %t.jsonl --emit te -o - | FileCheck %s --check-prefix=SCHEDULE

// CHECK: matmul: {{.*}} of the default after 8 schedules
// CHECK: {{.*}}tune_sketches.mlir with 1 tuned kernels: 0.{{[0-4][0-9]+}} of the default
// CHECK: 1 of 1 kernels have a better one than the default
// CHOSEN: {{[0-9a-f]+}} 1 0.{{[0-4][0-9]+}} matmul: sketch
// SCHEDULE: te.schedule
// SCHEDULE: te.vectorize

func.func private @matmul(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c = te.compute "c" (%y: 64, %x: 64) sum (%k: 64) {
    %l = tensor.extract %a[%y, %k] : tensor<64x64xf32>
    %r = tensor.extract %b[%k, %x] : tensor<64x64xf32>
    %p = arith.mulf %l, %r : f32
    te.yield %p : f32
  } : tensor<64x64xf32>
  te.schedule {
    %s = te.stage %c : tensor<64x64xf32>
    %y, %x, %k = te.axes %s
    te.reorder %x, %y, %k
  }
  return %c : tensor<64x64xf32>
}
func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c = call @matmul(%a, %b) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
