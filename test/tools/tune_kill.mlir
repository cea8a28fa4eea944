// A tuner that is killed goes on where it was; two that write one file lose nothing.
// REQUIRES: time
// RUN: rm -f %t.jsonl
// RUN: %python %S/Inputs/tune_kill.py %s %t.jsonl '%python %S/Inputs/fixed_times_worker.py' 5 | FileCheck %s
// CHECK: killed 5 times, and nothing was tried twice
// CHECK: killed 5 times, and nothing was tried twice
// CHECK: the best stayed the best
// CHECK: two writers lost nothing

func.func @main(%x: tensor<8x64x64xf32>, %y: tensor<8x64x64xf32>) -> tensor<8x64x64xf32> {
  %0 = relay.nn.batch_matmul %x, %y : (tensor<8x64x64xf32>, tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  %1 = relay.nn.softmax %0 : (tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  return %1 : tensor<8x64x64xf32>
}
