// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @places(
func.func @places(%x: tensor<5x6x7xf32>, %i: tensor<2x1xi64>, %j: tensor<3xi64>, %v: tensor<2x6x7xf32>, %l: tensor<1xi32>) {
  // CHECK: relay.adv_index {{.*}} -> tensor<2x3x7xf32>
  %0 = relay.adv_index %x, %i, %j : (tensor<5x6x7xf32>, tensor<2x1xi64>, tensor<3xi64>) -> tensor<2x3x7xf32>
  // CHECK: relay.strided_set {{.*}} -> tensor<5x6x7xf32>
  %1 = relay.strided_set %x, %v, %l, %l, %l : (tensor<5x6x7xf32>, tensor<2x6x7xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5x6x7xf32>
  // CHECK: relay.contrib_reverse_reshape {{.*}} -> tensor<30x7xf32>
  %2 = relay.contrib_reverse_reshape %x {newshape = array<i64: -1, 0>} : (tensor<5x6x7xf32>) -> tensor<30x7xf32>
  // CHECK: relay.argwhere {{.*}} -> tensor<?x3xi32>
  %3 = relay.argwhere %x : (tensor<5x6x7xf32>) -> tensor<?x3xi32>
  return
}

// CHECK-LABEL: func.func @lists(
func.func @lists(%x: tensor<9xf32>, %i: tensor<5x3xi64>, %b: tensor<3xi64>, %a: tensor<2xi64>) {
  // CHECK: relay.unique %{{.*}} : {{.*}} -> (tensor<9xf32>, tensor<9xi32>, tensor<9xi32>, tensor<1xi32>)
  %0:4 = relay.unique %x : (tensor<9xf32>) -> (tensor<9xf32>, tensor<9xi32>, tensor<9xi32>, tensor<1xi32>)
  // CHECK: relay.unique {{.*}}return_counts = true
  %1:5 = relay.unique %x {return_counts = true} : (tensor<9xf32>) -> (tensor<9xf32>, tensor<9xi32>, tensor<9xi32>, tensor<1xi32>, tensor<9xi32>)
  // CHECK: relay.sparse_reshape {{.*}} -> (tensor<5x2xi64>, tensor<2xi64>)
  %2:2 = relay.sparse_reshape %i, %b, %a : (tensor<5x3xi64>, tensor<3xi64>, tensor<2xi64>) -> (tensor<5x2xi64>, tensor<2xi64>)
  return
}

// CHECK-LABEL: func.func @rows(
func.func @rows(%i: tensor<5x3xi64>, %v: tensor<5xf32>, %s: tensor<3xi64>, %d: tensor<f32>) {
  // CHECK: relay.sparse_fill_empty_rows {{.*}} -> (tensor<?x3xi64>, tensor<?xf32>, tensor<?xi64>)
  %0:3 = relay.sparse_fill_empty_rows %i, %v, %s, %d : (tensor<5x3xi64>, tensor<5xf32>, tensor<3xi64>, tensor<f32>) -> (tensor<?x3xi64>, tensor<?xf32>, tensor<?xi64>)
  return
}
