// RUN: relay-opt %s --fast-math | FileCheck %s

// All element types of floats, and the axis of a softmax; log_softmax and what has no approximation stay.
// CHECK-LABEL: func.func @functions
// CHECK-NEXT: %[[A:.*]] = relay.fast_exp %arg0
// CHECK-NEXT: %[[B:.*]] = relay.fast_erf %[[A]]
// CHECK-NEXT: %[[C:.*]] = relay.fast_tanh %[[B]]
// CHECK-NEXT: %[[D:.*]] = relay.nn.fast_softmax %[[C]] {axis = 0 : i64}
// CHECK-NEXT: %[[E:.*]] = relay.nn.log_softmax %[[D]]
// CHECK-NEXT: %[[F:.*]] = relay.log %[[E]]
// CHECK-NEXT: relay.fast_exp %arg1
// CHECK-NEXT: return %[[F]]
func.func @functions(%x: tensor<2x?xf32>, %y: tensor<3xf16>) -> (tensor<2x?xf32>, tensor<3xf16>) {
  %0 = relay.exp %x : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %1 = relay.erf %0 : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %2 = relay.tanh %1 : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %3 = relay.nn.softmax %2 {axis = 0 : i64} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %4 = relay.nn.log_softmax %3 : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %5 = relay.log %4 : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %6 = relay.exp %y : (tensor<3xf16>) -> tensor<3xf16>
  return %5, %6 : tensor<2x?xf32>, tensor<3xf16>
}
