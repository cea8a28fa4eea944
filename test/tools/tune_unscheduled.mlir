// A kernel that is written without a te.schedule is carried out as it is written, until a search from sketches finds a schedule.
// REQUIRES: time
// RUN: rm -f %t.jsonl
// RUN: relayc tune %s --records %t.jsonl --trials 32 --budget 60s --threads 1 2>&1 | FileCheck %s
// RUN: relayc tune db explain %s --records %t.jsonl | FileCheck %s --check-prefix=CHOSEN
// RUN: relayc compile %s --records %t.jsonl --emit te -o - | FileCheck %s --check-prefix=SCHEDULE
// RUN: relayc compile %s --no-records --emit te -o - | FileCheck %s --check-prefix=PLAIN

// CHECK: matmul: {{.*}} of the default after 8 schedules
// CHECK: 1 of 1 kernels have a better one than the default
// CHOSEN: {{[0-9a-f]+}} 1 0.{{[0-4][0-9]+}} matmul: sketch
// SCHEDULE: te.schedule
// SCHEDULE: te.vectorize
// PLAIN-NOT: te.schedule

func.func private @matmul(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c = te.compute "c" (%y: 64, %x: 64) sum (%k: 64) {
    %l = tensor.extract %a[%y, %k] : tensor<64x64xf32>
    %r = tensor.extract %b[%k, %x] : tensor<64x64xf32>
    %p = arith.mulf %l, %r : f32
    te.yield %p : f32
  } : tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c = call @matmul(%a, %b) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
