// What passes that know nothing of devices do with marks and copies.
// RUN: relay-opt %s --fuse-ops | FileCheck %s --check-prefix=FUSED
// RUN: relay-opt %s --fold-constant | FileCheck %s --check-prefix=FOLDED
// RUN: relay-opt %s --eliminate-common-subexpr | FileCheck %s --check-prefix=MERGED
// RUN: relay-opt %s --dead-code-elimination | FileCheck %s --check-prefix=DEAD

// Two operators with a copy between them are two kernels.
// FUSED-LABEL: func.func @chain(
// FUSED: %[[A:.+]] = call @{{.*}}abs
// FUSED-NEXT: %[[COPY:.+]] = relay.device_copy %[[A]]
// FUSED-NEXT: call @{{.*}}exp{{.*}}(%[[COPY]])
func.func @chain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.device_copy %0 {src_virtual_device = "cpu:0", dst_virtual_device = "cpu:1"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.exp %1 : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// A copy of a constant is none.
// FOLDED-LABEL: func.func @constant(
// FOLDED: %[[C:.+]] = relay.constant dense<2.000000e+00>
// FOLDED-NEXT: %[[COPY:.+]] = relay.device_copy %[[C]]
// FOLDED-NEXT: relay.negative %[[COPY]]
func.func @constant() -> tensor<4xf32> {
  %c = relay.constant dense<-2.0> : tensor<4xf32>
  %0 = relay.abs %c : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.device_copy %0 {src_virtual_device = "cpu:0", dst_virtual_device = "cpu:1"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.negative %1 : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Equal copies are one, those to other devices are not; one that nobody reads goes.
// MERGED-LABEL: func.func @copies(
// MERGED: %[[A:.+]] = relay.device_copy %arg0 {dst_virtual_device = "cpu:1"
// MERGED-NEXT: %[[B:.+]] = relay.device_copy %arg0 {dst_virtual_device = "cpu:2"
// MERGED-NEXT: relay.add %[[A]], %[[A]]
// DEAD-LABEL: func.func @copies(
// DEAD-COUNT-3: relay.device_copy
// DEAD-NOT: relay.device_copy
// DEAD-NOT: relay.on_device
// DEAD: return
func.func @copies(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = relay.device_copy %x {src_virtual_device = "cpu:0", dst_virtual_device = "cpu:1"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.device_copy %x {src_virtual_device = "cpu:0", dst_virtual_device = "cpu:1"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.device_copy %x {src_virtual_device = "cpu:0", dst_virtual_device = "cpu:2"} : (tensor<4xf32>) -> tensor<4xf32>
  %unread = relay.device_copy %x {src_virtual_device = "cpu:0", dst_virtual_device = "cpu:3"} : (tensor<4xf32>) -> tensor<4xf32>
  %mark = relay.on_device %x {virtual_device = "cpu:3"} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %3, %2 : tensor<4xf32>, tensor<4xf32>
}
