// RUN: split-file %s %t
// RUN: relay-opt --rewrite=%t/rules.pat %t/in.mlir | FileCheck %t/in.mlir
// RUN: relay-opt --rewrite="rules=%t/rules.pat report" %t/in.mlir 2>&1 >/dev/null | FileCheck %t/in.mlir --check-prefix=REPORT

// Rules of one operator and of several, with conditions, and how often each of them was applied.

//--- rules.pat

// x * s + x * t  ->  x * (s + t)
rule distribute {
  match %x * %s: constant + %x * %t: constant
  where element(%x) is float
  with  %x * (%s + %t)
}

// A constant that the replacement computes: 1 / c is folded by fold-constant.
rule reciprocal {
  match %x / %c: f32
  where foldable(%c) and not const(%x)
  with  %x * (1 / %c)
}

// A number that is known while the rule is applied.
rule half {
  match %x / 2
  where not const(%x)
  with  %x * (1 / 2.0)
}

rule same_shape {
  match maximum(%x, %y)
  where shape(%x) == shape(%y) and dim(%x, 0) * 2 == 8
  with  minimum(%x, %y)
}

rule attributes {
  match %s = nn.softmax(%x)
  where %s.axis == 0 or %s.axis + rank(%x) == 0
  with  nn.log_softmax(%x) {%s, axis = %s.axis + 1}
}

rule pad {
  match %o = nn.pad(%i = nn.pad(%x, %zero), %zero) {pad_mode = "constant"}
  where one_use(%i) and %i.pad_mode == "constant"
  with  nn.pad(%x, %zero) {pad_width = [item(%i.pad_width, 0) + item(%o.pad_width, 0), 0]}
}

// What is not this shape: it has no `with` that fits, and so is never applied.
rule misfit {
  match nn.relu(%x: [4, _])
  with  sum(%x) {axis = [0]}
}

//--- in.mlir

// Products are read in both orders. What the replacement makes of constants is left to fold-constant.
// CHECK-LABEL: func.func @distribute
// CHECK: %[[S:.*]] = relay.add %[[THREE:.*]], %[[T:.*]] : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK: %[[X:.*]] = relay.multiply %arg0, %[[S]]
// CHECK-NEXT: return %[[X]]
func.func @distribute(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = relay.constant dense<3.0> : tensor<f32>
  %t = relay.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = relay.multiply %s, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.multiply %x, %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Not the same x; and integers, which the condition leaves out.
// CHECK-LABEL: func.func @not_distributed
// CHECK-COUNT-2: relay.add
// CHECK-NOT: relay.add
// CHECK: return
func.func @not_distributed(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %s = relay.constant dense<3.0> : tensor<f32>
  %0 = relay.multiply %s, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.multiply %y, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = relay.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %t = relay.constant dense<3> : tensor<i32>
  %3 = relay.multiply %t, %i : (tensor<i32>, tensor<4xi32>) -> tensor<4xi32>
  %4 = relay.add %3, %3 : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %2, %4 : tensor<4xf32>, tensor<4xi32>
}

// The first rule of the file that applies is taken.
// CHECK-LABEL: func.func @quotients
// CHECK: %[[C:.*]] = relay.constant dense<[1.0{{.*}}, 2.0{{.*}}]>
// CHECK: %[[ONE:.*]] = relay.constant dense<1.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[R:.*]] = relay.divide %[[ONE]], %[[C]]
// CHECK-NEXT: %[[A:.*]] = relay.multiply %arg0, %[[R]]
// CHECK: %[[HALF:.*]] = relay.constant dense<5.000000e-01> : tensor<f64>
// CHECK-NEXT: %[[B:.*]] = relay.multiply %arg1, %[[HALF]]
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @quotients(%x: tensor<2xf32>, %y: tensor<2xf64>) -> (tensor<2xf32>, tensor<2xf64>) {
  %c = relay.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %two = relay.constant dense<2.0> : tensor<2xf64>
  %0 = relay.divide %x, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = relay.divide %y, %two : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  return %0, %1 : tensor<2xf32>, tensor<2xf64>
}

// CHECK-LABEL: func.func @shapes
// CHECK-NEXT: %[[A:.*]] = relay.minimum %arg0, %arg0
// CHECK-NEXT: %[[B:.*]] = relay.maximum %arg0, %arg1
// CHECK-NEXT: %[[C:.*]] = relay.maximum %arg2, %arg2
// CHECK-NEXT: %[[D:.*]] = relay.maximum %arg3, %arg3
func.func @shapes(%x: tensor<4x2xf32>, %y: tensor<1x2xf32>, %z: tensor<2x4xf32>, %w: tensor<?x2xf32>)
    -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<2x4xf32>, tensor<?x2xf32>) {
  %0 = relay.maximum %x, %x : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  %1 = relay.maximum %x, %y : (tensor<4x2xf32>, tensor<1x2xf32>) -> tensor<4x2xf32>
  %2 = relay.maximum %z, %z : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  // Nothing is known of an unknown dimension, not even that it is equal to itself.
  %3 = relay.maximum %w, %w : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return %0, %1, %2, %3 : tensor<4x2xf32>, tensor<4x2xf32>, tensor<2x4xf32>, tensor<?x2xf32>
}

// CHECK-LABEL: func.func @attributes
// CHECK-NEXT: %[[A:.*]] = relay.nn.log_softmax %arg0 {axis = 1 : i64}
// CHECK-NEXT: %[[B:.*]] = relay.nn.log_softmax %arg0 : 
// CHECK-NEXT: %[[C:.*]] = relay.nn.softmax %arg0 {axis = 1 : i64}
func.func @attributes(%x: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) {
  %0 = relay.nn.softmax %x {axis = 0 : i64} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %1 = relay.nn.softmax %x {axis = -2 : i64} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %2 = relay.nn.softmax %x {axis = 1 : i64} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0, %1, %2 : tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: func.func @pads
// CHECK: relay.nn.pad %arg0, %{{.*}} {pad_width = array<i64: 3, 0>}
// CHECK-NEXT: return
func.func @pads(%x: tensor<4xf32>) -> tensor<7xf32> {
  %zero = relay.constant dense<0.0> : tensor<f32>
  %0 = relay.nn.pad %x, %zero {pad_width = array<i64: 1, 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  %1 = relay.nn.pad %0, %zero {pad_width = array<i64: 2, 0>} : (tensor<5xf32>, tensor<f32>) -> tensor<7xf32>
  return %1 : tensor<7xf32>
}

// CHECK-LABEL: func.func @misfit
// CHECK-NEXT: relay.nn.relu
func.func @misfit(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = relay.nn.relu %x : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// REPORT: distribute: applied 1 times
// REPORT-NEXT: reciprocal: applied 1 times
// REPORT-NEXT: half: applied 1 times
// REPORT-NEXT: same_shape: applied 1 times
// REPORT-NEXT: attributes: applied 2 times
// REPORT-NEXT: pad: applied 1 times
// REPORT-NEXT: misfit: applied 0 times
// REPORT-NEXT: misfit: not applied 1 times, as its replacement gives tensor<2xf32>, not tensor<4x2xf32>
