// Devices over the whole language: branches, data types, references, recursion, functions of the module.
// RUN: relay-opt %s --plan-devices=cuda --split-input-file > %t.mlir
// RUN: FileCheck %s --input-file %t.mlir
// RUN: relay-opt %t.mlir --plan-devices=cuda --split-input-file | diff %t.mlir -

// A long chain of operators is no deep recursion.
// RUN: %python -c "t = 'tensor<4xf32>'; n = 20000; print(f'func.func @deep(%v0: {t}, %v1: {t}) -> {t} {{'); [print(f'%v{i} = relay.add %v{i-1}, %v{i-2} : ({t}, {t}) -> {t}') for i in range(2, n)]; print(f'return %v{n-1} : {t} }}')" > %t.deep.mlir
// RUN: relay-opt %t.deep.mlir --plan-devices=cuda | FileCheck %s --check-prefix=DEEP
// DEEP: func.func @deep(%arg0: tensor<4xf32> {relay.virtual_device = "cuda:0"}

// CHECK-LABEL: func.func @propagation(
// CHECK-SAME: %arg0: tensor<4xf32> {relay.virtual_device = "cpu:0"}) -> tensor<4xf32> attributes {relay.virtual_device = "cpu:0"}
// CHECK-NEXT: %[[X:.+]] = relay.negative %arg0
// CHECK-NEXT: relay.on_device %[[X]] {constrain_result = true, virtual_device = "cpu:0"}
// CHECK-NEXT: %[[A:.+]] = relay.device_copy %{{.+}} {dst_virtual_device = "cuda:0", src_virtual_device = "cpu:0"}
// CHECK-NEXT: %[[NA:.+]] = relay.negative %[[A]]
// CHECK-NEXT: relay.on_device %[[X]]
// CHECK-NEXT: %[[B:.+]] = relay.device_copy
// CHECK-NEXT: %[[NB:.+]] = relay.negative %[[B]]
// CHECK-NEXT: %[[ADD:.+]] = relay.add %[[NA]], %[[NB]]
// CHECK-NEXT: %[[ON:.+]] = relay.on_device %[[ADD]] {constrain_result = true, virtual_device = "cuda:0"}
// CHECK-NEXT: %[[BACK:.+]] = relay.device_copy %[[ON]] {dst_virtual_device = "cpu:0", src_virtual_device = "cuda:0"}
// CHECK-NEXT: relay.negative %[[BACK]]
func.func @propagation(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.negative %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.on_device %0 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.negative %1 : (tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.on_device %0 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = relay.negative %3 : (tensor<4xf32>) -> tensor<4xf32>
  %5 = relay.on_device %2 {virtual_device = "cuda:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %6 = relay.on_device %4 {virtual_device = "cuda:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %7 = relay.add %5, %6 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = relay.on_device %7 {virtual_device = "cuda:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %9 = relay.negative %8 : (tensor<4xf32>) -> tensor<4xf32>
  %10 = relay.on_device %9 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  return %10 : tensor<4xf32>
}

// CHECK-LABEL: func.func @fusible_network(
// CHECK-COUNT-2: relay.virtual_device = "cuda:0"
// CHECK-SAME: attributes {relay.virtual_device = "cpu:0"}
// CHECK: %[[ADD:.+]] = relay.add %arg0, %arg1
// CHECK: %[[DOWN:.+]] = relay.device_copy %{{.+}} {dst_virtual_device = "cpu:0", src_virtual_device = "cuda:0"}
// CHECK-NEXT: %[[A:.+]] = relay.negative %[[DOWN]]
// CHECK-NEXT: %[[B:.+]] = relay.negative %[[ADD]]
// CHECK-NEXT: relay.on_device %[[A]] {constrain_result = true, virtual_device = "cpu:0"}
// CHECK-NEXT: %[[UP:.+]] = relay.device_copy %{{.+}} {dst_virtual_device = "cuda:0", src_virtual_device = "cpu:0"}
// CHECK-NEXT: relay.add %[[UP]], %[[B]]
// CHECK: relay.device_copy
// CHECK-NEXT: relay.negative
func.func @fusible_network(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.on_device %0 {virtual_device = "cuda:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.negative %1 : (tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.on_device %2 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = relay.negative %0 : (tensor<4xf32>) -> tensor<4xf32>
  %5 = relay.add %3, %4 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %6 = relay.on_device %5 {virtual_device = "cuda:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %7 = relay.negative %6 : (tensor<4xf32>) -> tensor<4xf32>
  %8 = relay.on_device %7 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  return %8 : tensor<4xf32>
}

// CHECK-LABEL: func.func @unpropagatable_graph(
// CHECK-SAME: %arg1: tensor<4xf32> {relay.virtual_device = "cpu:0"}, %arg2: tensor<4xf32> {relay.virtual_device = "cuda:0"}
// CHECK-SAME: attributes {relay.virtual_device = "cpu:0"}
// CHECK: %[[ADD:.+]] = relay.add
// CHECK: %[[COPY:.+]] = relay.device_copy %{{.+}} {dst_virtual_device = "cpu:0", src_virtual_device = "cuda:0"}
// CHECK-NEXT: relay.subtract %[[ADD]], %[[COPY]]
func.func @unpropagatable_graph(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.multiply %c, %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.on_device %0 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.on_device %1 {virtual_device = "cuda:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = relay.subtract %2, %3 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = relay.on_device %4 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  return %5 : tensor<4xf32>
}

// -----

// Operators that are put on two devices read one value: who comes later gets a copy.
// CHECK-LABEL: func.func @conflicting_inputs(
// CHECK-SAME: %arg0: tensor<4xf32> {relay.virtual_device = "cpu:0"}, %arg1: tensor<4xf32> {relay.virtual_device = "cpu:0"}, %arg2: tensor<4xf32> {relay.virtual_device = "cuda:0"}
// CHECK: %[[A:.+]] = relay.add %arg0, %arg1
// CHECK-NEXT: %[[B:.+]] = relay.device_copy %arg1 {dst_virtual_device = "cuda:0", src_virtual_device = "cpu:0"}
// CHECK-NEXT: %[[C:.+]] = relay.add %[[B]], %arg2
// CHECK-NEXT: %[[ON:.+]] = relay.on_device %[[A]]
// CHECK-NEXT: %[[COPY:.+]] = relay.device_copy %[[ON]]
// CHECK-NEXT: relay.subtract %[[COPY]], %[[C]]
func.func @conflicting_inputs(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.on_device %0 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.add %b, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.on_device %2 {virtual_device = "cuda:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = relay.subtract %1, %3 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// A value that is left open is copied for one reader and not for the other.
// CHECK-LABEL: func.func @open_result(
// CHECK: %[[X:.+]] = relay.abs %arg0
// CHECK-DAG: relay.negative %[[X]]
// CHECK-DAG: relay.device_copy
func.func @open_result(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.on_device %0 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.negative %1 : (tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.on_device %2 {virtual_device = "cpu:0", constrain_result = true} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = relay.device_copy %3 {src_virtual_device = "cpu:0", dst_virtual_device = "cuda:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %5 = relay.add %1, %4 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %5 : tensor<4xf32>
}

// -----

// A branch over functions: all of them are where the condition is.
// CHECK-LABEL: func.func @conditional(
// CHECK-COUNT-3: relay.virtual_device = "cpu:0"
// CHECK-SAME: attributes {relay.virtual_device = "cpu:0"}
// CHECK-COUNT-2: relay.fn{{.*}} attributes {relay.param_devices = ["cpu:0"], relay.virtual_device = "cpu:0"}
// CHECK-NOT: device_copy
// CHECK: return
func.func @conditional(%x: tensor<i1>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %f = relay.fn(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = relay.on_device %y {virtual_device = "cpu:0", constrain_result = true} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = relay.add %a, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    relay.yield %1 : tensor<4xf32>
  }
  %g = relay.fn(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = relay.subtract %a, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    relay.yield %0 : tensor<4xf32>
  }
  %h = relay.if %x : (tensor<i1>) -> ((tensor<4xf32>) -> tensor<4xf32>) {
    relay.yield %f : (tensor<4xf32>) -> tensor<4xf32>
  } else {
    relay.yield %g : (tensor<4xf32>) -> tensor<4xf32>
  }
  %2 = relay.call %h(%z) : ((tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @f(
// CHECK-SAME: %arg0: tensor<4xf32> {relay.virtual_device = "cuda:0"}, %arg1: tensor<4xf32> {relay.virtual_device = "cpu:0"}
// CHECK-SAME: attributes {relay.virtual_device = "cuda:0"}
// CHECK-NEXT: %[[COPY:.+]] = relay.device_copy %arg1 {dst_virtual_device = "cuda:0", src_virtual_device = "cpu:0"}
// CHECK-NEXT: relay.add %arg0, %[[COPY]]
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.on_device %b {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.add %a, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// The parameters of @f are where its arguments have to be.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg0: tensor<4xf32> {relay.virtual_device = "cpu:0"}, %arg1: tensor<4xf32> {relay.virtual_device = "cuda:0"}
// CHECK-NEXT: call @f(%arg1, %arg0)
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%y, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// As a value, it is the same function.
// CHECK-LABEL: func.func @as_value(
// CHECK-SAME: %arg0: tensor<4xf32> {relay.virtual_device = "cpu:0"}, %arg1: tensor<4xf32> {relay.virtual_device = "cuda:0"}
func.func @as_value(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.closure @f(%y) : (tensor<4xf32>) -> ((tensor<4xf32>) -> tensor<4xf32>)
  %1 = relay.call %0(%x) : ((tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @reference(
// CHECK-SAME: %arg0: tensor<4xf32> {relay.virtual_device = "cuda:0"}, %arg1: tensor<4xf32> {relay.virtual_device = "cpu:0"}
// CHECK-NEXT: %[[R:.+]] = relay.ref_create %arg0
// CHECK-NEXT: %[[COPY:.+]] = relay.device_copy %arg1 {dst_virtual_device = "cuda:0", src_virtual_device = "cpu:0"}
// CHECK-NEXT: relay.ref_write %[[R]], %[[COPY]]
// CHECK-NEXT: relay.ref_read %[[R]]
func.func @reference(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r = relay.ref_create %x : (tensor<4xf32>) -> !relay.ref<tensor<4xf32>>
  %0 = relay.on_device %y {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.ref_write %r, %0 : (!relay.ref<tensor<4xf32>>, tensor<4xf32>) -> tuple<>
  %2 = relay.ref_read %r : (!relay.ref<tensor<4xf32>>) -> tensor<4xf32>
  %3 = relay.add %x, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

relay.type_def @List ["A"] {
  relay.constructor @Cons [!relay.type_var<"A">, !relay.adt<@List, !relay.type_var<"A">>]
  relay.constructor @Nil []
}

// CHECK-LABEL: func.func @data(
// CHECK-COUNT-2: relay.virtual_device = "cpu:0"
// CHECK-SAME: attributes {relay.virtual_device = "cpu:0"}
// CHECK-NOT: device_copy
// CHECK-NOT: on_device
// CHECK: return
func.func @data(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.on_device %y {virtual_device = "cpu:0", constrain_result = true} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.construct @List::@Nil() : () -> !relay.adt<@List, tensor<4xf32>>
  %2 = relay.construct @List::@Cons(%0, %1) : (tensor<4xf32>, !relay.adt<@List, tensor<4xf32>>) -> !relay.adt<@List, tensor<4xf32>>
  %3 = relay.construct @List::@Cons(%x, %2) : (tensor<4xf32>, !relay.adt<@List, tensor<4xf32>>) -> !relay.adt<@List, tensor<4xf32>>
  %4 = relay.match partial %3 : !relay.adt<@List, tensor<4xf32>> -> tensor<4xf32>
  case @List::@Cons(%z: tensor<4xf32>, _) {
    relay.yield %z : tensor<4xf32>
  }
  return %4 : tensor<4xf32>
}

// A recursive function is for one choice of devices, as any other: the elements are where the sum is.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %arg0: !relay.adt<@List, tensor<f32>> {relay.virtual_device = "cpu:0"}
// CHECK-SAME: attributes {relay.virtual_device = "cpu:0"}
// CHECK-NOT: device_copy
// CHECK: return
func.func @sum(%list: !relay.adt<@List, tensor<f32>>) -> tensor<f32> {
  %0 = relay.match %list : !relay.adt<@List, tensor<f32>> -> tensor<f32>
  case @List::@Cons(%head: tensor<f32>, %tail: !relay.adt<@List, tensor<f32>>) {
    %1 = func.call @sum(%tail) : (!relay.adt<@List, tensor<f32>>) -> tensor<f32>
    %2 = relay.add %head, %1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
    relay.yield %2 : tensor<f32>
  }
  case @List::@Nil() {
    %3 = relay.constant dense<0.0> : tensor<f32>
    relay.yield %3 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @total(
// CHECK: %[[SUM:.+]] = call @sum
// CHECK-NEXT: %[[ON:.+]] = relay.on_device %[[SUM]] {constrain_result = true, virtual_device = "cpu:0"}
// CHECK-NEXT: %[[COPY:.+]] = relay.device_copy %[[ON]] {dst_virtual_device = "cuda:0", src_virtual_device = "cpu:0"}
// CHECK-NEXT: relay.abs %[[COPY]]
func.func @total(%list: !relay.adt<@List, tensor<f32>>) -> tensor<f32> {
  %0 = call @sum(%list) : (!relay.adt<@List, tensor<f32>>) -> tensor<f32>
  %1 = relay.on_device %0 {virtual_device = "cpu:0"} : (tensor<f32>) -> tensor<f32>
  %2 = relay.abs %1 : (tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}

// -----

// A mark that constrains nothing allows a copy: none where the memory is left open, one where it differs.
// CHECK-LABEL: func.func @on_scope_b(
// CHECK-SAME: {relay.virtual_device = "cpu:0@b"}
func.func @on_scope_b(%x: tensor<4xf32> {relay.virtual_device = "cpu:0@b"}) -> tensor<4xf32> attributes {relay.virtual_device = "cpu:0@b"} {
  return %x : tensor<4xf32>
}

// CHECK-LABEL: func.func @free_on_device(
// CHECK-SAME: %arg0: tensor<4xf32> {relay.virtual_device = "cpu:0@b"}, %arg1: tensor<4xf32> {relay.virtual_device = "cpu:0@a"}, %arg2: tensor<4xf32> {relay.virtual_device = "cpu:0@b"}
// CHECK-SAME: attributes {relay.virtual_device = "cpu:0@a"}
// CHECK-NEXT: %[[A:.+]] = call @on_scope_b(%arg0)
// CHECK-NEXT: %[[COPY:.+]] = relay.device_copy %arg1 {dst_virtual_device = "cpu:0@b", src_virtual_device = "cpu:0@a"}
// CHECK-NEXT: %[[B:.+]] = call @on_scope_b(%[[COPY]])
// CHECK-NEXT: %[[C:.+]] = call @on_scope_b(%arg2)
// CHECK-NEXT: %[[AB:.+]] = relay.add %[[A]], %[[B]]
// CHECK-NEXT: %[[ABC:.+]] = relay.add %[[AB]], %[[C]]
// CHECK-NEXT: %[[ON:.+]] = relay.on_device %[[ABC]] {constrain_result = true, virtual_device = "cpu:0@b"}
// CHECK-NEXT: %[[BACK:.+]] = relay.device_copy %[[ON]] {dst_virtual_device = "cpu:0@a", src_virtual_device = "cpu:0@b"}
// CHECK-NEXT: return %[[BACK]]
func.func @free_on_device(%a: tensor<4xf32> {relay.virtual_device = "cpu:0"}, %b: tensor<4xf32> {relay.virtual_device = "cpu:0@a"}, %c: tensor<4xf32> {relay.virtual_device = "cpu:0@b"}) -> tensor<4xf32> attributes {relay.virtual_device = "cpu:0@a"} {
  %0 = relay.on_device %a {virtual_device = "cpu:0", constrain_body = false} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @on_scope_b(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.on_device %b {virtual_device = "cpu:0", constrain_body = false} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = call @on_scope_b(%2) : (tensor<4xf32>) -> tensor<4xf32>
  %4 = relay.on_device %c {virtual_device = "cpu:0", constrain_body = false} : (tensor<4xf32>) -> tensor<4xf32>
  %5 = call @on_scope_b(%4) : (tensor<4xf32>) -> tensor<4xf32>
  %6 = relay.add %1, %3 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %7 = relay.add %6, %5 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = relay.on_device %7 {virtual_device = "cpu:0", constrain_body = false} : (tensor<4xf32>) -> tensor<4xf32>
  return %8 : tensor<4xf32>
}

// -----

// What a primitive function is for is taken from its parameters; what is inside stays.
// CHECK-LABEL: func.func @layout(
// CHECK-SAME: %arg0: tensor<4xf32>) -> tensor<4xf32> attributes {relay.primitive}
// CHECK-NEXT: relay.on_device
func.func @layout(%a: tensor<4xf32>) -> tensor<4xf32> attributes {relay.primitive} {
  %0 = relay.on_device %a {virtual_device = "opencl"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @add(%a: tensor<4xf32> {relay.virtual_device = "@global"}, %b: tensor<4xf32> {relay.virtual_device = "@global"}) -> tensor<4xf32> attributes {relay.primitive, relay.virtual_device = "@texture"} {
  %0 = relay.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-LABEL: func.func @primitive(
// CHECK-SAME: {relay.virtual_device = "cuda:0@texture"}
func.func @primitive(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @layout(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @layout(%y) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = call @add(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
