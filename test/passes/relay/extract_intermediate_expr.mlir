// RUN: relay-opt %s --extract-intermediate-expr=operator=0 | FileCheck %s --check-prefix=FIRST
// RUN: relay-opt %s --extract-intermediate-expr=operator=2 | FileCheck %s --check-prefix=SUM
// RUN: relay-opt %s --extract-intermediate-expr=operator=3 | FileCheck %s --check-prefix=PARTS
// RUN: relay-opt %s --extract-intermediate-expr=operator=4 | FileCheck %s --check-prefix=LAST
// RUN: relay-opt %s --extract-intermediate-expr=operator=second | FileCheck %s --check-prefix=NAMED
// RUN: not relay-opt %s --extract-intermediate-expr=operator=5 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not relay-opt %s --extract-intermediate-expr=operator=nobody 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: not relay-opt %s --extract-intermediate-expr=function=nobody 2>&1 | FileCheck %s --check-prefix=NOFUNCTION
// RUN: not relay-opt %s --extract-intermediate-expr=function=called 2>&1 | FileCheck %s --check-prefix=CALLED
// CALLED: error: 'func.func' op names @called, whose results would not be what they are here
// BEYOND: error: 'func.func' op has 5 operators, but none '5'
// NOBODY: error: 'func.func' op has 5 operators, but none 'nobody'
// NOFUNCTION: error: 'builtin.module' op has no function @nobody with a body

// The network of TVM's test: a convolution, one of its result, their sum, its parts, and one of them plus one.
// FIRST: func.func @main(%arg0: tensor<1x1x6x1xf32>, %arg1: tensor<1x1x3x3xf32>, %arg2: tensor<1x1x3x3xf32>) -> tensor<1x1x6x1xf32> {
// FIRST-NEXT: %[[C:.*]] = relay.nn.conv2d %arg0, %arg1
// FIRST-NEXT: return %[[C]] : tensor<1x1x6x1xf32>
// SUM: %[[A:.*]] = relay.nn.conv2d %arg0
// SUM-NEXT: %[[B:.*]] = relay.nn.conv2d %[[A]]
// SUM-NEXT: %[[S:.*]] = relay.add %[[A]], %[[B]]
// SUM-NEXT: return %[[S]]
// PARTS: -> (tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>) {
// PARTS: %[[P:.*]]:2 = relay.split
// PARTS-NEXT: return %[[P]]#0, %[[P]]#1
// LAST: %[[L:.*]] = relay.add %{{.*}}#0
// LAST-NEXT: return %[[L]]
// NAMED: %[[A:.*]] = relay.nn.conv2d %arg0
// NAMED-NEXT: %[[B:.*]] = relay.nn.conv2d %[[A]]
// NAMED-NEXT: return %[[B]]
func.func @main(%x: tensor<1x1x6x1xf32>, %v: tensor<1x1x3x3xf32>, %w: tensor<1x1x3x3xf32>) -> (tensor<1x1x3x1xf32> {relay.name = "y"}) {
  %0 = relay.nn.conv2d %x, %v {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x1x6x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x6x1xf32>
  %1 = relay.nn.conv2d %0, %w {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x1x6x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x6x1xf32> loc("second")
  %2 = relay.add %0, %1 : (tensor<1x1x6x1xf32>, tensor<1x1x6x1xf32>) -> tensor<1x1x6x1xf32>
  %3:2 = relay.split %2 {indices = array<i64: 3>, axis = 2 : i64} : (tensor<1x1x6x1xf32>) -> (tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>)
  %c = relay.constant dense<1.0> : tensor<f32>
  %4 = relay.add %3#0, %c : (tensor<1x1x3x1xf32>, tensor<f32>) -> tensor<1x1x3x1xf32>
  return %4 : tensor<1x1x3x1xf32>
}
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @called(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @called(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
