// RUN: %roundtrip | FileCheck %s
// RUN: relay-opt %s --infer-type | FileCheck %s --check-prefix=INFER

// CHECK-LABEL: func.func @stack
func.func @stack(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x2x3xf32> {
  // CHECK: relay.stack %{{.+}}, %{{.+}} -> tensor<2x2x3xf32>
  %0 = relay.stack %x, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2x3xf32>
  return %0 : tensor<2x2x3xf32>
}

// The new axis counts in the result.
// CHECK-LABEL: func.func @stack_last
func.func @stack_last(%x: tensor<2x?xf32>, %y: tensor<2x?xf32>) -> tensor<2x?x2xf32> {
  // CHECK: relay.stack {{.*}}axis = -1{{.*}} -> tensor<2x?x2xf32>
  %0 = relay.stack %x, %y {axis = -1 : i64} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?x2xf32>
  return %0 : tensor<2x?x2xf32>
}

// CHECK-LABEL: func.func @gather
func.func @gather(%x: tensor<?x3xf32>, %i: tensor<2x5xi32>) -> tensor<2x5xf32> {
  // CHECK: relay.gather {{.*}}axis = 1{{.*}} -> tensor<2x5xf32>
  %0 = relay.gather %x, %i {axis = 1 : i64} : (tensor<?x3xf32>, tensor<2x5xi32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// CHECK-LABEL: func.func @fill
func.func @fill(%x: tensor<?x3xi64>, %f: tensor<f32>) -> tensor<?x3xi64> {
  // CHECK: relay.full {{.*}}dtype = i8{{.*}} -> tensor<2x0xi8>
  %0 = relay.full %f {shape = array<i64: 2, 0>, dtype = i8} : (tensor<f32>) -> tensor<2x0xi8>
  // CHECK: relay.full {{.*}} -> tensor<f32>
  %1 = relay.full %f {shape = array<i64>} : (tensor<f32>) -> tensor<f32>
  // CHECK: relay.zeros {{.*}} -> tensor<4xf64>
  %2 = relay.zeros {shape = array<i64: 4>, dtype = f64} : () -> tensor<4xf64>
  // CHECK: relay.ones {{.*}} -> tensor<4xi1>
  %3 = relay.ones {shape = array<i64: 4>, dtype = i1} : () -> tensor<4xi1>
  // CHECK: relay.zeros_like {{.*}} -> tensor<?x3xi64>
  %4 = relay.zeros_like %x : (tensor<?x3xi64>) -> tensor<?x3xi64>
  // CHECK: relay.ones_like {{.*}} -> tensor<?x3xi64>
  %5 = relay.ones_like %4 : (tensor<?x3xi64>) -> tensor<?x3xi64>
  // CHECK: relay.full_like {{.*}} -> tensor<?x3xi64>
  %6 = relay.full_like %5, %1 : (tensor<?x3xi64>, tensor<f32>) -> tensor<?x3xi64>
  // CHECK: relay.iota {axis = 1 : i64, dtype = f32, shape = ["n", 3]} : () -> tensor<?x3xf32, ["n"]>
  %7 = relay.iota {shape = ["n", 3], axis = 1 : i64, dtype = f32} : () -> tensor<?x3xf32, ["n"]>
  return %6 : tensor<?x3xi64>
}

// INFER-LABEL: func.func @infer
// INFER-SAME: -> tensor<2x2xf64>
func.func @infer() -> !relay.incomplete {
  // INFER: relay.zeros {{.*}} -> tensor<2xf64>
  %0 = relay.zeros {shape = array<i64: 2>, dtype = f64} : () -> !relay.incomplete
  // INFER: relay.stack {{.*}} -> tensor<2x2xf64>
  %1 = relay.stack %0, %0 : (!relay.incomplete, !relay.incomplete) -> !relay.incomplete
  return %1 : !relay.incomplete
}

// CHECK-LABEL: func.func @arange
func.func @arange(%x: tensor<f32>) {
  // CHECK: relay.arange {{.*}} -> tensor<5xf32>
  %0 = relay.arange %x, %x {count = array<i64: 5>} : (tensor<f32>, tensor<f32>) -> tensor<5xf32>
  // CHECK: relay.arange {{.*}} -> tensor<?xf32, ["k"]>
  %1 = relay.arange %x, %x {count = ["k"]} : (tensor<f32>, tensor<f32>) -> tensor<?xf32, ["k"]>
  return
}
