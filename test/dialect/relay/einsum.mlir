// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @einsum(
func.func @einsum(%a: tensor<2x3x4xf32>, %b: tensor<4x5xf32>, %s: tensor<4x4xf32>) {
  // CHECK: relay.einsum %{{.*}}, %{{.*}} {equation = "bij,jk->bik"}
  %0 = relay.einsum %a, %b {equation = "bij,jk->bik"} : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: relay.einsum {{.*}} -> tensor<2x3x5xf32>
  %1 = relay.einsum %a, %b {equation = "...j,jk->...k"} : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  // CHECK: relay.einsum {{.*}} -> tensor<4xf32>
  %2 = relay.einsum %s {equation = "ii->i"} : (tensor<4x4xf32>) -> tensor<4xf32>
  return
}
