// As tune_kill.mlir, with more moments at which the tuner is killed.
// REQUIRES: release
// RUN: rm -f %t.jsonl
// RUN: %python %S/Inputs/tune_kill.py %s %t.jsonl '%python %S/Inputs/fixed_times_worker.py' 10 | FileCheck %s
// CHECK: killed 10 times, and nothing was tried twice
// CHECK: killed 10 times, and nothing was tried twice
// CHECK: the best stayed the best
// CHECK: two writers lost nothing

func.func @main(%x: tensor<8x64x64xf32>, %y: tensor<8x64x64xf32>) -> tensor<8x64x64xf32> {
  %0 = relay.nn.batch_matmul %x, %y : (tensor<8x64x64xf32>, tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  %1 = relay.nn.softmax %0 : (tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  return %1 : tensor<8x64x64xf32>
}
