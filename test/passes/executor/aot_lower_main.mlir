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
// CHECK: func.func private @from_outside(memref<4xf32>, memref<4xf32>, memref<f32>) attributes {relay.num_inputs = 1 : i64, tir.kernel = #tir.kernel<external>}
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

// A loop carries buffers. The output has the states: a step computes its state there, and the next one reads it there. The other
// state has two places in turns, and its first one is only read.
func.func private @cell(%x: memref<4xf32>, %h: memref<4xf32>, %c: memref<4xf32>, %hn: memref<4xf32>, %cn: memref<4xf32>)
    attributes {tir.kernel = #tir.kernel<generated>} {
  return
}
// CHECK-LABEL: func.func @steps
// CHECK-SAME: (%[[H:.+]]: memref<4xf32>, %[[C:.+]]: memref<4xf32>, %[[XS:.+]]: memref<3x4xf32>, %[[HS:.+]]: memref<3x4xf32>, %[[LAST:.+]]: memref<4xf32>)
func.func @steps(%h: tensor<4xf32>, %c: tensor<4xf32>, %xs: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<4xf32>) {
  // CHECK: %[[A:.+]] = tir.alloc_buffer : memref<4xf32>
  // CHECK: %[[B:.+]] = tir.alloc_buffer : memref<4xf32>
  // CHECK: %[[R:.+]]:4 = scf.for %[[I:.+]] = %{{.+}} to %{{.+}} step %{{.+}} iter_args(%[[H0:.+]] = %[[H]], %[[C0:.+]] = %[[C]], %[[C1:.+]] = %[[A]], %[[C2:.+]] = %[[B]])
  // CHECK: %[[LASTX:.+]] = memref.reinterpret_cast %[[XS]] to offset: [0], sizes: [], strides: []
  // CHECK: builtin.unrealized_conversion_cast %[[LASTX]] : memref<f32> to memref<i8>
  // CHECK: %[[X:.+]] = memref.view %{{.+}}[%{{.+}}][] : memref<1xi8> to memref<4xf32>
  // CHECK: memref.reinterpret_cast %[[HS]]
  // CHECK: %[[NEXT:.+]] = memref.view
  // CHECK: call @cell(%[[X]], %[[H0]], %[[C0]], %[[NEXT]], %[[C1]])
  // CHECK: scf.yield %[[NEXT]], %[[C1]], %[[C2]], %[[C1]]
  // CHECK: memref.copy %[[R]]#1, %[[LAST]]
  %r:3 = relay.scan %h, %c, %xs {states = 2 : i64, trips = [3], reversed = array<i64: 1, 1>}
      : (tensor<4xf32>, tensor<4xf32>, tensor<3x4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<3x4xf32>) {
  ^bb0(%step: tensor<i64>, %h0: tensor<4xf32>, %c0: tensor<4xf32>, %x: tensor<4xf32>):
    %n:2 = relay.call_lowered @cell(%x, %h0, %c0) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    relay.yield %n#0, %n#1, %n#0 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %r#2, %r#1 : tensor<3x4xf32>, tensor<4xf32>
}

// States that change places are copied: the place of one is written while the other is read.
// CHECK-LABEL: func.func @swapped
func.func @swapped(%a: tensor<4xf32>, %b: tensor<4xf32>, %n: tensor<i64>, %go: tensor<i1>) -> tensor<4xf32> {
  // CHECK: scf.while ({{.*}}) : (index, i1, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>)
  // CHECK: scf.condition
  // CHECK: ^bb0(%{{.+}}: index, %{{.+}}: i1, %[[A0:.+]]: memref<4xf32>, %[[A1:.+]]: memref<4xf32>, %{{.+}}: memref<4xf32>, %[[B0:.+]]: memref<4xf32>, %[[B1:.+]]: memref<4xf32>, %{{.+}}: memref<4xf32>):
  // CHECK: call @double(%[[B0]], %[[A1]])
  // CHECK: memref.copy %[[A0]], %[[B1]]
  %r:2 = relay.while %n, %go, %a, %b : (tensor<i64>, tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%step: tensor<i64>, %x: tensor<4xf32>, %y: tensor<4xf32>):
    %0 = relay.call_lowered @double(%y) : (tensor<4xf32>) -> tensor<4xf32>
    relay.yield %go, %0, %x : tensor<i1>, tensor<4xf32>, tensor<4xf32>
  }
  return %r#0 : tensor<4xf32>
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

// A graph computes the value of a symbol: a call checks it, and later kernels take it. The output has no memory before.
// CHECK-LABEL: func.func @computed
// CHECK-SAME: (%[[X:.*]]: memref<6xf32>, %{{.*}}: memref<?xf32> {relay.dims = ["k"]})
// CHECK: call @count(%[[X]], %[[COUNT:[^ )]+]])
// CHECK: %[[NUMBER:.*]] = memref.load %[[COUNT]][]
// CHECK: %[[K:.*]] = call @relay_rt_define_0(%[[NUMBER]], %{{.*}}, %{{.*}}) {relay.defines = "k"} : (i64, i64, i64) -> index
// CHECK: %[[MEMORY:.*]] = call @relay_rt_output_0() : () -> memref<f32>
// CHECK: %[[Y:.*]] = memref.reinterpret_cast %[[MEMORY]] to offset: [0], sizes: [%[[K]]], strides: [1]
// CHECK: call @first(%[[X]], %[[Y]], %[[K]])
func.func @computed(%x: tensor<6xf32>) -> tensor<?xf32, ["k"]> {
  %count = relay.call_lowered @count(%x) : (tensor<6xf32>) -> tensor<i64>
  relay.dim_of %count {symbol = "k", most = 6 : i64} : (tensor<i64>) -> ()
  %y = relay.call_lowered @first(%x) : (tensor<6xf32>) -> tensor<?xf32, ["k"]>
  return %y : tensor<?xf32, ["k"]>
}
func.func private @count(%x: memref<6xf32>, %y: memref<i64>) attributes {tir.kernel = #tir.kernel<generated>} {
  return
}
func.func private @first(%x: memref<6xf32>, %y: memref<?xf32> {relay.dims = ["k"]}, %k: index)
    attributes {tir.kernel = #tir.kernel<generated>, tir.symbols = ["k"]} {
  return
}
// CHECK: func.func private @relay_rt_define_0(i64, i64, i64) -> index attributes {relay.defined_by = "{{.*}}", relay.defines = "k"}

// -----

// A step computes the value of a symbol. Behind the loop, and before a step that a condition lets run, the graph asks whether that went
// well.
// CHECK-LABEL: func.func @in_steps
// CHECK: scf.for
// CHECK:   %[[K:.*]] = func.call @relay_rt_define_0(%{{.*}}) {relay.defines = "k"}
// CHECK:   %[[PLACE:.*]] = tir.alloc_buffer {dims = ["k"]} : memref<?xf32>
// CHECK:   func.call @first(%{{.*}}, %[[PLACE]], %[[K]])
// CHECK:   scf.yield
// CHECK: call @relay_rt_go_on_0() {relay.checks} : () -> index
// CHECK: scf.while
// CHECK: } do {
// CHECK:   func.call @relay_rt_define_1(%{{.*}}) {relay.defines = "m"}
// CHECK:   %[[AGAIN:.*]] = memref.load
// CHECK:   %[[ANSWER:.*]] = func.call @relay_rt_go_on_0() : () -> index
// CHECK:   %[[GOES_ON:.*]] = arith.cmpi sge, %[[ANSWER]], %{{.*}} : index
// CHECK:   arith.andi %[[AGAIN]], %[[GOES_ON]] : i1
// CHECK: call @relay_rt_go_on_0() {relay.checks} : () -> index
func.func @in_steps(%x: tensor<6xf32>, %n: tensor<i64>, %c: tensor<i1>) -> (tensor<6xf32>, tensor<6xf32>) {
  %0 = relay.scan %x {states = 1 : i64, trips = ["3"], reversed = array<i64>} : (tensor<6xf32>) -> tensor<6xf32> {
  ^bb0(%step: tensor<i64>, %before: tensor<6xf32>):
    relay.dim_of %step {symbol = "k", most = 6 : i64} : (tensor<i64>) -> ()
    %1 = relay.call_lowered @first(%before) : (tensor<6xf32>) -> tensor<?xf32, ["k"]>
    %2 = relay.call_lowered @again(%1) : (tensor<?xf32, ["k"]>) -> tensor<6xf32>
    relay.yield %2 : tensor<6xf32>
  }
  %3 = relay.while %n, %c, %x : (tensor<i64>, tensor<i1>, tensor<6xf32>) -> tensor<6xf32> {
  ^bb0(%step: tensor<i64>, %before: tensor<6xf32>):
    relay.dim_of %step {symbol = "m", most = 6 : i64} : (tensor<i64>) -> ()
    relay.yield %c, %before : tensor<i1>, tensor<6xf32>
  }
  return %0, %3 : tensor<6xf32>, tensor<6xf32>
}
func.func private @first(%x: memref<6xf32>, %y: memref<?xf32> {relay.dims = ["k"]}, %k: index)
    attributes {tir.kernel = #tir.kernel<generated>, tir.symbols = ["k"]} {
  return
}
func.func private @again(%x: memref<?xf32> {relay.dims = ["k"]}, %y: memref<6xf32>, %k: index)
    attributes {tir.kernel = #tir.kernel<generated>, tir.symbols = ["k"]} {
  return
}
