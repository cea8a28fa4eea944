// How the processes of a tuner end: with it, and not before it.
// REQUIRES: time
// RUN: rm -rf %t && mkdir %t
// RUN: relayc compile %s -o %t/model.so
// RUN: %python %S/Inputs/tune_processes.py %s %t/model.so %t | FileCheck %s
// CHECK: Ctrl-C is for the tuner: no trial failed
// CHECK-NEXT: a tuner whose stdout nobody reads leaves no folders
// CHECK-NEXT: a tuner whose stderr nobody reads leaves no folders
// CHECK-NEXT: a worker answers what it was asked last
// CHECK-NEXT: a worker ends when nobody reads its answers
// CHECK-NEXT: a runner ends with its connection

func.func @main(%x: tensor<8x64x64xf32>, %y: tensor<8x64x64xf32>) -> tensor<8x64x64xf32> {
  %0 = relay.nn.batch_matmul %x, %y : (tensor<8x64x64xf32>, tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  %1 = relay.nn.softmax %0 : (tensor<8x64x64xf32>) -> tensor<8x64x64xf32>
  return %1 : tensor<8x64x64xf32>
}
