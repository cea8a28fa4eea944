// RUN: relay-translate --to-relay-text %s | FileCheck %s
// RUN: relay-translate --to-relay-text %s | relay-translate --from-relay-text | relay-opt --infer-type | FileCheck %s --check-prefix=READ

relay.type_def @List ["A"] {
  relay.constructor @Cons [!relay.type_var<"A">, !relay.adt<@List, !relay.type_var<"A">>]
  relay.constructor @Nil []
}

// Nothing but its type says of what an empty list is; of others, their elements do.
// CHECK-LABEL: def @main
// CHECK: let %[[NIL:.*]]: List[float32] = Nil;
// CHECK: = Cons(%x, %[[NIL]]);
// READ: relay.construct @List::@Nil() : () -> !relay.adt<@List, tensor<f32>>
func.func @main(%x: tensor<f32> {relay.name = "x"}) -> tensor<f32> {
  %0 = relay.construct @List::@Nil() : () -> !relay.adt<@List, tensor<f32>>
  %1 = relay.construct @List::@Cons(%x, %0) : (tensor<f32>, !relay.adt<@List, tensor<f32>>) -> !relay.adt<@List, tensor<f32>>
  %2 = relay.match %1 : !relay.adt<@List, tensor<f32>> -> tensor<f32>
  case _ {
    relay.yield %x : tensor<f32>
  }
  return %2 : tensor<f32>
}
