// RUN: split-file %s %t
// RUN: relay-opt %t/batch.mlir --flexible-shape-dispatch='buckets=1,4 auto-pad' | FileCheck %t/batch.mlir
// RUN: relay-opt %t/batch.mlir --flexible-shape-dispatch='buckets=1,4 auto-pad' | relay-opt | FileCheck %t/batch.mlir
// RUN: relay-opt %t/inputs.mlir --flexible-shape-dispatch='buckets=5,10 axis=1 inputs=x,1' | FileCheck %t/inputs.mlir
// RUN: relay-opt %t/fixed.mlir --flexible-shape-dispatch='buckets=5,7 axis=-1 inputs=0,1 affects-output=false' | FileCheck %t/fixed.mlir
// RUN: relay-opt %t/fixed.mlir --flexible-shape-dispatch='buckets=8 axis=1 inputs=0,1 affects-output=false auto-pad pad-value=-2.5' | FileCheck %t/fixed.mlir --check-prefix=PADDED
// RUN: relay-opt %t/outputs.mlir --flexible-shape-dispatch='buckets=5,10 function=parts' | FileCheck %t/outputs.mlir
// RUN: relay-opt %t/shared.mlir --flexible-shape-dispatch=buckets=2 | FileCheck %t/shared.mlir

// RUN: not relay-opt %t/batch.mlir --flexible-shape-dispatch 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not relay-opt %t/batch.mlir --flexible-shape-dispatch=buckets=4,4 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not relay-opt %t/batch.mlir --flexible-shape-dispatch=buckets=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not relay-opt %t/batch.mlir --flexible-shape-dispatch='buckets=4 axis=2' 2>&1 | FileCheck %s --check-prefix=AXIS
// RUN: not relay-opt %t/batch.mlir --flexible-shape-dispatch='buckets=4 inputs=nobody' 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not relay-opt %t/batch.mlir --flexible-shape-dispatch='buckets=4 function=nobody' 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not relay-opt %t/batch.mlir --flexible-shape-dispatch='buckets=4 auto-pad pad-value=much' 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not relay-opt %t/bytes.mlir --flexible-shape-dispatch='buckets=4 auto-pad pad-value=-1' 2>&1 | FileCheck %s --check-prefix=BYTE
// RUN: not relay-opt %t/turned.mlir --flexible-shape-dispatch='buckets=8 auto-pad' 2>&1 | FileCheck %s --check-prefix=TURNED
// RUN: relay-opt %t/turned.mlir --flexible-shape-dispatch='buckets=8 auto-pad affects-output=false' | FileCheck %t/turned.mlir
// RUN: relay-opt %t/scalar.mlir --flexible-shape-dispatch='buckets=8 auto-pad inputs=1' | FileCheck %t/scalar.mlir
// RUN: not relay-opt %t/says.mlir --flexible-shape-dispatch='buckets=4' 2>&1 | FileCheck %s --check-prefix=SAYS
// RUN: not relay-opt %t/shared.mlir --flexible-shape-dispatch='buckets=4 function=helper' 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: not relay-opt %t/batch.mlir --flexible-shape-dispatch='buckets=9223372036854775807' 2>&1 | FileCheck %s --check-prefix=HUGE
// NAMED: error: 'func.func' op names @helper, whose type would not be what it is here
// HUGE: has more elements than 64 bits count
// NONE: error: 'func.func' op is given no buckets, as in buckets=1,4
// ORDER: error: 'func.func' op buckets do not grow at 4
// ZERO: error: 'func.func' op buckets has '0', which is no extent
// AXIS: error: 'func.func' op axis is 2, and the input '0' is tensor<3x8xf32>
// INPUT: error: 'func.func' op inputs has 'nobody', which is no tensor among the parameters
// FUNCTION: error: 'builtin.module' op has no function @nobody with a body
// NUMBER: error: 'func.func' op pad-value is 'much', which is no number
// BYTE: error: 'func.func' op pad-value is -1, which is no ui8
// TURNED: error: 'func.func' op gives tensor<4x8xf32> as result 0 for an extent of 8, and tensor<4x?xf32> for any: not the extent in dimension 0 alone
// SAYS: error: 'relay.reshape' op

//--- batch.mlir
// Inputs are filled up, and results cut; names in the model stay at the function that is called.
// CHECK: func.func @main(%[[X:.*]]: tensor<?x8xf32> {relay.name = "x"}, %[[W:.*]]: tensor<4x8xf32>) -> (tensor<?x4xf32> {relay.name = "y"}) {
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: %[[FIRST:.*]] = arith.cmpi sle, %[[N]], %[[ONE]] : index
// CHECK: %[[R:.*]] = scf.if %[[FIRST]] -> (tensor<?x4xf32>) {
// CHECK: %[[M:.*]] = arith.subi %[[ONE]], %[[N]] : index
// CHECK: %[[Z:.*]] = relay.constant dense<0.0{{.*}}> : tensor<f32>
// CHECK: %[[E:.*]] = tensor.extract %[[Z]][]
// CHECK: %[[P:.*]] = tensor.pad %[[X]] low[0, 0] high[%[[M]], 0] {
// CHECK: tensor.yield %[[E]] : f32
// CHECK: } : tensor<?x8xf32> to tensor<1x8xf32>
// CHECK: %[[Y:.*]] = func.call @main_1(%[[P]], %[[W]]) : (tensor<1x8xf32>, tensor<4x8xf32>) -> tensor<1x4xf32>
// CHECK: %[[S:.*]] = tensor.extract_slice %[[Y]][0, 0] [%[[N]], 4] [1, 1] : tensor<1x4xf32> to tensor<?x4xf32>
// CHECK: scf.yield %[[S]]
// CHECK: } else {
// CHECK: scf.if
// CHECK: func.call @main_4
// CHECK: } else {
// CHECK: %[[D:.*]] = func.call @main_dynamic(%[[X]], %[[W]]) : (tensor<?x8xf32>, tensor<4x8xf32>) -> tensor<?x4xf32>
// CHECK: scf.yield %[[D]]
// CHECK: return %[[R]] : tensor<?x4xf32>
// CHECK: func.func private @main_1(%{{.*}}: tensor<1x8xf32>, %{{.*}}: tensor<4x8xf32>) -> tensor<1x4xf32> {
// CHECK: func.func private @main_4(%{{.*}}: tensor<4x8xf32>, %{{.*}}: tensor<4x8xf32>) -> tensor<4x4xf32> {
// CHECK: func.func private @main_dynamic(%{{.*}}: tensor<?x8xf32>, %{{.*}}: tensor<4x8xf32>) -> tensor<?x4xf32> {
func.func @main(%x: tensor<3x8xf32> {relay.name = "x"}, %w: tensor<4x8xf32>) -> (tensor<3x4xf32> {relay.name = "y"}) {
  %0 = relay.nn.dense %x, %w : (tensor<3x8xf32>, tensor<4x8xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

//--- inputs.mlir
// Several inputs have the dimension; without padding, a bucket is for its extent only.
// CHECK: func.func @main(%[[X:.*]]: tensor<10x?xf32> {{.*}}, %[[W:.*]]: tensor<10x?xf32>) -> tensor<10x?xf32> {
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %c1
// CHECK: arith.cmpi eq, %[[N]], %c5
// CHECK: %[[A:.*]] = tensor.cast %[[X]] : tensor<10x?xf32> to tensor<10x5xf32>
// CHECK: %[[B:.*]] = tensor.cast %[[W]] : tensor<10x?xf32> to tensor<10x5xf32>
// CHECK: %[[Y:.*]] = func.call @main_5(%[[A]], %[[B]])
// CHECK: tensor.cast %[[Y]] : tensor<10x5xf32> to tensor<10x?xf32>
// CHECK: func.call @main_10(
// CHECK: func.call @main_dynamic(%[[X]], %[[W]])
func.func @main(%x: tensor<10x10xf32> {relay.name = "x"}, %w: tensor<10x10xf32>) -> tensor<10x10xf32> {
  %0 = relay.add %x, %w : (tensor<10x10xf32>, tensor<10x10xf32>) -> tensor<10x10xf32>
  return %0 : tensor<10x10xf32>
}

//--- fixed.mlir
// The result does not have the dimension.
// CHECK: func.func @main(%{{.*}}: tensor<10x?xf32>, %{{.*}}: tensor<10x?xf32>) -> tensor<10x10xf32> {
// CHECK: %[[Y:.*]] = func.call @main_5
// CHECK-NEXT: scf.yield %[[Y]] : tensor<10x10xf32>
// CHECK: func.call @main_7
// PADDED: relay.constant dense<-2.5{{.*}}> : tensor<f32>
// PADDED: relay.constant dense<-2.5{{.*}}> : tensor<f32>
// PADDED: %[[Y:.*]] = func.call @main_8
// PADDED-NEXT: scf.yield %[[Y]] : tensor<10x10xf32>
func.func @main(%x: tensor<10x10xf32>, %w: tensor<10x10xf32>) -> tensor<10x10xf32> {
  %0 = relay.nn.dense %x, %w : (tensor<10x10xf32>, tensor<10x10xf32>) -> tensor<10x10xf32>
  return %0 : tensor<10x10xf32>
}

//--- outputs.mlir
// Two results, and another function than @main.
// CHECK: func.func @parts(%{{.*}}: tensor<?x10xf32>) -> (tensor<?x5xf32>, tensor<?x5xf32>) {
// CHECK: %[[R:.*]]:2 = scf.if
// CHECK: %[[Y:.*]]:2 = func.call @parts_5
// CHECK-DAG: %[[A:.*]] = tensor.cast %[[Y]]#0 : tensor<5x5xf32> to tensor<?x5xf32>
// CHECK-DAG: %[[B:.*]] = tensor.cast %[[Y]]#1 : tensor<5x5xf32> to tensor<?x5xf32>
// CHECK: scf.yield %[[A]], %[[B]]
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @parts(%x: tensor<10x10xf32>) -> (tensor<10x5xf32>, tensor<10x5xf32>) {
  %0:2 = relay.split %x {indices = array<i64: 5>, axis = 1 : i64} : (tensor<10x10xf32>) -> (tensor<10x5xf32>, tensor<10x5xf32>)
  return %0#0, %0#1 : tensor<10x5xf32>, tensor<10x5xf32>
}

//--- shared.mlir
// What is called has copies, too: the old one goes, unless somebody else can call it. Names that are taken get a number.
// CHECK: func.func @main(
// CHECK: func.func @public(%{{.*}}: tensor<3x4xf32>)
// CHECK-NOT: func.func private @helper(
// CHECK: func.func private @main_2_0(%{{.*}}: tensor<2x4xf32>) -> tensor<2x4xf32> {
// CHECK: call @helper_2(
// CHECK: call @public_2(
// CHECK: func.func private @public_2(%{{.*}}: tensor<2x4xf32>)
// CHECK: func.func private @helper_2(%{{.*}}: tensor<2x4xf32>)
// CHECK: func.func private @main_dynamic(%{{.*}}: tensor<?x4xf32>)
// CHECK: call @helper_dynamic(
func.func @main(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = call @helper(%x) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %1 = call @public(%0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}
func.func @public(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = relay.exp %x : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
func.func private @helper(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = relay.abs %x : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
func.func private @main_2(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}

//--- turned.mlir
// A result that has the extent in another place is not cut there.
// CHECK: func.func @main(%{{.*}}: tensor<?x4xf32>) -> tensor<4x?xf32>
// CHECK: func.call @main_8
// CHECK-NEXT: tensor.cast %{{.*}} : tensor<4x8xf32> to tensor<4x?xf32>
func.func @main(%x: tensor<3x4xf32>) -> tensor<4x3xf32> {
  %0 = relay.transpose %x {axes = array<i64: 1, 0>} : (tensor<3x4xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

//--- scalar.mlir
// Results without the dimension stay whole beside those that have it; types follow through branches.
// CHECK: func.func @main(%{{.*}}: tensor<i1>, %{{.*}}: tensor<?x4xbf16>, %{{.*}}: tensor<f32>) -> (tensor<?x4xbf16>, tensor<f32>) {
// CHECK: relay.constant dense<0.0{{.*}}> : tensor<bf16>
// CHECK: %[[Y:.*]]:2 = func.call @main_8
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %[[Y]]#0
// CHECK-NEXT: scf.yield %[[S]], %[[Y]]#1
// CHECK: func.func private @main_8
// CHECK: relay.if %{{.*}} : (tensor<i1>) -> tensor<8x4xbf16>
func.func @main(%c: tensor<i1>, %x: tensor<3x4xbf16>, %s: tensor<f32>) -> (tensor<3x4xbf16>, tensor<f32>) {
  %0 = relay.if %c : (tensor<i1>) -> tensor<3x4xbf16> {
    %1 = relay.abs %x : (tensor<3x4xbf16>) -> tensor<3x4xbf16>
    relay.yield %1 : tensor<3x4xbf16>
  } else {
    relay.yield %x : tensor<3x4xbf16>
  }
  return %0, %s : tensor<3x4xbf16>, tensor<f32>
}

//--- bytes.mlir
func.func @main(%x: tensor<3x8xui8>) -> tensor<3x8xui8> {
  %0 = relay.add %x, %x : (tensor<3x8xui8>, tensor<3x8xui8>) -> tensor<3x8xui8>
  return %0 : tensor<3x8xui8>
}

//--- says.mlir
// A shape that says the extent is an error.
func.func @main(%x: tensor<3x8xf32>) -> tensor<3x2x4xf32> {
  %0 = relay.reshape %x {newshape = array<i64: 3, 2, 4>} : (tensor<3x8xf32>) -> tensor<3x2x4xf32>
  return %0 : tensor<3x2x4xf32>
}
