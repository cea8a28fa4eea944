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
// RUN: not relay-translate --from-relay-text %t/untyped.relay 2>&1 | FileCheck %s --check-prefix=UNTYPED
// RUN: not relay-translate --from-relay-text %t/result.relay 2>&1 | FileCheck %s --check-prefix=RESULT

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
// CHANNELS: channels=5, but by the types of its operands channels is [4]

//--- attribute.relay
def @main(%x: Tensor[(1, 3), float32]) { nn.relu(%x, axis=1) }
// ATTRIBUTE: `nn.relu` has no attribute axis

//--- form.relay
def @main(%x: Tensor[(1, 3), float32]) { sum(%x, keepdims="yes") }
// FORM: keepdims="yes" is not what `sum` takes

//--- closure.relay
def @main(%x: float32) {
  let %f = fn (%y: float32) { %y };
  %f(%x)
}
// CLOSURE: closure.relay:2:12
// CLOSURE: functions as values cannot be read into modules yet

//--- untyped.relay
def @twice(%x) { %x + %x }
def @main(%x: float32) { @twice(%x) }
// UNTYPED: untyped.relay:2:26
// UNTYPED: @twice is called: write the types of its parameters

//--- result.relay
def @main(%x: float32) -> float16 { %x }
// RESULT: type of return operand 0 ('tensor<f32>') doesn't match function result type ('tensor<f16>')
