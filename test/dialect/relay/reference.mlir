// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @counter
func.func @counter(%x: tensor<f32>) -> tensor<f32> {
  // CHECK: %[[R:.+]] = relay.ref_create %{{.+}} : (tensor<f32>) -> !relay.ref<tensor<f32>>
  %r = relay.ref_create %x : (tensor<f32>) -> !relay.ref<tensor<f32>>
  // CHECK: %[[V:.+]] = relay.ref_read %[[R]] : (!relay.ref<tensor<f32>>) -> tensor<f32>
  %v = relay.ref_read %r : (!relay.ref<tensor<f32>>) -> tensor<f32>
  // CHECK: relay.ref_write %[[R]], %[[V]] : (!relay.ref<tensor<f32>>, tensor<f32>) -> tuple<>
  %u = relay.ref_write %r, %v : (!relay.ref<tensor<f32>>, tensor<f32>) -> tuple<>
  return %v : tensor<f32>
}
