// exp, log, tanh, erf, sin, cos and sigmoid against double precision, in units in the last place, over all
// magnitudes; and at infinities and NaN.
// RUN: %python %S/Inputs/math_functions.py inputs %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/math_functions.py check %t.in.npz %t.out.npz | FileCheck %s
// CHECK-COUNT-7: units in the last place

func.func @main(%x: tensor<400000xf32> {relay.name = "x"})
    -> (tensor<400000xf32> {relay.name = "exp"}, tensor<400000xf32> {relay.name = "log"}, tensor<400000xf32> {relay.name = "tanh"},
        tensor<400000xf32> {relay.name = "erf"}, tensor<400000xf32> {relay.name = "sin"}, tensor<400000xf32> {relay.name = "cos"}, tensor<400000xf32> {relay.name = "sigmoid"}) {
  %0 = relay.exp %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %1 = relay.log %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %2 = relay.tanh %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %3 = relay.erf %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %4 = relay.sin %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %5 = relay.cos %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %6 = relay.sigmoid %x : (tensor<400000xf32>) -> tensor<400000xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<400000xf32>, tensor<400000xf32>, tensor<400000xf32>, tensor<400000xf32>, tensor<400000xf32>, tensor<400000xf32>, tensor<400000xf32>
}
