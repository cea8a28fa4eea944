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

// CHECK-LABEL: func.func @logical_not
func.func @logical_not(%x: tensor<2xi1>) -> tensor<2xi1> {
  // CHECK: relay.logical_not %{{.+}} : (tensor<2xi1>) -> tensor<2xi1>
  %0 = relay.logical_not %x : (tensor<2xi1>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// What is yet to be inferred stays so.
// CHECK-LABEL: func.func @incomplete
func.func @incomplete(%x: !relay.incomplete) -> !relay.incomplete {
  // CHECK: relay.exp %{{.+}} : (!relay.incomplete) -> !relay.incomplete
  %0 = relay.exp %x : (!relay.incomplete) -> !relay.incomplete
  return %0 : !relay.incomplete
}
