// Modules as Relay's own text, which reads back to the same text and computes the same.
// RUN: relay-translate --to-relay-text %s > %t.relay
// RUN: FileCheck %s --input-file %t.relay
// RUN: relay-translate --from-relay-text %t.relay | relay-translate --to-relay-text > %t.again.relay
// RUN: cmp %t.relay %t.again.relay
// RUN: relay-translate --from-relay-text %t.relay > %t.mlir
// RUN: relayc run %s --executor interpreter --seed 3 > %t.expected
// RUN: relayc run %t.mlir --executor interpreter --seed 3 > %t.result
// RUN: cmp %t.expected %t.result
// RUN: not relay-translate --to-relay-text %S/../dialect/relay/language.mlir 2>&1 | FileCheck %s --check-prefix=NO

// CHECK: #[version = "0.0.5"]
// CHECK: type List[A] {
// CHECK-NEXT: Cons(A, List[A]),
// CHECK-NEXT: Nil,
relay.type_def @List ["A"] {
  relay.constructor @Cons [!relay.type_var<"A">, !relay.adt<@List, !relay.type_var<"A">>]
  relay.constructor @Nil []
}

// CHECK: def @main(%a: Tensor[(2, 4), float32], %n: int32) -> (Tensor[(2, 4), float32], float32) {
// CHECK: %0 = split(%a, axis=1, indices_or_sections=[1]);
// CHECK: %1 = concatenate((%0.1, %0.0), axis=1);
// CHECK: %2 = multiply(%1, meta[relay.Constant][0]);
// CHECK: let %x = ref(%n);
func.func @main(%x: tensor<2x4xf32> {relay.name = "a"}, %n: tensor<i32> {relay.name = "n"}) -> tuple<tensor<2x4xf32>, tensor<f32>> {
  %0, %1 = relay.split %x {axis = 1 : i64, indices = array<i64: 1>} : (tensor<2x4xf32>) -> (tensor<2x1xf32>, tensor<2x3xf32>)
  %2 = relay.concatenate %1, %0 {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %c = relay.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %3 = relay.multiply %2, %c : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %cell = relay.ref_create %n : (tensor<i32>) -> !relay.ref<tensor<i32>>
  %one = relay.constant dense<1> : tensor<i32>
  %half = relay.constant dense<0.5> : tensor<f32>
  %count = relay.fn rec %again(%list: !relay.adt<@List, tensor<f32>>) -> tensor<f32> {
    %4 = relay.ref_read %cell : (!relay.ref<tensor<i32>>) -> tensor<i32>
    %5 = relay.add %4, %one : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %6 = relay.ref_write %cell, %5 : (!relay.ref<tensor<i32>>, tensor<i32>) -> tuple<>
    %7 = relay.match %list : !relay.adt<@List, tensor<f32>> -> tensor<f32>
    case @List::@Cons(%head: tensor<f32>, %tail: !relay.adt<@List, tensor<f32>>) {
      %8 = relay.call %again(%tail) : ((!relay.adt<@List, tensor<f32>>) -> tensor<f32>, !relay.adt<@List, tensor<f32>>) -> tensor<f32>
      %9 = relay.add %head, %8 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      relay.yield %9 : tensor<f32>
    }
    case @List::@Nil() {
      %8 = relay.ref_read %cell : (!relay.ref<tensor<i32>>) -> tensor<i32>
      %9 = relay.cast %8 {dtype = f32} : (tensor<i32>) -> tensor<f32>
      relay.yield %9 : tensor<f32>
    }
    relay.yield %7 : tensor<f32>
  }
  %nil = relay.construct @List::@Nil() : () -> !relay.adt<@List, tensor<f32>>
  %list = relay.construct @List::@Cons(%half, %nil) : (tensor<f32>, !relay.adt<@List, tensor<f32>>) -> !relay.adt<@List, tensor<f32>>
  %sum = relay.call %count(%list) : ((!relay.adt<@List, tensor<f32>>) -> tensor<f32>, !relay.adt<@List, tensor<f32>>) -> tensor<f32>
  %flag = relay.less %n, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %10 = relay.if %flag : (tensor<i1>) -> tensor<f32> {
    relay.yield %sum : tensor<f32>
  } else {
    %11 = relay.negative %sum : (tensor<f32>) -> tensor<f32>
    relay.yield %11 : tensor<f32>
  }
  %12 = relay.tuple %3, %10 : (tensor<2x4xf32>, tensor<f32>) -> tuple<tensor<2x4xf32>, tensor<f32>>
  return %12 : tuple<tensor<2x4xf32>, tensor<f32>>
}
// CHECK: #[metadata]
// NO: language.mlir:33:18: Relay's text cannot say 'relay.scan'
