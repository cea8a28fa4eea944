// RUN: relay-opt %s --aot-lower-main --split-input-file | FileCheck %s

func.func private @double(%a: memref<4xf32>, %b: memref<4xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  return
}

// Callers get buffers: a result that is returned is computed in place.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[A:.+]]: memref<4xf32> {relay.name = "a"}, %[[OUT:.+]]: memref<4xf32> {relay.name = "out"}) attributes {relay.num_inputs = 1 : i64}
func.func @main(%a: tensor<4xf32> {relay.name = "a"}) -> (tensor<4xf32> {relay.name = "out"}) {
  // CHECK: %[[T:.+]] = tir.alloc_buffer : memref<4xf32
  // CHECK: call @double(%[[A]], %[[T]])
  // CHECK: call @double(%[[T]], %[[OUT]])
  %0 = relay.call_lowered @double(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.call_lowered @double(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// An external kernel takes buffers as our own do: those of its inputs, then those of its results.
// CHECK: func.func private @from_outside(memref<4xf32>, memref<4xf32>, memref<f32>) attributes {tir.kernel = #tir.kernel<external>}
func.func private @from_outside(tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) attributes {tir.kernel = #tir.kernel<external>}
// CHECK-LABEL: func.func @external
// CHECK-SAME: (%[[A:.+]]: memref<4xf32>, %[[B:.+]]: memref<4xf32>, %[[C:.+]]: memref<f32>)
func.func @external(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
  // CHECK: call @from_outside(%[[A]], %[[B]], %[[C]])
  %0:2 = call @from_outside(%a) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<f32>
}

// What is returned as it came, or twice, is copied.
// CHECK-LABEL: func.func @copies
// CHECK-SAME: (%[[A:.+]]: memref<4xf32>, %[[B:.+]]: memref<4xf32>, %[[C:.+]]: memref<4xf32>, %[[D:.+]]: memref<4xf32>)
func.func @copies(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[T:.+]] = tir.alloc_buffer
  // CHECK: call @double(%[[A]], %[[T]])
  // CHECK-DAG: memref.copy %[[A]], %[[B]]
  // CHECK-DAG: memref.copy %[[T]], %[[C]]
  // CHECK-DAG: memref.copy %[[T]], %[[D]]
  %0 = relay.call_lowered @double(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %a, %0, %0 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Fields of tuples are the buffers that went into them.
// CHECK-LABEL: func.func @tuples
// CHECK-SAME: (%[[A:.+]]: memref<4xf32>, %[[B:.+]]: memref<4xf32>, %[[OUT:.+]]: memref<4xf32>)
func.func @tuples(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NOT: relay.tuple
  // CHECK: call @double(%[[B]], %[[OUT]])
  %0 = relay.tuple %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tuple<tensor<4xf32>, tensor<4xf32>>
  %1 = relay.tuple_get %0 {index = 1 : i64} : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>
  %2 = relay.call_lowered @double(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Both branches fill the same buffer.
// CHECK-LABEL: func.func @branches
// CHECK-SAME: (%[[IS:.+]]: memref<i1>, %[[A:.+]]: memref<4xf32>, %[[OUT:.+]]: memref<4xf32>)
func.func @branches(%is: tensor<i1>, %a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[FLAG:.+]] = memref.load %[[IS]][] : memref<i1>
  // CHECK: scf.if %[[FLAG]] {
  // CHECK: %[[T:.+]] = tir.alloc_buffer
  // CHECK: call @double(%[[A]], %[[T]])
  // CHECK: memref.copy %[[T]], %[[OUT]]
  // CHECK: } else {
  // CHECK: memref.copy %[[A]], %[[OUT]]
  %0 = relay.if %is : (tensor<i1>) -> tensor<4xf32> {
    %1 = relay.call_lowered @double(%a) : (tensor<4xf32>) -> tensor<4xf32>
    relay.yield %1 : tensor<4xf32>
  } else {
    relay.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// Reshapes are views.
// CHECK-NOT: @flat
func.func private @flat(%a: tensor<4xf32>) -> tensor<2x2xf32> attributes {relay.primitive, tir.kernel = #tir.kernel<view>} {
  %0 = relay.reshape %a {newshape = array<i64: 2, 2>} : (tensor<4xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// CHECK-LABEL: func.func @views
// CHECK: memref.reinterpret_cast %{{.+}} to offset: [0], sizes: [2, 2], strides: [2, 1]
func.func @views(%a: tensor<4xf32>) -> tensor<2x2xf32> {
  %0 = call @flat(%a) : (tensor<4xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// Nothing to lower: scalars stay as they are.
// CHECK-LABEL: func.func @scalar
// CHECK-SAME: (%{{.+}}: f32) -> f32
func.func @scalar(%a: f32) -> f32 {
  return %a : f32
}

// And so does what has no body.
// CHECK-LABEL: func.func private @declared(tensor<4xf32>)
func.func private @declared(tensor<4xf32>)

// -----

// An entry over buffers: what it writes itself, in a view or by a function that it calls, are its outputs.
func.func private @fill(%x: memref<4xf32>, %y: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %a = memref.load %x[%zero] : memref<4xf32>
  memref.store %a, %y[%zero] : memref<4xf32>
  return
}
// CHECK-LABEL: func.func @main
// CHECK-SAME: attributes {relay.num_inputs = 2 : i64}
func.func @main(%x: memref<4xf32>, %z: memref<4xf32>, %y: memref<4xf32>, %v: memref<2x2xf32>, %w: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  call @fill(%x, %y) : (memref<4xf32>, memref<4xf32>) -> ()
  %flat = memref.collapse_shape %v [[0, 1]] : memref<2x2xf32> into memref<4xf32>
  memref.store %one, %flat[%zero] : memref<4xf32>
  memref.copy %z, %w : memref<4xf32> to memref<4xf32>
  return
}

// -----

// Functions that call each other do not keep the pass from ending.
func.func private @circle(%x: memref<4xf32>) {
  call @circle(%x) : (memref<4xf32>) -> ()
  return
}
// CHECK-LABEL: func.func @main
// CHECK-SAME: attributes {relay.num_inputs = 1 : i64}
func.func @main(%x: memref<4xf32>) {
  call @circle(%x) : (memref<4xf32>) -> ()
  return
}

// -----

// What says how many inputs there are is believed.
// CHECK-LABEL: func.func @main
// CHECK-SAME: attributes {relay.num_inputs = 1 : i64}
func.func @main(%x: memref<4xf32>, %y: memref<4xf32>) attributes {relay.num_inputs = 1 : i64} {
  return
}
