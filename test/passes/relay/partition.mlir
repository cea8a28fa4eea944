// RUN: split-file %s %t
// RUN: relay-opt --partition=%t/rules.pat %t/in.mlir | FileCheck %t/in.mlir
// RUN: not relay-opt --partition=%t/replaces.pat %t/in.mlir 2>&1 | FileCheck %t/replaces.pat

//--- replaces.pat

// CHECK: replaces.pat:3:6: error: this rule says 'with' what to replace its match, and here it becomes a function
rule relu {
  match nn.relu(%x)
  with %x
}

//--- rules.pat

// The larger pattern comes first.
rule dnnl.conv2d_bias_relu {
  match nn.relu(nn.bias_add(%c = nn.conv2d(_, _), _))
  where %c.groups == 1
}

rule scaled {
  match %x * _: constant + %x
}

rule chosen {
  match exp(if(_, _, tanh(_)))
}

//--- in.mlir

// Parameters are what is read, in the order in which it is read.
// CHECK-LABEL: func.func @fused
// CHECK-NEXT: %[[A:.*]] = call @dnnl_conv2d_bias_relu_0(%arg0, %arg1, %arg2)
// CHECK-NEXT: return %[[A]]
func.func @fused(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x3x3xf32>, %b: tensor<3xf32>) -> tensor<1x3x2x2xf32> {
  %0 = relay.nn.conv2d %x, %w : (tensor<1x2x4x4xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x2x2xf32>
  %1 = relay.nn.bias_add %0, %b : (tensor<1x3x2x2xf32>, tensor<3xf32>) -> tensor<1x3x2x2xf32>
  %2 = relay.nn.relu %1 : (tensor<1x3x2x2xf32>) -> tensor<1x3x2x2xf32>
  return %2 : tensor<1x3x2x2xf32>
}

// The convolution is read elsewhere, too; and a condition that does not hold.
// CHECK-LABEL: func.func @cut
// CHECK-NOT: call
// CHECK: return
func.func @cut(%x: tensor<1x2x4x4xf32>, %w: tensor<4x2x3x3xf32>, %g: tensor<4x1x3x3xf32>, %b: tensor<4xf32>)
    -> (tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>) {
  %0 = relay.nn.conv2d %x, %w : (tensor<1x2x4x4xf32>, tensor<4x2x3x3xf32>) -> tensor<1x4x2x2xf32>
  %1 = relay.nn.bias_add %0, %b : (tensor<1x4x2x2xf32>, tensor<4xf32>) -> tensor<1x4x2x2xf32>
  %2 = relay.nn.relu %1 : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  %3 = relay.nn.conv2d %x, %g {groups = 2 : i64} : (tensor<1x2x4x4xf32>, tensor<4x1x3x3xf32>) -> tensor<1x4x2x2xf32>
  %4 = relay.nn.bias_add %3, %b : (tensor<1x4x2x2xf32>, tensor<4xf32>) -> tensor<1x4x2x2xf32>
  %5 = relay.nn.relu %4 : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  return %0, %2, %5 : tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>
}

// A constant that the pattern asks for goes with the match, and stays where it is read elsewhere.
// CHECK-LABEL: func.func @constants
// CHECK-NEXT: %[[C:.*]] = relay.constant
// CHECK-NEXT: %[[A:.*]] = call @scaled_0(%arg0)
// CHECK-NEXT: relay.add %[[A]], %[[C]]
func.func @constants(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = relay.constant dense<3.0> : tensor<f32>
  %0 = relay.multiply %c, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.add %x, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.add %1, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// With an `if` go its branches, and what they read.
// CHECK-LABEL: func.func @branches
// CHECK-NEXT: %[[A:.*]] = call @chosen_0(%arg0, %arg1, %arg2)
// CHECK-NEXT: return %[[A]]
func.func @branches(%c: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.if %c : (tensor<i1>) -> tensor<4xf32> {
    relay.yield %x : tensor<4xf32>
  } else {
    %1 = relay.tanh %y : (tensor<4xf32>) -> tensor<4xf32>
    relay.yield %1 : tensor<4xf32>
  }
  %2 = relay.exp %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// CHECK-LABEL: func.func private @dnnl_conv2d_bias_relu_0(
// CHECK-SAME: %arg0: tensor<1x2x4x4xf32>, %arg1: tensor<3x2x3x3xf32>, %arg2: tensor<3xf32>) -> tensor<1x3x2x2xf32>
// CHECK-SAME: Composite = "dnnl.conv2d_bias_relu", PartitionedFromPattern = "nn.conv2d_nn.bias_add_nn.relu_"
// CHECK-NEXT: %[[C:.*]] = relay.nn.conv2d %arg0, %arg1
// CHECK-NEXT: %[[B:.*]] = relay.nn.bias_add %[[C]], %arg2
// CHECK-NEXT: %[[R:.*]] = relay.nn.relu %[[B]]
// CHECK-NEXT: return %[[R]]

// CHECK-LABEL: func.func private @scaled_0(%arg0: tensor<4xf32>)
// CHECK-NEXT: %[[C:.*]] = relay.constant dense<3.0
// CHECK-NEXT: %[[P:.*]] = relay.multiply %[[C]], %arg0
// CHECK-NEXT: %[[S:.*]] = relay.add %arg0, %[[P]]
// CHECK-NEXT: return %[[S]]

// CHECK-LABEL: func.func private @chosen_0(
// CHECK: relay.if %arg0
// CHECK: relay.yield %arg1
// CHECK: relay.tanh %arg2
// CHECK: relay.exp
