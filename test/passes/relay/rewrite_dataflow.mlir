// RUN: split-file %s %t
// RUN: relay-opt --rewrite=%t/rules.pat %t/in.mlir | FileCheck %t/in.mlir

// The examples of TVM's dataflow_pattern, as rules: bias and relu, a dominator, batch normalisation in three forms,
// alternatives, optional parts, tuples, results of an operator of several, branches, types and parameters by name.

//--- rules.pat

rule batch_norm {
  match %gamma * (%x - %mean) / sqrt(%var + %eps: constant) + %beta
  with  nn.batch_norm(%x, %gamma, %beta, %mean, %var) {epsilon = value(%eps), axis = -1}
}

rule bias_relu {
  match nn.relu(add(%c = nn.conv2d(%x, %w), %b) | nn.bias_add(%c, %b))
  where rank(%b) == 1
  with  nn.bias_add(nn.relu(nn.conv2d(%x, %w) {%c}), %b)
}

rule dominator {
  match dominates(%p = nn.max_pool2d(%x), operator(...) {TOpPattern = 0} | add(_, _), %sum = add(_, _))
  where one_use(%x) and type(%sum) == type(%p)
  with  copy(%p)
}

rule optional {
  match exp(nn.relu(%s = sigmoid(%x))?)
  where one_use(%s)
  with  tanh(%x)
}

rule tuples {
  match tuple(%x, %y)#1
  where type(%x) == type(%y)
  with  %y
}

rule any_tuple {
  match abs(%field = tuple(...)#0)
  where shape(%field) == [3]
  with  negative(%field)
}

rule results {
  match negative(split(%x) {indices = [2]}#1)
  where dim(%x, 0) == 4
  with  split(negative(%x)) {indices = [1, 2], axis = 0}#2
}

rule branches {
  match ceil(%i = if(_, _: var, nn.relu(_)))
  with  floor(%i)
}

rule typed {
  match sqrt(var("named")): tensor<5xf32>
  with  ones() {shape = [5], dtype = f32}
}

//--- in.mlir

// TVM's test_fuse_batchnorm has the first form; operands of sums and products change places in the second, and in the
// third the product is one of a quotient.
// CHECK-LABEL: func.func @batch_norm
// CHECK: %[[A:.*]] = relay.nn.batch_norm %arg0, %arg1, %arg2, %arg3, %arg4 {axis = -1 : i64, epsilon = 9.9999{{.*}}E-6 : f64}
// CHECK: %[[B:.*]] = relay.nn.batch_norm %[[A]], %arg1, %arg2, %arg3, %arg4
// CHECK: %[[C:.*]] = relay.nn.batch_norm %[[B]], %arg1, %arg2, %arg3, %arg4
// CHECK-NEXT: return %[[C]]
func.func @batch_norm(%x: tensor<2x4xf32>, %gamma: tensor<4xf32>, %beta: tensor<4xf32>, %mean: tensor<4xf32>,
                      %var: tensor<4xf32>) -> tensor<2x4xf32> {
  %eps = relay.constant dense<1.0e-5> : tensor<f32>
  %sum = relay.add %var, %eps : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %dev = relay.sqrt %sum : (tensor<4xf32>) -> tensor<4xf32>
  %0 = relay.subtract %x, %mean : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %1 = relay.multiply %gamma, %0 : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = relay.divide %1, %dev : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %3 = relay.add %2, %beta : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %sum2 = relay.add %eps, %var : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %dev2 = relay.sqrt %sum2 : (tensor<4xf32>) -> tensor<4xf32>
  %4 = relay.subtract %3, %mean : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %5 = relay.multiply %4, %gamma : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %6 = relay.divide %5, %dev2 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %7 = relay.add %beta, %6 : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %8 = relay.subtract %7, %mean : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %9 = relay.divide %8, %dev : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %10 = relay.multiply %gamma, %9 : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %11 = relay.add %10, %beta : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %11 : tensor<2x4xf32>
}

// As in test_no_fuse_batchnorm, beta is subtracted.
// CHECK-LABEL: func.func @no_batch_norm
// CHECK-NOT: relay.nn.batch_norm
// CHECK: return
func.func @no_batch_norm(%x: tensor<2x4xf32>, %gamma: tensor<4xf32>, %beta: tensor<4xf32>, %mean: tensor<4xf32>,
                         %var: tensor<4xf32>) -> tensor<2x4xf32> {
  %eps = relay.constant dense<1.0e-5> : tensor<f32>
  %sum = relay.add %var, %eps : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %dev = relay.sqrt %sum : (tensor<4xf32>) -> tensor<4xf32>
  %0 = relay.subtract %x, %mean : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %1 = relay.multiply %gamma, %0 : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = relay.divide %1, %dev : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %3 = relay.subtract %2, %beta : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %3 : tensor<2x4xf32>
}

// The convolution that is made has the attributes of the one that was matched.
// CHECK-LABEL: func.func @bias_relu
// CHECK: %[[C:.*]] = relay.nn.conv2d %arg0, %arg1 {{.*}}padding = array<i64: 1, 1, 1, 1>
// CHECK-NEXT: %[[R:.*]] = relay.nn.relu %[[C]]
// CHECK-NEXT: %[[B:.*]] = relay.nn.bias_add %[[R]], %arg2
// CHECK-NEXT: return %[[B]]
func.func @bias_relu(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x3x3xf32>, %b: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
  %0 = relay.nn.conv2d %x, %w {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x4x4xf32>
  %1 = relay.nn.bias_add %0, %b : (tensor<1x3x4x4xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  %2 = relay.nn.relu %1 : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  return %2 : tensor<1x3x4x4xf32>
}

// Two ways from the pool to the sum, and all that is between is element by element.
// CHECK-LABEL: func.func @dominator
// CHECK-NEXT: %[[P:.*]] = relay.nn.max_pool2d
// CHECK-NEXT: %[[C:.*]] = relay.copy %[[P]]
// CHECK-NEXT: return %[[C]]
func.func @dominator(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %1 = relay.nn.relu %0 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %2 = relay.negative %1 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %3 = relay.sqrt %0 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %4 = relay.add %2, %3 : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %4 : tensor<1x2x4x4xf32>
}

// What the pool gives is read behind the sum, too.
// CHECK-LABEL: func.func @no_dominator
// CHECK-NOT: relay.copy
// CHECK: return
func.func @no_dominator(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %0 = relay.nn.max_pool2d %x {pool_size = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %1 = relay.nn.relu %0 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %2 = relay.sqrt %0 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %3 = relay.add %1, %2 : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %4 = relay.subtract %3, %0 : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %4 : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: func.func @optional
// CHECK-NEXT: %[[A:.*]] = relay.tanh %arg0
// CHECK-NEXT: %[[B:.*]] = relay.tanh %arg0
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @optional(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = relay.sigmoid %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.exp %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.sigmoid %x : (tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.nn.relu %2 : (tensor<4xf32>) -> tensor<4xf32>
  %4 = relay.exp %3 : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %4 : tensor<4xf32>, tensor<4xf32>
}

!pair = tuple<tensor<3xf32>, tensor<3xf32>>

// CHECK-LABEL: func.func @tuples
// CHECK: %[[F:.*]] = relay.tuple_get %{{.*}} {index = 0 : i64}
// CHECK-NEXT: %[[N:.*]] = relay.negative %[[F]]
// CHECK-NEXT: return %arg1, %[[N]]
func.func @tuples(%x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = relay.tuple %x, %y : (tensor<3xf32>, tensor<3xf32>) -> !pair
  %1 = relay.tuple_get %0 {index = 1 : i64} : (!pair) -> tensor<3xf32>
  %2 = relay.tuple_get %0 {index = 0 : i64} : (!pair) -> tensor<3xf32>
  %3 = relay.abs %2 : (tensor<3xf32>) -> tensor<3xf32>
  return %1, %3 : tensor<3xf32>, tensor<3xf32>
}

// The second result of the two is meant, and the other one stays.
// CHECK-LABEL: func.func @results
// CHECK-NEXT: %[[S:.*]]:2 = relay.split %arg0
// CHECK-NEXT: %[[A:.*]] = relay.negative %[[S]]#0
// CHECK-NEXT: %[[N:.*]] = relay.negative %arg0
// CHECK-NEXT: %[[T:.*]]:3 = relay.split %[[N]] {axis = 0 : i64, indices = array<i64: 1, 2>}
// CHECK-NEXT: return %[[A]], %[[T]]#2
func.func @results(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0:2 = relay.split %x {indices = array<i64: 2>, axis = 0 : i64} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %1 = relay.negative %0#0 : (tensor<2xf32>) -> tensor<2xf32>
  %2 = relay.negative %0#1 : (tensor<2xf32>) -> tensor<2xf32>
  return %1, %2 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @branches
// CHECK: %[[F:.*]] = relay.floor
// CHECK: %[[C:.*]] = relay.ceil
// CHECK-NEXT: return %[[F]], %[[C]]
func.func @branches(%c: tensor<i1>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = relay.if %c : (tensor<i1>) -> tensor<4xf32> {
    relay.yield %x : tensor<4xf32>
  } else {
    %1 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
    relay.yield %1 : tensor<4xf32>
  }
  %2 = relay.ceil %0 : (tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.if %c : (tensor<i1>) -> tensor<4xf32> {
    %4 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
    relay.yield %4 : tensor<4xf32>
  } else {
    relay.yield %x : tensor<4xf32>
  }
  %5 = relay.ceil %3 : (tensor<4xf32>) -> tensor<4xf32>
  return %2, %5 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @typed
// CHECK-NEXT: %[[O:.*]] = relay.ones
// CHECK-NEXT: %[[S:.*]] = relay.sqrt %arg1
// CHECK-NEXT: return %[[O]], %[[S]]
func.func @typed(%x: tensor<5xf32> {relay.name = "named"}, %y: tensor<5xf32> {relay.name = "other"}) -> (tensor<5xf32>, tensor<5xf32>) {
  %0 = relay.sqrt %x : (tensor<5xf32>) -> tensor<5xf32>
  %1 = relay.sqrt %y : (tensor<5xf32>) -> tensor<5xf32>
  return %0, %1 : tensor<5xf32>, tensor<5xf32>
}
