// What is wrong with files of rules: each error shows the place.
// REQUIRES: time
// RUN: split-file %s %t
// RUN: not relay-opt --rewrite=%t/operator.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=OPERATOR
// RUN: not relay-opt --rewrite=%t/attribute.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
// RUN: not relay-opt --rewrite=%t/kind.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not relay-opt --rewrite=%t/operands.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=OPERANDS
// RUN: not relay-opt --rewrite=%t/made.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=MADE
// RUN: not relay-opt --rewrite=%t/missing.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not relay-opt --rewrite=%t/unbound.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=UNBOUND
// RUN: not relay-opt --rewrite=%t/unused.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=UNUSED
// RUN: not relay-opt --rewrite=%t/untyped.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=UNTYPED
// RUN: not relay-opt --rewrite=%t/beside.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=BESIDE
// RUN: not relay-opt --rewrite=%t/syntax.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: not relay-opt --rewrite=%t/end.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=END
// RUN: not relay-opt --rewrite=%t/token.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=TOKEN
// RUN: not relay-opt --rewrite=%t/function.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: not relay-opt --rewrite=%t/arguments.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=ARGUMENTS
// RUN: not relay-opt --rewrite=%t/condition.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=CONDITION
// RUN: not relay-opt --rewrite=%t/arithmetic.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=ARITHMETIC
// RUN: not relay-opt --rewrite=%t/value.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not relay-opt --rewrite=%t/field.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=FIELD
// RUN: not relay-opt --rewrite=%t/branch.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: not relay-opt --rewrite=%t/alternative.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=ALTERNATIVE
// RUN: not relay-opt --rewrite=%t/path.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=PATH
// RUN: not relay-opt --rewrite=%t/class.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=CLASS
// RUN: not relay-opt --rewrite=%t/twice.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not relay-opt --rewrite=%t/pattern.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=PATTERN
// RUN: not relay-opt --rewrite=%t/replaced.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=REPLACED
// RUN: not relay-opt --rewrite=%t/huge.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: not relay-opt --rewrite=%t/absent.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not relay-opt --rewrite=%t/endless.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: not relay-opt --rewrite=%t/growing.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=GROWING
// RUN: not relay-opt --rewrite=%t/type.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not relay-opt --rewrite=%t/itself.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=ITSELF
// RUN: not relay-opt --rewrite=%t/named.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=MADENAME
// RUN: not relay-opt --rewrite=%t/taken.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: not relay-opt --rewrite=%t/data_taken.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=DATATAKEN
// RUN: not relay-opt --rewrite=%t/idle.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=IDLE
// RUN: not relay-opt --rewrite=%t/data_idle.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=DATAIDLE
// RUN: not relay-opt --rewrite=%t/data_number.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=DATANUMBER
// RUN: not relay-opt --rewrite=%t/late.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: not relay-opt --rewrite=%t/left_out.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=LEFTOUT
// RUN: not relay-opt --rewrite=%t/no_operator.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=NOOPERATOR
// RUN: %python -c "print('rule r {\n  match nn.relu(%x)\n  let a = rank(%x)\n' + ''.join(f'  let {b} = {a} + {a}\n' for a, b in zip('abcdefghij', 'bcdefghijk')) + '  with %x * k\n}')" > %t/doubled.pat
// RUN: not relay-opt --rewrite=%t/doubled.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=DOUBLED
// RUN: not relay-opt --rewrite=%t/again.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: not relay-opt --rewrite=%t/again_attribute.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=AGAINATTRIBUTE
// RUN: not relay-opt --rewrite=%t/like.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=LIKE
// RUN: %python -c "print('rule r {\n  match exp(' + '-' * 101 + '1)\n}')" > %t/deep.pat
// RUN: not relay-opt --rewrite=%t/deep.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=DEEP
// RUN: %python -c "print('rule r {\n  match concatenate(' + '_, ' * 1000 + ') {axis = 0}\n}')" > %t/wide.pat
// RUN: not relay-opt --rewrite=%t/wide.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not relay-opt --rewrite=%t/none.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not relay-opt --rewrite %t/in.mlir 2>&1 | FileCheck %s --check-prefix=UNNAMED
// DOUBLED: doubled.pat:{{[0-9]+}}:{{[0-9]+}}: error: with what the names stand for, this has more than 1000 parts
// DEEP: deep.pat:2:{{[0-9]+}}: error: expressions nest more than 100 deep here
// WIDE: wide.pat:2:9: error: this has more than 1000 parts
// NONE: none.pat:0:0: error: cannot read rules: No such file or directory
// UNNAMED: error: 'builtin.module' op needs rules: name their file, as in rules=FILE

//--- in.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- operator.pat
rule r {
  match nn.rellu(%x)
  with  %x
}
// OPERATOR: operator.pat:2:9: error: there is no operator 'nn.rellu'
// OPERATOR-NEXT:   match nn.rellu(%x)
// OPERATOR-NEXT: ^

//--- attribute.pat
rule r {
  match nn.softmax(%x) {axes = 1}
  with  %x
}
// ATTRIBUTE: attribute.pat:2:25: error: 'nn.softmax' has no attribute 'axes'
// ATTRIBUTE-NEXT:   match nn.softmax(%x) {axes = 1}
// ATTRIBUTE-NEXT: ^

//--- kind.pat
rule r {
  match nn.softmax(%x) {axis = 1.5}
  with  %x
}
// KIND: kind.pat:2:32: error: 'axis' is a whole number, not a number
// KIND-NEXT:   match nn.softmax(%x) {axis = 1.5}
// KIND-NEXT: ^

//--- operands.pat
rule r {
  match nn.relu(%x, %y)
  with  %x + %y
}
// OPERANDS: operands.pat:2:9: error: 'nn.relu' takes one operand, not 2
// OPERANDS-NEXT:   match nn.relu(%x, %y)
// OPERANDS-NEXT: ^

//--- made.pat
rule r {
  match %x * 2
  with  add(%x)
}
// MADE: made.pat:3:9: error: 'add' takes 2 operands, not 1
// MADE-NEXT:   with  add(%x)
// MADE-NEXT: ^

//--- missing.pat
rule r {
  match nn.relu(%x)
  with  reshape(%x)
}
// MISSING: missing.pat:3:9: error: 'relay.reshape' op requires attribute 'newshape'
// MISSING-NEXT:   with  reshape(%x)
// MISSING-NEXT: ^
// MISSING: missing.pat:3:9: error: it cannot be made with these attributes
// MISSING-NEXT:   with  reshape(%x)
// MISSING-NEXT: ^

//--- unbound.pat
rule r {
  match nn.relu(%x)
  with  %y
}
// UNBOUND: unbound.pat:3:9: error: %y is not in the pattern
// UNBOUND-NEXT:   with  %y
// UNBOUND-NEXT: ^

//--- unused.pat
rule r {
  match add(%x, %y)
  with  %x
}
// UNUSED: unused.pat:2:17: error: %y is used nowhere; write _ for what has no name
// UNUSED-NEXT:   match add(%x, %y)
// UNUSED-NEXT: ^

//--- untyped.pat
rule r {
  match nn.relu(_)
  with  0.0
}
// UNTYPED: untyped.pat:3:9: error: this number has no type: nothing beside it is a tensor
// UNTYPED-NEXT:   with  0.0
// UNTYPED-NEXT: ^

//--- beside.pat
rule r {
  match nn.relu(_)
  with  maximum(0.0, 1)
}
// BESIDE: beside.pat:3:9: error: these numbers have no type: nothing beside them is a tensor
// BESIDE-NEXT:   with  maximum(0.0, 1)
// BESIDE-NEXT: ^

//--- syntax.pat
rule r {
  match nn.relu(%x where static(%x)
  with  %x
}
// SYNTAX: syntax.pat:2:20: error: 'where' does not fit here; expected one of ")", ","
// SYNTAX-NEXT:   match nn.relu(%x where static(%x)
// SYNTAX-NEXT: ^

//--- end.pat
rule r {
  match nn.relu(%x)
// END: end.pat:{{[0-9]+}}:1: error: the file ends here

//--- token.pat
rule r {
  match nn.relu(%x) & %x
  with  %x
}
// TOKEN: token.pat:2:21: error: this begins no word of the language of rules
// TOKEN-NEXT:   match nn.relu(%x) & %x
// TOKEN-NEXT: ^

//--- function.pat
rule r {
  match nn.relu(%x)
  where shapes(%x) == [1]
  with  %x
}
// FUNCTION: function.pat:3:9: error: there is no function 'shapes'
// FUNCTION-NEXT:   where shapes(%x) == [1]
// FUNCTION-NEXT: ^

//--- arguments.pat
rule r {
  match nn.relu(%x)
  where dim(%x) == 1
  with  %x
}
// ARGUMENTS: arguments.pat:3:9: error: 'dim' takes 2 arguments, not 1
// ARGUMENTS-NEXT:   where dim(%x) == 1
// ARGUMENTS-NEXT: ^

//--- condition.pat
rule r {
  match nn.relu(%x)
  where shape(%x)
  with  %x
}
// CONDITION: condition.pat:3:9: error: this is a list, no condition
// CONDITION-NEXT:   where shape(%x)
// CONDITION-NEXT: ^

//--- arithmetic.pat
rule r {
  match nn.relu(%x)
  where shape(%x) + 1 == 2
  with  %x
}
// ARITHMETIC: arithmetic.pat:3:9: error: '+' takes numbers, not a list and a whole number
// ARITHMETIC-NEXT:   where shape(%x) + 1 == 2
// ARITHMETIC-NEXT: ^

//--- value.pat
rule r {
  match nn.relu(%x)
  where %x == 2
  with  %x
}
// VALUE: value.pat:3:9: error: %x is a part of the graph; its value(), shape() or an attribute is data
// VALUE-NEXT:   where %x == 2
// VALUE-NEXT: ^

//--- field.pat
rule r {
  match %r = nn.softmax(%x)
  where %r.size == 1
  with  %x
}
// FIELD: field.pat:3:12: error: 'nn.softmax' has no attribute 'size'
// FIELD-NEXT:   where %r.size == 1
// FIELD-NEXT: ^

//--- branch.pat
rule r {
  match if(_, %x, _)
  with  %x
}
// BRANCH: branch.pat:3:9: error: %x is known inside a branch of 'if' only
// BRANCH-NEXT:   with  %x
// BRANCH-NEXT: ^

//--- alternative.pat
rule r {
  match nn.relu(%x) | exp(%y)
  where rank(%y) == 1
  with  %x
}
// ALTERNATIVE: alternative.pat:4:9: error: %x is not bound in every match
// ALTERNATIVE-NEXT:   with  %x
// ALTERNATIVE-NEXT: ^

//--- path.pat
rule r {
  match dominates(%x, exp(%y), tanh(_))
  with  %x + %y
}
// PATH: path.pat:3:14: error: %y is not bound in every match
// PATH-NEXT:   with  %x + %y
// PATH-NEXT: ^

//--- class.pat
rule r {
  match nn.relu(%x: big)
  with  %x
}
// CLASS: class.pat:2:21: error: 'big' is none of constant, var, an element type, a shape, and a type
// CLASS-NEXT:   match nn.relu(%x: big)
// CLASS-NEXT: ^

//--- twice.pat
rule r {
  match exp(%x) + (%x = tanh(_))
  with  %x
}
// TWICE: twice.pat:2:20: error: %x has a meaning already
// TWICE-NEXT:   match exp(%x) + (%x = tanh(_))
// TWICE-NEXT: ^

//--- pattern.pat
rule r {
  match exp(%x) == tanh(%x)
  with  %x
}
// PATTERN: pattern.pat:2:9: error: '==' has no meaning in a pattern
// PATTERN-NEXT:   match exp(%x) == tanh(%x)
// PATTERN-NEXT: ^

//--- replaced.pat
rule r {
  match exp(%x)
  with  %x | tanh(%x)
}
// REPLACED: replaced.pat:3:9: error: '|' has no meaning in a replacement
// REPLACED-NEXT:   with  %x | tanh(%x)
// REPLACED-NEXT: ^

//--- huge.pat
rule r {
  match %x + 99999999999999999999
  with  %x
}
// HUGE: huge.pat:2:14: error: 99999999999999999999 has more than 64 bits
// HUGE-NEXT:   match %x + 99999999999999999999
// HUGE-NEXT: ^

//--- absent.pat
rule r {
  match exp(_)
}
// ABSENT: absent.pat:1:6: error: this rule says not 'with' what to replace its match
// ABSENT-NEXT: rule r {
// ABSENT-NEXT: ^

//--- endless.pat
rule r {
  match nn.relu(%x)
  with  nn.relu(abs(%x) + 0)
}
// ENDLESS: in.mlir:1:1: error: 'func.func' op is rewritten without end: rules still match after 64 sweeps
// ENDLESS-NEXT: func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
// ENDLESS-NEXT: ^
// ENDLESS: endless.pat:1:6: error: this rule was applied last
// ENDLESS-NEXT: rule r {
// ENDLESS-NEXT: ^

//--- growing.pat
rule r {
  match nn.relu(%x)
  with  nn.relu(%x) + nn.relu(%x)
}
// GROWING: in.mlir:1:1: error: 'func.func' op is rewritten without end: its operators grow in number
// GROWING-NEXT: func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
// GROWING-NEXT: ^
// GROWING: growing.pat:1:6: error: this rule was applied last
// GROWING-NEXT: rule r {
// GROWING-NEXT: ^

//--- type.pat
rule r {
  match exp(%x: tensor<4xfloat>)
  with  %x
}
// TYPE: type.pat:2:17: error: 'tensor<4xfloat>' is no type of a tensor
// TYPE-NEXT: match exp(%x: tensor<4xfloat>)
// TYPE-NEXT: ^

//--- itself.pat
rule r {
  match %r = nn.relu(_)
  with  abs(%r)
}
// ITSELF: itself.pat:3:13: error: the replacement reads what it replaces
// ITSELF-NEXT: with abs(%r)
// ITSELF-NEXT: ^

//--- named.pat
rule r {
  match nn.relu(%x)
  let   %y = abs(%x)
  where rank(%y) == 1
  with  %y
}
// MADENAME: named.pat:4:14: error: %y is made by the rule, and known in its replacement only
// MADENAME-NEXT:   where rank(%y) == 1
// MADENAME-NEXT: ^

//--- taken.pat
rule r {
  match nn.relu(%x)
  let   %x = abs(%x)
  with  %x
}
// TAKEN: taken.pat:3:9: error: %x has a meaning already
// TAKEN-NEXT:   let   %x = abs(%x)
// TAKEN-NEXT: ^

//--- data_taken.pat
rule r {
  match nn.relu(%x)
  let   f32 = rank(%x)
  with  sum(%x) {axis = [f32]}
}
// DATATAKEN: data_taken.pat:3:9: error: 'f32' has a meaning already
// DATATAKEN-NEXT:   let   f32 = rank(%x)
// DATATAKEN-NEXT: ^

//--- idle.pat
rule r {
  match nn.relu(%x)
  let   %y = abs(%x)
  with  exp(%x)
}
// IDLE: idle.pat:3:9: error: %y is used nowhere
// IDLE-NEXT:   let   %y = abs(%x)
// IDLE-NEXT: ^

//--- data_idle.pat
rule r {
  match nn.relu(%x)
  let   n = rank(%x)
  with  exp(%x)
}
// DATAIDLE: data_idle.pat:3:9: error: 'n' is used nowhere
// DATAIDLE-NEXT:   let   n = rank(%x)
// DATAIDLE-NEXT: ^

//--- data_number.pat
rule r {
  match nn.relu(%x)
  let   %n = rank(%x)
  with  %x * %n
}
// DATANUMBER: data_number.pat:3:14: error: this number has no type: nothing beside it is a tensor
// DATANUMBER-NEXT:   let   %n = rank(%x)
// DATANUMBER-NEXT: ^

//--- late.pat
rule r {
  match nn.relu(%x)
  where n == 2
  let   n = rank(%x)
  with  %x * n
}
// LATE: late.pat:3:9: error: 'n' is no number, no text, and no element type
// LATE-NEXT:   where n == 2
// LATE-NEXT: ^

//--- left_out.pat
rule r {
  match nn.relu(%x)
  with  exp(%x)?
}
// LEFTOUT: left_out.pat:3:9: error: 'exp' changes more than the type of its operand, and cannot be left out
// LEFTOUT-NEXT:   with  exp(%x)?
// LEFTOUT-NEXT: ^

//--- no_operator.pat
rule r {
  match nn.relu(%x)
  with  abs((%x + 1)?)
}
// NOOPERATOR: no_operator.pat:3:14: error: only an operator can be left out
// NOOPERATOR-NEXT:   with  abs((%x + 1)?)
// NOOPERATOR-NEXT: ^

//--- again.pat
rule r {
  match %o = (nn.relu(%x) | exp(%x))
  with  %o(abs(%x), %x)
}
// AGAIN: again.pat:3:9: error: 'nn.relu' takes one operand, not 2
// AGAIN-NEXT:   with  %o(abs(%x), %x)
// AGAIN-NEXT: ^

//--- again_attribute.pat
rule r {
  match %o = (nn.relu(%x) | exp(%x))
  with  %o(abs(%x)) {axis = 1}
}
// AGAINATTRIBUTE: again_attribute.pat:3:22: error: 'nn.relu' has no attribute 'axis'
// AGAINATTRIBUTE-NEXT:   with  %o(abs(%x)) {axis = 1}
// AGAINATTRIBUTE-NEXT: ^

//--- like.pat
rule r {
  match %o = nn.relu(%x)
  with  %o(abs(%x)) {%o}
}
// LIKE: like.pat:3:22: error: it has all attributes of what it is
// LIKE-NEXT:   with  %o(abs(%x)) {%o}
// LIKE-NEXT: ^
