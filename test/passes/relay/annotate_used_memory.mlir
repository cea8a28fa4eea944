// RUN: relay-opt --annotate-used-memory -split-input-file -verify-diagnostics %s | FileCheck %s

// In use is what is read later, and the result: x, y and a; a, y and b; b and c. Each tensor has 64 bytes.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: relay.io_used_memory = 192 : i64
// CHECK: func.func private @one({{.*}}relay.used_memory = array<i64: 192, 128>
// CHECK: func.func private @two({{.*}}relay.used_memory = array<i64: 192>
func.func @chain(%x: tensor<16xf32>, %y: tensor<16xf32>) -> tensor<16xf32> {
  %a = call @one(%x) : (tensor<16xf32>) -> tensor<16xf32>
  %b = call @two(%a, %y) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %c = call @one(%b) : (tensor<16xf32>) -> tensor<16xf32>
  return %c : tensor<16xf32>
}
func.func private @one(%x: tensor<16xf32>) -> tensor<16xf32> attributes {relay.primitive} {
  %0 = relay.abs %x : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
func.func private @two(%x: tensor<16xf32>, %y: tensor<16xf32>) -> tensor<16xf32> attributes {relay.primitive} {
  %0 = relay.add %x, %y : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// Constants do not count, a view is what it shows, and a result that nobody reads takes no part: x and a, of 64 bytes each; then
// a alone, for b is read by nobody.
// CHECK-LABEL: func.func @views
// CHECK-SAME: relay.io_used_memory = 128 : i64
// CHECK: func.func private @one({{.*}}relay.used_memory = array<i64: 128>
// CHECK: func.func private @view({{.*}}relay.used_memory = array<i64: 64>
// CHECK: func.func private @other({{.*}}relay.used_memory = array<i64: 64>
func.func @views(%x: tensor<16xf32>) -> tensor<4x4xf32> {
  %k = relay.constant dense<1.0> : tensor<16xf32>
  %a = call @one(%x, %k) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %v = call @view(%a) : (tensor<16xf32>) -> tensor<4x4xf32>
  %b = call @other(%v) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %v : tensor<4x4xf32>
}
func.func private @one(%x: tensor<16xf32>, %y: tensor<16xf32>) -> tensor<16xf32> attributes {relay.primitive} {
  %0 = relay.add %x, %y : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
func.func private @view(%x: tensor<16xf32>) -> tensor<4x4xf32> attributes {relay.primitive, tir.kernel = #tir.kernel<view>} {
  %0 = relay.reshape %x {newshape = array<i64: 4, 4>} : (tensor<16xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func private @other(%x: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {relay.primitive} {
  %0 = relay.abs %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// Of two branches one runs: the first one reads x, the other one y, and z of 32 bytes is read behind both. A tuple has the bytes
// of its fields.
// CHECK-LABEL: func.func @branches
// CHECK-SAME: relay.io_used_memory = 257 : i64
// CHECK: func.func private @one({{.*}}relay.used_memory = array<i64: 160, 160>
func.func @branches(%c: tensor<i1>, %x: tensor<16xf32>, %y: tensor<16xf32>, %z: tensor<8xf32>) -> tuple<tensor<16xf32>, tensor<8xf32>> {
  %0 = relay.if %c : (tensor<i1>) -> tensor<16xf32> {
    %1 = func.call @one(%x) : (tensor<16xf32>) -> tensor<16xf32>
    relay.yield %1 : tensor<16xf32>
  } else {
    %1 = func.call @one(%y) : (tensor<16xf32>) -> tensor<16xf32>
    relay.yield %1 : tensor<16xf32>
  }
  %2 = relay.tuple %0, %z : (tensor<16xf32>, tensor<8xf32>) -> tuple<tensor<16xf32>, tensor<8xf32>>
  return %2 : tuple<tensor<16xf32>, tensor<8xf32>>
}
func.func private @one(%x: tensor<16xf32>) -> tensor<16xf32> attributes {relay.primitive} {
  %0 = relay.abs %x : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// Without functions of operators there is nothing to say of them.
// CHECK-LABEL: func.func @plain
// CHECK-SAME: relay.io_used_memory = 32 : i64
// CHECK-NEXT: relay.reshape
func.func @plain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.reshape %x {newshape = array<i64: 4>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+1 {{has to do with a value of tensor<?xf32>, of which nobody knows the bytes}}
func.func @open(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
