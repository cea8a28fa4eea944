// For a GPU, its own kind of device is the one that there is. Operators on the processor run there, too, which one warning says.
// RUN: relay-opt %s --attach-target='target="nvidia/h100"' --erase-devices 2> %t.warning | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARNING < %t.warning
// RUN: not relay-opt %s --attach-target='target="amd/mi300x"' --erase-devices 2>&1 | FileCheck %s --check-prefix=OTHER

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %[[A:.+]] = relay.abs %arg0
// CHECK-NEXT: %[[B:.+]] = relay.exp %[[A]]
// CHECK-NEXT: %[[C:.+]] = relay.negative %[[B]]
// CHECK-NEXT: return %[[C]]
// WARNING: warning: 'relay.on_device' op puts the result of 'relay.exp' on cpu, and so do 1 others: the target's device, cuda, runs all operators that have no external code; results are the same
// WARNING-NOT: warning:
// OTHER: error: 'relay.on_device' op puts the result of 'relay.abs' on cuda:0, but code is generated for rocm only: name a rocm device there
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.on_device %0 {virtual_device = "cuda:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.exp %1 : (tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.on_device %2 {virtual_device = "cpu"} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = relay.negative %3 : (tensor<4xf32>) -> tensor<4xf32>
  %5 = relay.on_device %4 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  return %5 : tensor<4xf32>
}
