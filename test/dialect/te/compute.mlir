// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @matmul
func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
  // CHECK: %c = te.compute "c" (%i: 4, %j: 2) sum (%k: 8) {
  // CHECK-NEXT: tensor.extract %{{.+}}[%i, %k]
  // CHECK: te.yield %{{.*}} : f32
  // CHECK: } : tensor<4x2xf32>
  %c = te.compute "c" (%i: 4, %j: 2) sum (%k: 8) {
    %x = tensor.extract %a[%i, %k] : tensor<4x8xf32>
    %y = tensor.extract %b[%k, %j] : tensor<8x2xf32>
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  } : tensor<4x2xf32>
  return %c : tensor<4x2xf32>
}

// What a stage is for, by which schedules know it, stands behind `as`.
// CHECK-LABEL: func.func @role
func.func @role(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
  // CHECK: te.compute "c" (%i: 4, %j: 2) sum (%k: 8) as matmul attributes {te.block = 2 : i64} {
  %c = te.compute "c" (%i: 4, %j: 2) sum (%k: 8) as matmul attributes {te.block = 2 : i64} {
    %x = tensor.extract %a[%i, %k] : tensor<4x8xf32>
    %y = tensor.extract %b[%k, %j] : tensor<8x2xf32>
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  } : tensor<4x2xf32>
  return %c : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @argmax
func.func @argmax(%a: tensor<4xf32>) -> tensor<i64> {
  // CHECK: %m:2 = te.compute "m" () custom (%k: 4) identity [0xFF800000 : f32, -1] {
  // CHECK: combiner {
  // CHECK: te.yield %{{.*}}, %{{.*}} : f32, i64
  // CHECK: } : tensor<f32>, tensor<i64>
  %v, %at = te.compute "m" () custom (%k: 4) identity [0xFF800000 : f32, -1] {
    %x = tensor.extract %a[%k] : tensor<4xf32>
    %n = arith.index_cast %k : index to i64
    te.yield %x, %n : f32, i64
  } combiner {
  ^bb0(%av: f32, %an: i64, %bv: f32, %bn: i64):
    %less = arith.cmpf olt, %av, %bv : f32
    %rv = arith.select %less, %bv, %av : f32
    %rn = arith.select %less, %bn, %an : i64
    te.yield %rv, %rn : f32, i64
  } : tensor<f32>, tensor<i64>
  return %at : tensor<i64>
}

// CHECK-LABEL: func.func @scan
func.func @scan(%first: tensor<2x8xf32>) -> tensor<16x8xf32> {
  %c2 = arith.constant 2 : index
  // CHECK: te.scan "s"(%{{.+}}) {
  // CHECK-NEXT: ^bb0(%{{.+}}: tensor<16x8xf32>, %{{.+}}: index, %{{.+}}: index):
  // CHECK: } : (tensor<2x8xf32>) -> tensor<16x8xf32>
  %s = te.scan "s" (%first) {
  ^bb0(%state: tensor<16x8xf32>, %t: index, %i: index):
    %last = arith.subi %t, %c2 : index
    %x = tensor.extract %state[%last, %i] : tensor<16x8xf32>
    te.yield %x : f32
  } : (tensor<2x8xf32>) -> tensor<16x8xf32>
  return %s : tensor<16x8xf32>
}

// CHECK-LABEL: func.func @extern_of_two_shapes
func.func @extern_of_two_shapes() -> (tensor<8xf32>, tensor<4x2xi32>) {
  // CHECK: ^bb0(%{{.+}}: memref<8xf32>, %{{.+}}: memref<4x2xi32>):
  // CHECK-NEXT: } : () -> (tensor<8xf32>, tensor<4x2xi32>)
  %r:2 = te.extern "fill" () {
  ^bb0(%x: memref<8xf32>, %y: memref<4x2xi32>):
  } : () -> (tensor<8xf32>, tensor<4x2xi32>)
  return %r#0, %r#1 : tensor<8xf32>, tensor<4x2xi32>
}

// CHECK-LABEL: func.func @extern
func.func @extern(%a: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: te.extern "copy"(%{{.+}}) {
  // CHECK-NEXT: ^bb0(%{{.+}}: memref<8xf32>, %{{.+}}: memref<8xf32>):
  // CHECK: } : (tensor<8xf32>) -> tensor<8xf32>
  %r = te.extern "copy" (%a) {
  ^bb0(%in: memref<8xf32>, %out: memref<8xf32>):
    memref.copy %in, %out : memref<8xf32> to memref<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
