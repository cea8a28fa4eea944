// RUN: relay-opt %s --split-input-file --to-mixed-precision | FileCheck %s
// RUN: relay-opt %s --split-input-file --to-mixed-precision=type=bf16 | FileCheck %s
// RUN: not relay-opt %s --split-input-file --to-mixed-precision=type=f8E5M2 2>&1 | FileCheck %s --check-prefix=TYPE

// TYPE: error: 'func.func' op type is 'f8E5M2', expected bf16

// Products are cast to, constants as well; what activates and moves follows; the result is f32. A bias stays
// f32, and what it is added to is rounded when that is done.
// CHECK-LABEL: func.func @follow(%arg0: tensor<4x8xf32>) -> tensor<16x4xf32>
// CHECK: %[[X:.*]] = relay.cast %arg0 {dtype = bf16}
// CHECK: %[[W:.*]] = relay.constant dense<1.000000e+00> : tensor<16x8xf32>
// CHECK-NEXT: %[[WN:.*]] = relay.cast %[[W]] {dtype = bf16}
// CHECK: %[[B:.*]] = relay.constant dense<2.000000e+00> : tensor<16xf32>
// CHECK: %[[D:.*]] = relay.nn.dense %[[X]], %[[WN]] : (tensor<4x8xbf16>, tensor<16x8xbf16>) -> tensor<4x16xbf16>
// CHECK-NEXT: %[[DW:.*]] = relay.cast %[[D]] {dtype = f32}
// CHECK-NEXT: %[[A:.*]] = relay.add %[[DW]], %[[B]] : (tensor<4x16xf32>, tensor<16xf32>) -> tensor<4x16xf32>
// CHECK-NEXT: %[[AN:.*]] = relay.cast %[[A]] {contract, dtype = bf16}
// CHECK-NEXT: %[[R:.*]] = relay.nn.relu %[[AN]] : (tensor<4x16xbf16>) -> tensor<4x16xbf16>
// CHECK-NEXT: %[[T:.*]] = relay.transpose %[[R]] {{.*}} -> tensor<16x4xbf16>
// CHECK-NEXT: %[[F:.*]] = relay.cast %[[T]] {dtype = f32}
// CHECK-NEXT: return %[[F]]
func.func @follow(%x: tensor<4x8xf32>) -> tensor<16x4xf32> {
  %w = relay.constant dense<1.0> : tensor<16x8xf32>
  %b = relay.constant dense<2.0> : tensor<16xf32>
  %0 = relay.nn.dense %x, %w : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32>
  %1 = relay.add %0, %b : (tensor<4x16xf32>, tensor<16xf32>) -> tensor<4x16xf32>
  %2 = relay.nn.relu %1 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %3 = relay.transpose %2 {axes = array<i64: 1, 0>} : (tensor<4x16xf32>) -> tensor<16x4xf32>
  return %3 : tensor<16x4xf32>
}

// -----

// Softmax is of f32, and what reads an f32 beside a narrow float is, too. One cast serves all readers.
// CHECK-LABEL: func.func @never
// CHECK: %[[X:.*]] = relay.cast %arg0 {dtype = bf16}
// CHECK-NOT: relay.cast %arg0
// CHECK: %[[P:.*]] = relay.nn.matmul %[[X]], %[[X]] {{.*}} -> tensor<4x4xbf16>
// CHECK: %[[F:.*]] = relay.cast %[[P]] {dtype = f32}
// CHECK: %[[S:.*]] = relay.nn.softmax %[[F]] {{.*}} -> tensor<4x4xf32>
// CHECK: %[[A:.*]] = relay.add %[[S]], %[[F]] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK: return %[[A]]
func.func @never(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = relay.nn.matmul %x, %x {transpose_b = true} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = relay.nn.softmax %0 {axis = 1 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = relay.add %1, %0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// -----

// Nothing without a product; nothing of other types than f32.
// CHECK-LABEL: func.func @nothing
// CHECK-NOT: bf16
// CHECK: return
func.func @nothing(%x: tensor<4x4xf32>, %y: tensor<4x4xf64>) -> (tensor<4x4xf32>, tensor<4x4xf64>) {
  %0 = relay.add %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = relay.nn.dense %y, %y : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf64>
}

// -----

// A table of constants follows, with its subscripts as they are.
// CHECK-LABEL: func.func @table
// CHECK: relay.take %{{.*}}, %arg0 {{.*}} : (tensor<9x4xbf16>, tensor<3xi64>) -> tensor<3x4xbf16>
func.func @table(%i: tensor<3xi64>) -> tensor<3x4xf32> {
  %t = relay.constant dense<1.0> : tensor<9x4xf32>
  %0 = relay.take %t, %i {axis = 0 : i64} : (tensor<9x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

// The least f32, which masks are made of, would become infinite.
// CHECK-LABEL: func.func @mask
// CHECK: relay.nn.dense {{.*}} -> tensor<4x4xbf16>
// CHECK: relay.where %arg1, %{{.*}}, %{{.*}} : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
func.func @mask(%x: tensor<4x4xf32>, %keep: tensor<4x4xi1>) -> tensor<4x4xf32> {
  %least = relay.constant dense<-3.40282347E+38> : tensor<f32>
  %0 = relay.nn.dense %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = relay.where %keep, %0, %least : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

// What crosses a region's edge is f32.
// CHECK-LABEL: func.func @branch
// CHECK: relay.if
// CHECK: relay.nn.dense {{.*}} -> tensor<4x4xbf16>
// CHECK: relay.cast {{.*}} -> tensor<4x4xf32>
// CHECK-NEXT: relay.yield {{.*}} : tensor<4x4xf32>
func.func @branch(%c: tensor<i1>, %x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = relay.if %c : (tensor<i1>) -> tensor<4x4xf32> {
    %1 = relay.nn.dense %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    relay.yield %1 : tensor<4x4xf32>
  } else {
    relay.yield %x : tensor<4x4xf32>
  }
  return %0 : tensor<4x4xf32>
}
