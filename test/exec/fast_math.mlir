// The approximations of fast-math against double precision, over all magnitudes, and at infinities and NaN.
// RUN: %python %S/Inputs/math_functions.py inputs %t.in.npz
// RUN: relay-opt %s --fast-math -o %t.mlir
// RUN: FileCheck %s --check-prefix=FAST --input-file=%t.mlir
// RUN: relayc run %t.mlir --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/math_functions.py check %t.in.npz %t.out.npz | FileCheck %s
// CHECK-COUNT-3: units in the last place
// FAST: relay.fast_exp
// FAST: relay.fast_tanh
// FAST: relay.fast_erf

func.func @main(%x: tensor<400000xf32> {relay.name = "x"})
    -> (tensor<400000xf32> {relay.name = "fast_exp"}, tensor<400000xf32> {relay.name = "fast_tanh"}, tensor<400000xf32> {relay.name = "fast_erf"}) {
  %0 = relay.exp %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %1 = relay.tanh %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %2 = relay.erf %x : (tensor<400000xf32>) -> tensor<400000xf32>
  return %0, %1, %2 : tensor<400000xf32>, tensor<400000xf32>, tensor<400000xf32>
}
