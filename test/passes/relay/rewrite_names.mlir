// RUN: split-file %s %t
// RUN: relay-opt --rewrite=%t/rules.pat %t/in.mlir | FileCheck %t/in.mlir

// What has a name is made once; data with names; operators that are left out where they change nothing.

//--- rules.pat

rule shared {
  match exp(%x) * exp(%x)
  let   %half = %x * 0.5
  let   %sum = tanh(%half) + %half
  with  %sum * %sum
}

rule data {
  match %s = nn.softmax(%x)
  let   place = axis(%s.axis, rank(%x))
  where place > 0
  let   others = without(range(rank(%x)), [place])
  let   scale = 1.0 / place
  with  nn.log_softmax(%x) {axis = place} * scale + sum(%x) {axis = others, keepdims = true} * 0.0
}

rule view {
  match nn.relu(%x)
  let   count = max(3 - rank(%x), 0)
  with  maximum(expand_dims(%x) {axis = 0, num_newaxis = count}?, cast(%x) {dtype = f32}?)
}

// The same of several operators; lists are added item by item.
rule again {
  match %o = (sum(%i = abs(%x)) | max(%i))
  let   rest = without(range(rank(%x)), %o.axis)
  where length(rest) == 2 and rest + [1, 1] == [2, 3]
  with  %o(tanh(%x)) {axis = axes([-3], rank(%x)) * [1]}
}

// Lists of different lengths have no sum, so nothing is known of it.
rule lengths {
  match %o = transpose(%x)
  where %o.axes + [1] == [1]
  with  %x
}

//--- in.mlir

// CHECK-LABEL: func.func @again
// CHECK-NEXT: %[[T:.*]] = relay.tanh %arg0
// CHECK-NEXT: %[[S:.*]] = relay.sum %[[T]] {axis = array<i64: 0>, keepdims = true}
// CHECK-NEXT: %[[U:.*]] = relay.tanh %arg0
// CHECK-NEXT: %[[M:.*]] = relay.max %[[U]] {axis = array<i64: 0>}
// CHECK-NEXT: return %[[S]], %[[M]]
func.func @again(%x: tensor<2x3x4xf32>) -> (tensor<1x3x4xf32>, tensor<3x4xf32>) {
  %0 = relay.abs %x : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = relay.sum %0 {axis = array<i64: 0>, keepdims = true} : (tensor<2x3x4xf32>) -> tensor<1x3x4xf32>
  %2 = relay.max %0 {axis = array<i64: 0>} : (tensor<2x3x4xf32>) -> tensor<3x4xf32>
  return %1, %2 : tensor<1x3x4xf32>, tensor<3x4xf32>
}

// CHECK-LABEL: func.func @lengths
// CHECK-NEXT: relay.transpose
func.func @lengths(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = relay.transpose %x {axes = array<i64: 0, 1>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @shared
// CHECK: %[[C:.*]] = relay.constant dense<5.000000e-01>
// CHECK-NEXT: %[[H:.*]] = relay.multiply %arg0, %[[C]]
// CHECK-NEXT: %[[T:.*]] = relay.tanh %[[H]]
// CHECK-NEXT: %[[S:.*]] = relay.add %[[T]], %[[H]]
// CHECK-NEXT: %[[Y:.*]] = relay.multiply %[[S]], %[[S]]
// CHECK-NEXT: return %[[Y]]
func.func @shared(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.multiply %0, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @data
// CHECK: relay.nn.log_softmax %arg0 {axis = 2 : i64}
// CHECK: relay.constant dense<5.000000e-01>
// CHECK: relay.sum %arg0 {axis = array<i64: 0, 1>
func.func @data(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = relay.nn.softmax %x {axis = -1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// A condition with named data that does not hold; nothing is made then.
// CHECK-LABEL: func.func @not_data
// CHECK-NEXT: relay.nn.softmax
func.func @not_data(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = relay.nn.softmax %x {axis = 0 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// Neither changes anything.
// CHECK-LABEL: func.func @whole
// CHECK-NEXT: %[[M:.*]] = relay.maximum %arg0, %arg0
// CHECK-NEXT: %[[N:.*]] = relay.maximum %arg1, %arg1
// CHECK-NEXT: return %[[M]], %[[N]]
func.func @whole(%x: tensor<2x3x4xf32>, %y: tensor<?x1x4xf32>) -> (tensor<2x3x4xf32>, tensor<?x1x4xf32>) {
  %0 = relay.nn.relu %x : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = relay.nn.relu %y : (tensor<?x1x4xf32>) -> tensor<?x1x4xf32>
  return %0, %1 : tensor<2x3x4xf32>, tensor<?x1x4xf32>
}

// Of two unknown dimensions nobody knows that a view keeps them; a cast does. Of no elements, there may be any number of them.
// CHECK-LABEL: func.func @unknown
// CHECK: %[[E:.*]] = relay.expand_dims %arg0 {axis = 0 : i64, num_newaxis = 0 : i64}
// CHECK: relay.maximum %[[E]], %arg0
// CHECK: %[[F:.*]] = relay.expand_dims %arg1 {axis = 0 : i64, num_newaxis = 0 : i64}
// CHECK: relay.maximum %[[F]], %arg1
func.func @unknown(%x: tensor<?x?x4xf32>, %y: tensor<?x0x4xf32>) -> (tensor<?x?x4xf32>, tensor<?x0x4xf32>) {
  %0 = relay.nn.relu %x : (tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
  %1 = relay.nn.relu %y : (tensor<?x0x4xf32>) -> tensor<?x0x4xf32>
  return %0, %1 : tensor<?x?x4xf32>, tensor<?x0x4xf32>
}
