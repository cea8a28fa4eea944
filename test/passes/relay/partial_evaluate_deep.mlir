// Values that are made of as many others as a program has: tensors of tensors, and a list. Of such a program as much is
// known as the stack has memory for.
// RUN: %python %S/Inputs/deep_values.py 20000 > %t.mlir
// RUN: relay-opt %t.mlir --partial-evaluate | FileCheck %s
// CHECK-LABEL: func.func @tensors(
// CHECK-COUNT-20000: relay.tanh
// CHECK-NOT: relay.tanh
// CHECK-LABEL: func.func @list(
// CHECK: relay.construct @List::@Nil
// CHECK-COUNT-20000: relay.construct @List::@Cons
// CHECK-NOT: relay.construct @
