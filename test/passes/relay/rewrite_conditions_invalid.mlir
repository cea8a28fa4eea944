// Conditions that never or always hold, and names that were probably meant.
// RUN: split-file %s %t
// RUN: not relay-opt --rewrite=%t/never_equal.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=NEVEREQUAL
// RUN: not relay-opt --rewrite=%t/never_attribute.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=NEVERATTRIBUTE
// RUN: not relay-opt --rewrite=%t/always.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=ALWAYS
// RUN: not relay-opt --rewrite=%t/no_condition.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=NOCONDITION
// RUN: not relay-opt --rewrite=%t/bound_inside.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=BOUNDINSIDE
// RUN: not relay-opt --rewrite=%t/meant.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=MEANT
// RUN: not relay-opt --rewrite=%t/meant_prefix.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=MEANTPREFIX
// RUN: not relay-opt --rewrite=%t/meant_attribute.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=MEANTATTRIBUTE
// RUN: not relay-opt --rewrite=%t/meant_function.pat %t/in.mlir 2>&1 | FileCheck %s --check-prefix=MEANTFUNCTION

//--- in.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Data of two kinds are never the same.
//--- never_equal.pat
rule r {
  match nn.relu(%x)
  where shape(%x) == 3
  with  %x
}
// NEVEREQUAL: never_equal.pat:3:9: error: this never holds: a list is never a number

//--- never_attribute.pat
rule r {
  match %c = nn.conv2d(%x, %w)
  let wanted = 1
  where %c.strides == wanted
  with  %x
}
// NEVERATTRIBUTE: never_attribute.pat:4:9: error: this never holds: a list is never a number

//--- always.pat
rule r {
  match nn.relu(%x)
  where element(%x) != "f32"
  with  %x
}
// ALWAYS: always.pat:3:9: error: this always holds: an element type is never a text

//--- no_condition.pat
rule r {
  match nn.relu(%x)
  where rank(%x)
  with  %x
}
// NOCONDITION: no_condition.pat:3:9: error: this is a number, no condition

//--- bound_inside.pat
rule r {
  match %x * %c = nn.relu(%y)
  with  %x + %c + %y
}
// BOUNDINSIDE: bound_inside.pat:2:17: error: '=' does not fit here; to name a part of a pattern, write (%c = ...), and to compare, ==

// What was probably meant.
//--- meant.pat
rule r {
  match nn.leaky_rleu(%x)
  with  %x
}
// MEANT: meant.pat:2:9: error: there is no operator 'nn.leaky_rleu'; did you mean 'nn.leaky_relu'?

//--- meant_prefix.pat
rule r {
  match nn.relu(%x)
  with  softmax(%x) {axis = 0}
}
// MEANTPREFIX: meant_prefix.pat:3:9: error: there is no operator 'softmax'; did you mean 'nn.softmax'?

//--- meant_attribute.pat
rule r {
  match nn.softmax(%x) {axes = 1}
  with  %x
}
// MEANTATTRIBUTE: meant_attribute.pat:2:25: error: 'nn.softmax' has no attribute 'axes'; did you mean 'axis'?

//--- meant_function.pat
rule r {
  match nn.relu(%x)
  where ranks(%x) == 1
  with  %x
}
// MEANTFUNCTION: meant_function.pat:3:9: error: there is no function 'ranks'; did you mean 'rank'?
