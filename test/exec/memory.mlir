// Concatenations that are computed in place, and outputs in the place of inputs, do not disturb who
// else reads the buffers; every operator on its own, and fused, on one thread and on two.
// RUN: %python %S/Inputs/memory.py inputs %t.in.npz
// RUN: relayc compile %s --opt-level 0 --dump-ir %t.passes -o %t.0.so
// RUN: cat %t.passes/*-plan-memory.mlir | FileCheck %s
// RUN: relayc run %t.0.so --threads 1 --inputs %t.in.npz --outputs %t.0.npz
// RUN: %python %S/Inputs/memory.py check %t.in.npz %t.0.npz
// RUN: relayc run %s --opt-level 3 --threads 2 --inputs %t.in.npz --outputs %t.3.npz
// RUN: %python %S/Inputs/memory.py check %t.in.npz %t.3.npz

// CHECK-LABEL: func.func @main
// CHECK-NOT: call @fused_concatenate
// CHECK: call @fused_add
// CHECK: call @fused_concatenate
// CHECK-NOT: call @fused_concatenate
// CHECK: return
// CHECK: tir.in_place
!half = tensor<1x4x8x16xf32>
!whole = tensor<1x8x8x16xf32>
!more = tensor<1x16x8x16xf32>
func.func @main(%x: !half {relay.name = "x"})
    -> (!more {relay.name = "nested"}, !whole {relay.name = "sum"}, !whole {relay.name = "again"}) {
  %a = relay.nn.relu %x : (!half) -> !half
  %b = relay.add %a, %a : (!half, !half) -> !half
  // Both inputs are computed in place; %a is read again much later.
  %c = relay.concatenate %a, %b {axis = 1 : i64} : (!half, !half) -> !whole
  %d = relay.negative %c : (!whole) -> !whole
  // %c moves on into a larger one, together with what was computed from it.
  %e = relay.concatenate %c, %d {axis = 1 : i64} : (!whole, !whole) -> !more
  %f = relay.negative %e : (!more) -> !more
  %nested = relay.negative %f : (!more) -> !more
  %g = relay.add %c, %d : (!whole, !whole) -> !whole
  %h = relay.add %g, %c : (!whole, !whole) -> !whole
  %sum = relay.add %h, %d : (!whole, !whole) -> !whole
  // %a and %b lie in %c already.
  %again = relay.concatenate %b, %a {axis = 1 : i64} : (!half, !half) -> !whole
  return %nested, %sum, %again : !more, !whole, !whole
}
