// RUN: split-file %s %t
// RUN: relayc compile %t/list.mlir --emit program -o - | FileCheck %t/list.mlir
// RUN: relayc compile %t/list.mlir --emit llvm -o - | FileCheck %t/list.mlir --check-prefix=LLVM
// RUN: relayc compile %t/list.mlir --executor vm --emit llvm -o - | FileCheck %t/list.mlir --check-prefix=VM
// RUN: not relayc compile %t/list.mlir --emit bare -o %t/bare 2>&1 | FileCheck %t/list.mlir --check-prefix=BARE
// RUN: not relayc compile %t/gives_data.mlir -o %t/x.so 2>&1 | FileCheck %t/gives_data.mlir
// RUN: not relayc compile %t/no_body.mlir -o %t/x.so 2>&1 | FileCheck %t/no_body.mlir
// RUN: relayc compile %t/graph.mlir --executor vm --emit program -o - | FileCheck %t/graph.mlir

//--- list.mlir
relay.type_def @List ["A"] {
  relay.constructor @Cons [!relay.type_var<"A">, !relay.adt<@List, !relay.type_var<"A">>]
  relay.constructor @Nil []
}

// The call in the arm ends the function: its result is what the function gives, and nothing is held meanwhile.
// CHECK: function 0 @main(r0), 2 registers
// CHECK: alloc_adt 1 ()
// CHECK: alloc_adt 0 (r0, r{{[0-9]+}}!)
// CHECK: = invoke @total(r{{[0-9]+}}!, r0!)
// CHECK-NEXT: ret
// CHECK: function 1 @total(r0, r1)
// CHECK-NEXT: 0: [[TAG:r[0-9]+]] = get_tag r0
// CHECK-NEXT: 1: if [[TAG]] == 0 goto 2 else [[NIL:[0-9]+]]
// CHECK-NEXT: [[FIRST:r[0-9]+]] = get_field r0[0]
// CHECK-NEXT: [[REST:r[0-9]+]] = get_field r0[1]
// CHECK-NEXT: kill r0
// CHECK-NEXT: [[SUM:r[0-9]+]] = alloc_tensor 4
// CHECK-NEXT: invoke_packed @[[ADD:fused_add.*]](r1, [[FIRST]], [[SUM]])
// CHECK-NEXT: kill r1
// CHECK-NEXT: kill [[FIRST]]
// CHECK-NEXT: = invoke @total([[REST]]!, [[SUM]]!)
// CHECK-NEXT: ret
// CHECK-NEXT: [[NIL]]: kill r0
// CHECK-NEXT: ret r1!
// CHECK: kernel 0 @[[ADD]] [4, 4] -> [4]

// LLVM: call {{.*}} @relay_rt_data(
// LLVM: call {{.*}} @relay_rt_program(
// VM: RELAYVM
// BARE: a bare model is a graph of operators
func.func @total(%list: !relay.adt<@List, tensor<f32>>, %sum: tensor<f32>) -> tensor<f32> {
  %r = relay.match %list : !relay.adt<@List, tensor<f32>> -> tensor<f32>
  case @List::@Cons(%first: tensor<f32>, %rest: !relay.adt<@List, tensor<f32>>) {
    %more = relay.add %sum, %first : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %all = func.call @total(%rest, %more) : (!relay.adt<@List, tensor<f32>>, tensor<f32>) -> tensor<f32>
    relay.yield %all : tensor<f32>
  }
  case @List::@Nil() {
    relay.yield %sum : tensor<f32>
  }
  return %r : tensor<f32>
}
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %nil = relay.construct @List::@Nil() : () -> !relay.adt<@List, tensor<f32>>
  %list = relay.construct @List::@Cons(%x, %nil) : (tensor<f32>, !relay.adt<@List, tensor<f32>>) -> !relay.adt<@List, tensor<f32>>
  %r = call @total(%list, %x) : (!relay.adt<@List, tensor<f32>>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

//--- gives_data.mlir
relay.type_def @Unit [] {
  relay.constructor @It []
}
// CHECK: error[R0303]: {{.*}}gives_data.mlir{{.*}} has the output 'output0' of type !relay.adt<@Unit>: it has to be a tensor of a known shape
func.func @main() -> !relay.adt<@Unit> {
  %0 = relay.construct @Unit::@It() : () -> !relay.adt<@Unit>
  return %0 : !relay.adt<@Unit>
}

//--- no_body.mlir
// CHECK: error[R0303]: {{.*}} calls a function without a body
func.func private @elsewhere(tensor<f32>) -> tensor<f32>
func.func @main(%x: tensor<f32>) -> tuple<tensor<f32>> {
  %0 = call @elsewhere(%x) : (tensor<f32>) -> tensor<f32>
  %1 = relay.tuple %0 : (tensor<f32>) -> tuple<tensor<f32>>
  return %1 : tuple<tensor<f32>>
}

//--- graph.mlir
// A graph is a program of one function.
// CHECK: function 0 @main(r0)
// CHECK: reshape_tensor r0!
// CHECK: ret
func.func @main(%x: tensor<2x3xf32>) -> tensor<6xf32> {
  %0 = relay.reshape %x {newshape = array<i64: 6>} : (tensor<2x3xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
