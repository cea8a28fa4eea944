// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @unary
func.func @unary(%x: tensor<2x3xf32>) -> tensor<2x3xi64> {
  // CHECK: relay.exp %{{.+}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = relay.exp %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: relay.nn.leaky_relu
  %1 = relay.nn.leaky_relu %0 {alpha = 0.1} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: relay.clip {{.*}}a_max = 6.0{{.*}}a_min = 0.0
  %2 = relay.clip %1 {a_min = 0.0, a_max = 6.0} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: relay.cast {{.*}}dtype = i64
  %3 = relay.cast %2 {dtype = i64} : (tensor<2x3xf32>) -> tensor<2x3xi64>
  return %3 : tensor<2x3xi64>
}

// CHECK-LABEL: func.func @broadcast
func.func @broadcast(%x: tensor<2x1x3xf32>, %y: tensor<4x1xf32>) -> tensor<2x4x3xf32> {
  // CHECK: relay.add %{{.+}}, %{{.+}} : (tensor<2x1x3xf32>, tensor<4x1xf32>) -> tensor<2x4x3xf32>
  %0 = relay.add %x, %y : (tensor<2x1x3xf32>, tensor<4x1xf32>) -> tensor<2x4x3xf32>
  // CHECK: relay.less {{.*}} -> tensor<2x4x3xi1>
  %1 = relay.less %0, %y : (tensor<2x4x3xf32>, tensor<4x1xf32>) -> tensor<2x4x3xi1>
  // CHECK: relay.where
  %2 = relay.where %1, %0, %y : (tensor<2x4x3xi1>, tensor<2x4x3xf32>, tensor<4x1xf32>) -> tensor<2x4x3xf32>
  return %2 : tensor<2x4x3xf32>
}

// An unknown dimension beside a known one is taken to be equal to it.
// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%x: tensor<?x3xf32>, %y: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // CHECK: relay.add
  %0 = relay.add %x, %y : (tensor<?x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// What is yet to be inferred stays so.
// CHECK-LABEL: func.func @incomplete
func.func @incomplete(%x: !relay.incomplete) -> !relay.incomplete {
  // CHECK: relay.exp %{{.+}} : (!relay.incomplete) -> !relay.incomplete
  %0 = relay.exp %x : (!relay.incomplete) -> !relay.incomplete
  return %0 : !relay.incomplete
}
