// Elements that are only stored: every byte of each type, conversions from and to all types, and those that only move, beside ml_dtypes.
// REQUIRES: time
// RUN: %python %S/Inputs/stored_types.py relayc %t | FileCheck %s
// RUN: %python %S/Inputs/stored_types.py relayc %t --opt-level 0 | FileCheck %s
// CHECK-COUNT-9: checked

// They are bytes to kernels, and have their names to who runs a library.
// RUN: relayc compile %s -o %t.so
// RUN: relayc inspect %t.so | FileCheck %s --check-prefix=INSPECT
// INSPECT: x: f8E4M3FN[4]
// INSPECT: w: i4[4]
// INSPECT: f4E2M1FN[4]
func.func @main(%x: tensor<4xf8E4M3FN> {relay.name = "x"}, %w: tensor<4xi4> {relay.name = "w"})
    -> (tensor<4xf4E2M1FN>, tensor<4xi4>) {
  %0 = relay.cast %x {dtype = f4E2M1FN} : (tensor<4xf8E4M3FN>) -> tensor<4xf4E2M1FN>
  %1 = relay.constant dense<[-8, 7, -1, 0]> : tensor<4xi4>
  %2 = relay.concatenate %w, %1 {axis = 0 : i64} : (tensor<4xi4>, tensor<4xi4>) -> tensor<8xi4>
  %3 = relay.strided_slice %2 {begin = array<i64: 2>, end = array<i64: 6>, strides = array<i64: 1>, axes = array<i64: 0>}
    : (tensor<8xi4>) -> tensor<4xi4>
  return %0, %3 : tensor<4xf4E2M1FN>, tensor<4xi4>
}
