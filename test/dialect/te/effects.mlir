// Upstream's cse and canonicalize leave the primitives of a schedule alone.
// RUN: relay-opt %s --cse --canonicalize | FileCheck %s

// Primitives stay, equal ones too, and handles that nobody uses: lower-te says what is wrong with one.
// CHECK-LABEL: func.func @schedule
func.func @schedule(%a: tensor<32x48xf32>) -> tensor<32x48xf32> {
  // CHECK: te.compute "b" {{.*}} {
  // CHECK-NOT: te.compute "unused"
  %b = te.compute "b" (%i: 32, %j: 48) {
    %x = tensor.extract %a[%i, %j] : tensor<32x48xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<32x48xf32>
  %unused = te.compute "unused" (%i: 32, %j: 48) {
    %x = tensor.extract %a[%i, %j] : tensor<32x48xf32>
    te.yield %x : f32
  } : tensor<32x48xf32>
  %c = te.compute "c" (%i: 32, %j: 48) {
    %x = tensor.extract %b[%i, %j] : tensor<32x48xf32>
    %y = arith.mulf %x, %x : f32
    te.yield %y : f32
  } : tensor<32x48xf32>
  // CHECK: te.schedule {
  // CHECK-NEXT: %[[S:.+]] = te.stage %c
  // CHECK-NEXT: %[[T:.+]] = te.stage %c
  // CHECK-NEXT: te.stage %b
  // CHECK-NEXT: %[[I:.+]], %[[J:.+]] = te.axes %[[S]]
  // CHECK-NEXT: te.split %[[J]] {factor = 4 : i64}
  // CHECK-NEXT: %[[LOCAL:.+]] = te.cache_write %[[T]] in local
  // CHECK-NEXT: te.axes %[[S]]
  // CHECK-NEXT: te.parallel
  // CHECK-NEXT: te.parallel
  // CHECK-NEXT: }
  te.schedule {
    %s = te.stage %c : tensor<32x48xf32>
    %t = te.stage %c : tensor<32x48xf32>
    %u = te.stage %b : tensor<32x48xf32>
    %i, %j = te.axes %s
    %outer, %inner = te.split %j {factor = 4 : i64}
    %local = te.cache_write %t in local
    %i2, %j2 = te.axes %s
    te.parallel %i2
    te.parallel %i2
  }
  return %c : tensor<32x48xf32>
}

// Two equal computes are one.
// CHECK-LABEL: func.func @twice
// CHECK-COUNT-1: te.compute
// CHECK-NOT: te.compute
// CHECK: return
func.func @twice(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %b = te.compute "b" (%i: 4) {
    %x = tensor.extract %a[%i] : tensor<4xf32>
    te.yield %x : f32
  } : tensor<4xf32>
  %c = te.compute "b" (%i: 4) {
    %x = tensor.extract %a[%i] : tensor<4xf32>
    te.yield %x : f32
  } : tensor<4xf32>
  return %b, %c : tensor<4xf32>, tensor<4xf32>
}

// One whose expression has an effect is not dropped.
// CHECK-LABEL: func.func @effect
// CHECK: te.compute "printed"
func.func @effect(%a: tensor<4xf32>) {
  %b = te.compute "printed" (%i: 4) {
    %x = func.call @print(%i) : (index) -> f32
    te.yield %x : f32
  } : tensor<4xf32>
  return
}
func.func private @print(index) -> f32
