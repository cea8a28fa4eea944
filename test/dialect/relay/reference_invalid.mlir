// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @create(%x: tensor<f32>) {
  // expected-error@+1 {{'relay.ref_create' op gives !relay.ref<tensor<i32>>, expected !relay.ref<tensor<f32>> (C1)}}
  %r = relay.ref_create %x : (tensor<f32>) -> !relay.ref<tensor<i32>>
  return
}

// -----

func.func @read(%x: tensor<f32>) {
  // expected-error@+1 {{'relay.ref_read' op reads tensor<f32>, expected !relay.ref<tensor<f32>> (C1)}}
  %r = relay.ref_read %x : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @write(%r: !relay.ref<tensor<f32>>, %x: tensor<i32>) {
  // expected-error@+1 {{'relay.ref_write' op writes to !relay.ref<tensor<f32>>, expected !relay.ref<tensor<i32>> (C1)}}
  %u = relay.ref_write %r, %x : (!relay.ref<tensor<f32>>, tensor<i32>) -> tuple<>
  return
}

// -----

func.func @unit(%r: !relay.ref<tensor<f32>>, %x: tensor<f32>) {
  // expected-error@+1 {{'relay.ref_write' op gives tensor<f32>, expected tuple<> (C2)}}
  %u = relay.ref_write %r, %x : (!relay.ref<tensor<f32>>, tensor<f32>) -> tensor<f32>
  return
}
