// What will be slow is said where a model is compiled, and is a part of the result; -q does not say it, and a tuner, which tries such
// schedules, neither.
// REQUIRES: time
// RUN: relayc compile %s -o %t.so 2>&1 | FileCheck %s --check-prefix=SAYS
// RUN: relayc compile %s -o %t.so --json 2> %t.said | FileCheck %s --check-prefix=JSON
// RUN: FileCheck %s --check-prefix=SAYS < %t.said
// RUN: relayc compile %s -o %t.so -q 2>&1 | count 0
// RUN: rm -f %t.jsonl && relayc tune %s --records %t.jsonl --trials 8 --threads 1 --no-layouts 2>&1 | FileCheck %s --check-prefix=TUNES
// SAYS: slow_schedules.mlir:[[# @LINE + 10]]:8: 'te.compute' op takes 2097152 steps one at a time
// SAYS-NOT: steps one at a time
// SAYS: wrote {{.*}}.so for
// JSON: "kernels": 1
// JSON: "warnings": [
// JSON-NEXT: "{{.*}}'te.compute' op takes 2097152 steps one at a time
// TUNES-NOT: one at a time
// TUNES: tried 8 schedules

func.func private @matmul(%a: tensor<128x128xf32>, %b: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c = te.compute "c" (%y: 128, %x: 128) sum (%k: 128) {
    %l = tensor.extract %a[%y, %k] : tensor<128x128xf32>
    %r = tensor.extract %b[%k, %x] : tensor<128x128xf32>
    %p = arith.mulf %l, %r : f32
    te.yield %p : f32
  } : tensor<128x128xf32>
  return %c : tensor<128x128xf32>
}
func.func @main(%a: tensor<128x128xf32>, %b: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c = call @matmul(%a, %b) : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  return %c : tensor<128x128xf32>
}
