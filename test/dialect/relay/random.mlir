// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @random(
func.func @random(%k: tensor<10xui64>, %l: tensor<f32>, %h: tensor<f32>, %p: tensor<2x6xf32>) {
  // CHECK: relay.random.threefry_generate {{.*}} -> (tensor<10xui64>, tensor<3x4xui64>)
  %0:2 = relay.random.threefry_generate %k {out_shape = array<i64: 3, 4>} : (tensor<10xui64>) -> (tensor<10xui64>, tensor<3x4xui64>)
  // CHECK: relay.random.threefry_split
  %1:2 = relay.random.threefry_split %k : (tensor<10xui64>) -> (tensor<10xui64>, tensor<10xui64>)
  // CHECK: relay.random.uniform {{.*}} -> (tensor<10xui64>, tensor<5xf32>)
  %2:2 = relay.random.uniform %k, %l, %h {out_shape = array<i64: 5>, out_dtype = f32} : (tensor<10xui64>, tensor<f32>, tensor<f32>) -> (tensor<10xui64>, tensor<5xf32>)
  // CHECK: relay.random.normal {{.*}} -> (tensor<10xui64>, tensor<5xf32>)
  %3:2 = relay.random.normal %k, %l, %h {out_shape = array<i64: 5>, out_dtype = f32} : (tensor<10xui64>, tensor<f32>, tensor<f32>) -> (tensor<10xui64>, tensor<5xf32>)
  // CHECK: relay.random.multinomial {{.*}} -> (tensor<10xui64>, tensor<2x8xi32>)
  %4:2 = relay.random.multinomial %k, %p {num_samples = 8 : i64} : (tensor<10xui64>, tensor<2x6xf32>) -> (tensor<10xui64>, tensor<2x8xi32>)
  return
}
