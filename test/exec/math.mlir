// Functions of one number against double precision, in units in the last place, over all magnitudes; and at infinities and NaN.
// RUN: %python %S/Inputs/math_functions.py inputs %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/math_functions.py check %t.in.npz %t.out.npz | FileCheck %s
// CHECK-COUNT-18: units in the last place

// The same on a GPU, run by the emulated driver.
// RUN: relayc compile %s --target "nvidia/h100 -emulated" -o %t.so
// RUN: relayc run %t.so --inputs %t.in.npz --outputs %t.gpu.npz
// RUN: %python %S/Inputs/math_functions.py check %t.in.npz %t.gpu.npz gpu | FileCheck %s

func.func @main(%x: tensor<400000xf32> {relay.name = "x"})
    -> (tensor<400000xf32> {relay.name = "exp"},
        tensor<400000xf32> {relay.name = "log"},
        tensor<400000xf32> {relay.name = "tanh"},
        tensor<400000xf32> {relay.name = "erf"},
        tensor<400000xf32> {relay.name = "sin"},
        tensor<400000xf32> {relay.name = "cos"},
        tensor<400000xf32> {relay.name = "sigmoid"},
        tensor<400000xf32> {relay.name = "acos"},
        tensor<400000xf32> {relay.name = "acosh"},
        tensor<400000xf32> {relay.name = "asin"},
        tensor<400000xf32> {relay.name = "asinh"},
        tensor<400000xf32> {relay.name = "atan"},
        tensor<400000xf32> {relay.name = "atanh"},
        tensor<400000xf32> {relay.name = "cosh"},
        tensor<400000xf32> {relay.name = "log10"},
        tensor<400000xf32> {relay.name = "log2"},
        tensor<400000xf32> {relay.name = "sinh"},
        tensor<400000xf32> {relay.name = "tan"}) {
  %0 = relay.exp %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %1 = relay.log %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %2 = relay.tanh %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %3 = relay.erf %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %4 = relay.sin %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %5 = relay.cos %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %6 = relay.sigmoid %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %7 = relay.acos %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %8 = relay.acosh %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %9 = relay.asin %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %10 = relay.asinh %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %11 = relay.atan %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %12 = relay.atanh %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %13 = relay.cosh %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %14 = relay.log10 %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %15 = relay.log2 %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %16 = relay.sinh %x : (tensor<400000xf32>) -> tensor<400000xf32>
  %17 = relay.tan %x : (tensor<400000xf32>) -> tensor<400000xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17
    : tensor<400000xf32>, tensor<400000xf32>, tensor<400000xf32>, tensor<400000xf32>, tensor<400000xf32>, tensor<400000xf32>, tensor<400000xf32>, tensor<400000xf32>, tensor<400000xf32>, tensor<400000xf32>, tensor<400000xf32>, tensor<400000xf32>, tensor<400000xf32>, tensor<400000xf32>, tensor<400000xf32>, tensor<400000xf32>, tensor<400000xf32>, tensor<400000xf32>
}
