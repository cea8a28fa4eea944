// RUN: relay-opt %s --relay-inline --split-input-file | FileCheck %s

// Only the leaf of a chain of calls asks for it: it goes into its caller, and away.
// CHECK-LABEL: func.func @leaf
// CHECK: %[[A:.*]] = call @g1(%arg0, %arg1)
// CHECK: %[[B:.*]] = call @g2(%arg2, %arg3)
// CHECK: relay.multiply %[[A]], %[[B]]
// CHECK-LABEL: func.func private @g1
// CHECK-NEXT: %[[S:.*]] = relay.add %arg0, %arg1
// CHECK-NEXT: %[[T:.*]] = relay.add %[[S]], %arg0
// CHECK-NEXT: return %[[T]]
// CHECK-LABEL: func.func private @g2
// CHECK-NOT: @g11
func.func @leaf(%a: tensor<3x5xf32>, %b: tensor<3x5xf32>, %c: tensor<3x5xf32>, %d: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = call @g1(%a, %b) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  %1 = call @g2(%c, %d) : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  %2 = relay.multiply %0, %1 : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  return %2 : tensor<3x5xf32>
}
func.func private @g1(%x: tensor<3x5xf32>, %y: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = relay.add %x, %y : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  %1 = call @g11(%x) : (tensor<3x5xf32>) -> tensor<3x5xf32>
  %2 = relay.add %0, %1 : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  return %2 : tensor<3x5xf32>
}
func.func private @g2(%x: tensor<3x5xf32>, %y: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = relay.subtract %x, %y : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
func.func private @g11(%x: tensor<3x5xf32>) -> tensor<3x5xf32> attributes {relay.inline} {
  return %x : tensor<3x5xf32>
}

// -----

// Through two levels, from the innermost one on; each call gets a body of its own.
// CHECK-LABEL: func.func @levels
// CHECK-NEXT: %[[S:.*]] = relay.add %arg0, %arg1
// CHECK-NEXT: %[[A:.*]] = relay.abs %arg0
// CHECK-NEXT: %[[T:.*]] = relay.add %[[S]], %[[A]]
// CHECK-NEXT: %[[U:.*]] = relay.add %arg2, %[[T]]
// CHECK-NEXT: %[[B:.*]] = relay.abs %arg2
// CHECK-NEXT: %[[V:.*]] = relay.add %[[U]], %[[B]]
// CHECK-NEXT: return %[[V]]
// CHECK-NOT: func.func
func.func @levels(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @outer(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = call @outer(%c, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @outer(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {relay.inline} {
  %0 = relay.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = call @inner(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @inner(%x: tensor<4xf32>) -> tensor<4xf32> attributes {relay.inline} {
  %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A recursive function stays, and so do the calls of it; what it calls goes into its branches.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: call @sum_up(%arg0)
// CHECK-LABEL: func.func private @sum_up
// CHECK-SAME: relay.inline
// CHECK: relay.if
// CHECK: else
// CHECK: %[[R:.*]] = func.call @sum_up
// CHECK-NEXT: %[[N:.*]] = relay.negative %arg0
// CHECK-NEXT: relay.add %[[R]], %[[N]]
// CHECK-NOT: @negated
func.func @main(%i: tensor<i32>) -> tensor<i32> {
  %0 = call @sum_up(%i) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func private @sum_up(%i: tensor<i32>) -> tensor<i32> attributes {relay.inline} {
  %zero = relay.constant dense<0> : tensor<i32>
  %one = relay.constant dense<1> : tensor<i32>
  %0 = relay.equal %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %1 = relay.if %0 : (tensor<i1>) -> tensor<i32> {
    relay.yield %i : tensor<i32>
  } else {
    %2 = relay.subtract %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = func.call @sum_up(%2) : (tensor<i32>) -> tensor<i32>
    %4 = func.call @negated(%i) : (tensor<i32>) -> tensor<i32>
    %5 = relay.add %3, %4 : (tensor<i32>, tensor<i32>) -> tensor<i32>
    relay.yield %5 : tensor<i32>
  }
  return %1 : tensor<i32>
}
func.func private @negated(%x: tensor<i32>) -> tensor<i32> attributes {relay.inline} {
  %0 = relay.negative %x : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// -----

// Functions that call each other are recursive, too.
// CHECK-LABEL: func.func @mutual
// CHECK-NEXT: call @even
// CHECK-LABEL: func.func private @even
// CHECK: call @odd
// CHECK-LABEL: func.func private @odd
// CHECK: call @even
func.func @mutual(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @even(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @even(%x: tensor<4xf32>) -> tensor<4xf32> attributes {relay.inline} {
  %0 = call @odd(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @odd(%x: tensor<4xf32>) -> tensor<4xf32> attributes {relay.inline} {
  %0 = call @even(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A call of what is not to be inlined comes along. A public function stays for others, and so does one that
// nobody calls; one without a body has nothing to put anywhere.
// CHECK-LABEL: func.func @kept
// CHECK-NEXT: %[[A:.*]] = call @plain(%arg0)
// CHECK-NEXT: %[[B:.*]] = relay.abs %[[A]]
// CHECK-NEXT: %[[C:.*]] = call @outside(%[[B]])
// CHECK-NEXT: return %[[C]]
// CHECK: func.func private @plain
// CHECK-NOT: @wrapper
// CHECK: func.func @public
// CHECK: func.func private @nobody
// CHECK: func.func private @outside
func.func @kept(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @wrapper(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @public(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = call @outside(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @plain(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func private @wrapper(%x: tensor<4xf32>) -> tensor<4xf32> attributes {relay.inline} {
  %0 = call @plain(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @public(%x: tensor<4xf32>) -> tensor<4xf32> attributes {relay.inline} {
  %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @nobody(%x: tensor<4xf32>) -> tensor<4xf32> attributes {relay.inline} {
  return %x : tensor<4xf32>
}
func.func private @outside(tensor<4xf32>) -> tensor<4xf32> attributes {relay.inline}

// -----

// Two results in another order, and a parameter that is one of them.
// CHECK-LABEL: func.func @results
// CHECK-NEXT: %[[A:.*]] = relay.abs %arg0
// CHECK-NEXT: relay.subtract %arg0, %[[A]]
func.func @results(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0:2 = call @both(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %1 = relay.subtract %0#1, %0#0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @both(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {relay.inline} {
  %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// A function that is a value is called like any other. One with type parameters stays, for its types are not those
// of the call.
// CHECK-LABEL: func.func @values
// CHECK-NEXT: %[[A:.*]] = relay.abs %arg0
// CHECK-NEXT: %[[G:.*]] = relay.global @same
// CHECK-NEXT: %[[B:.*]] = relay.call %[[G]](%[[A]])
// CHECK-NEXT: return %[[B]]
// CHECK-NOT: @absolute
// CHECK: func.func private @same
func.func @values(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.global @absolute : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.call %0(%x) : ((tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.global @same : (tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.call %2(%1) : ((tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
func.func private @absolute(%x: tensor<4xf32>) -> tensor<4xf32> attributes {relay.inline} {
  %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @same(%x: !relay.type_var<"A">) -> !relay.type_var<"A"> attributes {relay.inline, relay.type_params = ["A"]} {
  return %x : !relay.type_var<"A">
}
