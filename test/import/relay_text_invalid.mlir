// What cannot be read of Relay's text: each error shows the place.
// RUN: split-file %s %t
// RUN: not relay-translate --from-relay-text %t/syntax.relay 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not relay-translate --from-relay-text %t/operator.relay 2>&1 | FileCheck %s --check-prefix=OPERATOR
// RUN: not relay-translate --from-relay-text %t/name.relay 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not relay-translate --from-relay-text %t/global.relay 2>&1 | FileCheck %s --check-prefix=GLOBAL
// RUN: not relay-translate --from-relay-text %t/shapes.relay 2>&1 | FileCheck %s --check-prefix=SHAPES
// RUN: not relay-translate --from-relay-text %t/channels.relay 2>&1 | FileCheck %s --check-prefix=CHANNELS
// RUN: not relay-translate --from-relay-text %t/attribute.relay 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
// RUN: not relay-translate --from-relay-text %t/form.relay 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not relay-translate --from-relay-text %t/closure.relay 2>&1 | FileCheck %s --check-prefix=CLOSURE
// RUN: not relay-translate --from-relay-text %t/attributes.relay 2>&1 | FileCheck %s --check-prefix=ATTRIBUTES
// RUN: not relay-translate --from-relay-text %t/result.relay 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: not relay-translate --from-relay-text %t/split.relay 2>&1 | FileCheck %s --check-prefix=SPLIT
// RUN: not relay-translate --from-relay-text %t/parts.relay 2>&1 | FileCheck %s --check-prefix=PARTS
// RUN: not relay-translate --from-relay-text %t/type.relay 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not relay-translate --from-relay-text %t/arguments.relay 2>&1 | FileCheck %s --check-prefix=ARGUMENTS
// RUN: not relay-translate --from-relay-text %t/twice.relay 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not relay-translate --from-relay-text %t/constructor.relay 2>&1 | FileCheck %s --check-prefix=CONSTRUCTOR
// RUN: not relay-translate --from-relay-text %t/fields.relay 2>&1 | FileCheck %s --check-prefix=FIELDS
// RUN: not relay-translate --from-relay-text %t/elements.relay 2>&1 | FileCheck %s --check-prefix=ELEMENTS
// RUN: not relay-translate --from-relay-text %t/argument.relay 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: not relay-translate --from-relay-text %t/count.relay 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not relay-translate --from-relay-text %t/called.relay 2>&1 | FileCheck %s --check-prefix=CALLED
// RUN: not relay-translate --from-relay-text %t/reference.relay 2>&1 | FileCheck %s --check-prefix=REFERENCE
// RUN: not relay-translate --from-relay-text %t/exhaustive.relay 2>&1 | FileCheck %s --check-prefix=EXHAUSTIVE
// RUN: not relay-translate --from-relay-text %t/again.relay 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: not relay-translate --from-relay-text %t/lowered.relay 2>&1 | FileCheck %s --check-prefix=LOWERED
// RUN: not relay-translate --from-relay-text %t/prelude.relay 2>&1 | FileCheck %s --check-prefix=BORROWED
// RUN: not relay-translate --from-relay-text %t/expression.relay 2>&1 | FileCheck %s --check-prefix=EXPRESSION
// RUN: not relay-translate --from-relay-text %t/open.relay 2>&1 | FileCheck %s --check-prefix=OPEN

//--- syntax.relay
def @main(%x: float32) {
  add(%x, )) 
}
// SYNTAX: syntax.relay:2:12
// SYNTAX: 2 |   add(%x, ))
// SYNTAX-NEXT: |            ^---

//--- operator.relay
def @main(%x: float32) {
  nn.convolve(%x)
}
// OPERATOR: operator.relay:2:3
// OPERATOR: there is no operator `nn.convolve`

//--- name.relay
def @main(%x: float32) {
  %0 = if (True) { let %y = %x; %y } else { %x };
  add(%0, %y)
}
// NAME: name.relay:3:11
// NAME: nothing is called %y here

//--- global.relay
def @main(%x: float32) { @other(%x) }
// GLOBAL: there is no function @other

//--- shapes.relay
def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(4), float32]) {
  %x * (%x + %y)
}
// SHAPES: shapes.relay:2:9
// SHAPES: shapes [2, 3] and [4] do not broadcast (C1)

//--- channels.relay
def @main(%x: Tensor[(1, 3, 8, 8), float32], %w: Tensor[(4, 3, 3, 3), float32]) {
  nn.conv2d(%x, %w, channels=5, kernel_size=[3, 3])
}
// CHANNELS: channels.relay:2:3
// CHANNELS: channels is 5, but by the type of the weight it is 4 (C7)

//--- attribute.relay
def @main(%x: Tensor[(1, 3), float32]) { nn.relu(%x, axis=1) }
// ATTRIBUTE: `nn.relu` has no attribute 'axis'

//--- form.relay
def @main(%x: Tensor[(1, 3), float32]) { sum(%x, keepdims="yes") }
// FORM: keepdims="yes" is not what `sum` takes

//--- split.relay
def @main(%x: Tensor[(?), float32]) { split(%x, indices_or_sections=1000000000000).0 }
// SPLIT: split.relay:1:39
// SPLIT: `split` into equal parts needs a known extent

//--- parts.relay
def @main(%x: Tensor[(0), float32]) { split(%x, indices_or_sections=1000000000000).0 }
// PARTS: 0 elements are not so many equal parts

//--- closure.relay
def @main(%x: float32) {
  let %f: fn [A](A) -> A = fn [B](%y: B) -> B { %y };
  %f(%x)
}
// CLOSURE: closure.relay:2:28
// CLOSURE: %f is declared with the type parameters ["A"], but the function has others

//--- attributes.relay
def @main(%x: float32, Primitive="yes") { %x }
// ATTRIBUTES: Primitive is a flag, and has another value here

//--- type.relay
def @main(%x: Lost[float32]) { %x }
// TYPE: there is no type Lost

//--- arguments.relay
def @main(%x: List[float32, float32]) { %x }
// ARGUMENTS: List has 1 type parameters, but is given 2

//--- twice.relay
type Box { Of(float32), }
type Bag { Of(int32), }
def @main(%x: Box) { %x }
// TWICE: twice.relay:2:12
// TWICE: the constructor Of is defined twice

//--- constructor.relay
def @main(%x: List[float32]) -> float32 {
  match (%x) {
    Empty => { 0f },
    _ => { 1f },
  }
}
// CONSTRUCTOR: constructor.relay:2:10
// CONSTRUCTOR: there is no constructor Empty; a name is %Empty

//--- fields.relay
def @main(%x: float32) {
  Cons(%x)
}
// FIELDS: fields.relay:2:3
// FIELDS: @Cons has 2 fields, but is given 1

//--- elements.relay
def @main(%x: float32, %y: int32) {
  Cons(%x, Cons(%y, Nil))
}
// ELEMENTS: elements.relay:2:3
// ELEMENTS: field 1 of @Cons is !relay.adt<@List, tensor<f32>>, but is given !relay.adt<@List, tensor<i32>>

//--- argument.relay
def @main(%x: float32) {
  @length(%x)
}
// ARGUMENT: argument.relay:2:3
// ARGUMENT: @length is called: its parameter 0 is !relay.adt<@List, !relay.type_var<"A">>, but is given tensor<f32>

//--- count.relay
def @main(%x: float32) {
  let %f = fn (%a: float32) { %a };
  %f(%x, %x)
}
// COUNT: count.relay:3:3
// COUNT: the function has 1 parameters, but is given 2

//--- called.relay
def @main(%x: float32) { %x(%x) }
// CALLED: called.relay:1:26
// CALLED: expected a function, not tensor<f32>

//--- reference.relay
def @main(%x: float32) { ref_read(%x) }
// REFERENCE: expected a reference, not tensor<f32>

//--- exhaustive.relay
def @main(%x: Option[float32]) -> float32 {
  match (%x) {
    Some(%y) => { %y },
  }
}
// EXHAUSTIVE: no arm takes @Option::@None()

//--- result.relay
def @main(%x: float32) -> float16 { %x }
// RESULT: result.relay:1:37
// RESULT: the result of @main is declared as tensor<f16>, but this is tensor<f32>

//--- again.relay
type Box { Of(float32), }
extern type Box[A]
// AGAIN: again.relay:2:13
// AGAIN: the type Box is defined twice

//--- lowered.relay
def @main(%x: float32) {
  let %f = fn (%y: float32) { %y };
  call_lowered(%f, (%x,))
}
// LOWERED: lowered.relay:3:16
// LOWERED: call_lowered calls a function of the module: @name

//--- prelude.relay
def @main(%x: float32) { @map(concatenate, Nil) }
// BORROWED: prelude.relay:1:31
// BORROWED: `concatenate` takes any number of operands; as a value it is fn (%x) { concatenate(%x) }

//--- expression.relay
let x = 1; ()
// EXPRESSION: expression.relay:1:5
// EXPRESSION: expected %name

//--- open.relay
def @main(%x: Tensor[(?, 2), float32]) -> Tensor[(3, 2), float32] { abs(%x) }
// OPEN: open.relay:1:69
// OPEN: the result of @main is declared as tensor<3x2xf32>, but all that is known of this is tensor<?x2xf32>
