// RUN: relay-opt %s --dense-to-sparse='block-size=2x1 sparsity=0.6' | FileCheck %s
// RUN: relay-opt %s --dense-to-sparse='block-size=2x1 sparsity=0.7' | FileCheck %s --check-prefix=DENSE
// RUN: relay-opt %s --dense-to-sparse='weights=half,zero block-size=2x3' | FileCheck %s --check-prefix=NAMED
// RUN: relay-opt %s --dense-to-sparse='weights=given:5 block-size=2x1 function=parameters' | FileCheck %s --check-prefix=PARAMETERS
// RUN: not relay-opt %s --dense-to-sparse='weights=thin,half block-size=3x1' 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: not relay-opt %s --dense-to-sparse='weights=other' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not relay-opt %s --dense-to-sparse='weights=other:3' 2>&1 | FileCheck %s --check-prefix=PARAMETER
// RUN: not relay-opt %s --dense-to-sparse='weights=x:3' 2>&1 | FileCheck %s --check-prefix=READ
// RUN: not relay-opt %s --dense-to-sparse='weights=given:5 block-size=3x1 function=parameters' 2>&1 | FileCheck %s --check-prefix=DIVIDE
// RUN: not relay-opt %s --dense-to-sparse='weights=w:5 function=called' 2>&1 | FileCheck %s --check-prefix=CALLED
// RUN: not relay-opt %s --dense-to-sparse='weights=w:5 function=nobody' 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: not relay-opt %s --dense-to-sparse='block-size=16' 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not relay-opt %s --dense-to-sparse='block-size=0x1' 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not relay-opt %s --dense-to-sparse='sparsity=1.5' 2>&1 | FileCheck %s --check-prefix=SHARE
// BLOCKS: error: 'relay.nn.dense' op weights names 'half': blocks of 3x1 do not divide its 4 rows and 3 columns
// UNKNOWN: error: 'builtin.module' op weights names 'other', which is no constant weight of relay.nn.dense
// PARAMETER: error: 'func.func' op weights names 'other', which is no parameter
// READ: error: 'func.func' op weights names 'x', which is not only a weight of relay.nn.dense
// DIVIDE: error: 'func.func' op weights names 'given', of 4 rows and 3 columns, which blocks of 3x1 do not divide
// CALLED: error: 'func.call' op calls @called, and would give it weights as they were
// NOBODY: error: 'builtin.module' op has no function @nobody with a body
// SIZE: error: 'builtin.module' op block-size is {{.+}}, expected rows and columns, such as 16x1
// SHARE: error: 'builtin.module' op sparsity is 1.5, expected a share from 0 to 1

// Of the twelve elements of one weight, eight lie in blocks of zeros; of the other one, none. Blocks of two rows do not divide the third,
// and of the last nothing is left.
// CHECK-LABEL: func.func @main
// CHECK-DAG: %[[DATA:.+]] = relay.constant dense<{{\[}}{{\[}}[1.000000e+00], [2.000000e+00]], {{\[}}[-0.000000e+00], [3.000000e+00]]]> : tensor<2x2x1xf32>
// CHECK-DAG: %[[INDICES:.+]] = relay.constant dense<[0, 2]> : tensor<2xi32>
// CHECK-DAG: %[[INDPTR:.+]] = relay.constant dense<[0, 1, 2]> : tensor<3xi32>
// CHECK: relay.nn.sparse_dense %arg0, %[[DATA]], %[[INDICES]], %[[INDPTR]] : {{.*}} -> tensor<8x4xf32>
// CHECK: relay.nn.dense %arg0, %{{.+}} -> tensor<8x4xf32>
// CHECK: relay.nn.dense %arg0, %{{.+}} -> tensor<8x3xf32>
// CHECK: relay.nn.sparse_dense %arg0, %{{.+}} : (tensor<8x3xf32>, tensor<0x2x1xf32>, tensor<0xi32>, tensor<3xi32>) -> tensor<8x4xf32>
// DENSE-LABEL: func.func @main
// DENSE-COUNT-3: relay.nn.dense
// DENSE: relay.nn.sparse_dense
// NAMED-LABEL: func.func @main
// NAMED: relay.nn.dense
// NAMED: relay.nn.sparse_dense {{.*}}tensor<2x2x3xf32>
// NAMED: relay.nn.dense
// NAMED: relay.nn.sparse_dense {{.*}}tensor<0x2x3xf32>
func.func @main(%x: tensor<8x3xf32> {relay.name = "x"}) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x3xf32>, tensor<8x4xf32>) {
  %sparse = relay.constant dense<[[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, -0.0], [0.0, 0.0, 3.0]]> : tensor<4x3xf32> loc("sparse")
  %half = relay.constant dense<[[1.0, 0.0, 3.0], [0.0, 2.0, 0.0], [0.0, 4.0, 5.0], [6.0, 0.0, 0.0]]> : tensor<4x3xf32> loc("half")
  %thin = relay.constant dense<[[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<3x3xf32> loc("thin")
  %zero = relay.constant dense<0.0> : tensor<4x3xf32> loc("zero")
  %0 = relay.nn.dense %x, %sparse : (tensor<8x3xf32>, tensor<4x3xf32>) -> tensor<8x4xf32>
  %1 = relay.nn.dense %x, %half : (tensor<8x3xf32>, tensor<4x3xf32>) -> tensor<8x4xf32>
  %2 = relay.nn.dense %x, %thin : (tensor<8x3xf32>, tensor<3x3xf32>) -> tensor<8x3xf32>
  %3 = relay.nn.dense %x, %zero : (tensor<8x3xf32>, tensor<4x3xf32>) -> tensor<8x4xf32>
  return %0, %1, %2, %3 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x3xf32>, tensor<8x4xf32>
}

// PARAMETERS-LABEL: func.func @parameters(
// PARAMETERS-SAME: %arg0: tensor<8x3xf32> {relay.name = "x"}, %arg1: tensor<4xf32> {relay.name = "b"},
// PARAMETERS-SAME: %arg2: tensor<5x2x1xf32> {relay.name = "given.data"}, %arg3: tensor<5xi32> {relay.name = "given.indices"}, %arg4: tensor<3xi32> {relay.name = "given.indptr"})
// PARAMETERS-NEXT: %[[D:.+]] = relay.nn.sparse_dense %arg0, %arg2, %arg3, %arg4
// PARAMETERS-NEXT: relay.nn.bias_add %[[D]], %arg1
func.func @parameters(%x: tensor<8x3xf32> {relay.name = "x"}, %w: tensor<4x3xf32> {relay.name = "given"}, %b: tensor<4xf32> {relay.name = "b"}) -> tensor<8x4xf32> {
  %0 = relay.nn.dense %x, %w : (tensor<8x3xf32>, tensor<4x3xf32>) -> tensor<8x4xf32>
  %1 = relay.nn.bias_add %0, %b : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

func.func @caller(%x: tensor<8x3xf32>, %w: tensor<4x3xf32>) -> tensor<8x4xf32> {
  %0 = call @called(%x, %w) : (tensor<8x3xf32>, tensor<4x3xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
func.func private @called(%x: tensor<8x3xf32>, %w: tensor<4x3xf32> {relay.name = "w"}) -> tensor<8x4xf32> {
  %0 = relay.nn.dense %x, %w : (tensor<8x3xf32>, tensor<4x3xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
