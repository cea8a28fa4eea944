// Functions of f64 on a GPU, run by the emulated driver, against more digits, in units in the last place, over all magnitudes; and at infinities and NaN.
// RUN: %python %S/Inputs/math_functions_f64.py inputs %t.in.npz
// RUN: relayc compile %s --target "nvidia/h100 -emulated" -o %t.so
// RUN: relayc run %t.so --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/math_functions_f64.py check %t.in.npz %t.out.npz | FileCheck %s
// CHECK-COUNT-25: units in the last place

// The GPUs' own code has no calls.
// RUN: relayc compile %s --target nvidia/h100 --emit gpu | FileCheck %s --check-prefix=PTX
// RUN: relayc compile %s --target amd/mi300x -o %t.amd.so
// PTX-NOT: call
// PTX: fma.rn.f64
// PTX-NOT: call

// Functions that no operator has.
func.func private @cbrt(%x: tensor<100000xf64>) -> tensor<100000xf64> attributes {relay.primitive} {
  %result = te.compute "cbrt" (%i: 100000) {
    %a = tensor.extract %x[%i] : tensor<100000xf64>
    %c = math.cbrt %a : f64
    te.yield %c : f64
  } : tensor<100000xf64>
  te.schedule {
    %s = te.stage %result : tensor<100000xf64>
    %i = te.axes %s
    te.parallel %i
  }
  return %result : tensor<100000xf64>
}

func.func private @erfc(%x: tensor<100000xf64>) -> tensor<100000xf64> attributes {relay.primitive} {
  %result = te.compute "erfc" (%i: 100000) {
    %a = tensor.extract %x[%i] : tensor<100000xf64>
    %c = math.erfc %a : f64
    te.yield %c : f64
  } : tensor<100000xf64>
  te.schedule {
    %s = te.stage %result : tensor<100000xf64>
    %i = te.axes %s
    te.parallel %i
  }
  return %result : tensor<100000xf64>
}

func.func private @exp2(%x: tensor<100000xf64>) -> tensor<100000xf64> attributes {relay.primitive} {
  %result = te.compute "exp2" (%i: 100000) {
    %a = tensor.extract %x[%i] : tensor<100000xf64>
    %c = math.exp2 %a : f64
    te.yield %c : f64
  } : tensor<100000xf64>
  te.schedule {
    %s = te.stage %result : tensor<100000xf64>
    %i = te.axes %s
    te.parallel %i
  }
  return %result : tensor<100000xf64>
}

func.func private @expm1(%x: tensor<100000xf64>) -> tensor<100000xf64> attributes {relay.primitive} {
  %result = te.compute "expm1" (%i: 100000) {
    %a = tensor.extract %x[%i] : tensor<100000xf64>
    %c = math.expm1 %a : f64
    te.yield %c : f64
  } : tensor<100000xf64>
  te.schedule {
    %s = te.stage %result : tensor<100000xf64>
    %i = te.axes %s
    te.parallel %i
  }
  return %result : tensor<100000xf64>
}

func.func private @log1p(%x: tensor<100000xf64>) -> tensor<100000xf64> attributes {relay.primitive} {
  %result = te.compute "log1p" (%i: 100000) {
    %a = tensor.extract %x[%i] : tensor<100000xf64>
    %c = math.log1p %a : f64
    te.yield %c : f64
  } : tensor<100000xf64>
  te.schedule {
    %s = te.stage %result : tensor<100000xf64>
    %i = te.axes %s
    te.parallel %i
  }
  return %result : tensor<100000xf64>
}

func.func private @atan2(%x: tensor<100000xf64>, %y: tensor<100000xf64>) -> tensor<100000xf64> attributes {relay.primitive} {
  %result = te.compute "atan2" (%i: 100000) {
    %a = tensor.extract %x[%i] : tensor<100000xf64>
    %b = tensor.extract %y[%i] : tensor<100000xf64>
    %c = math.atan2 %a, %b : f64
    te.yield %c : f64
  } : tensor<100000xf64>
  te.schedule {
    %s = te.stage %result : tensor<100000xf64>
    %i = te.axes %s
    te.parallel %i
  }
  return %result : tensor<100000xf64>
}

func.func @main(%x: tensor<100000xf64> {relay.name = "x"}, %y: tensor<100000xf64> {relay.name = "y"})
    -> (tensor<100000xf64> {relay.name = "exp"},
        tensor<100000xf64> {relay.name = "log"},
        tensor<100000xf64> {relay.name = "tanh"},
        tensor<100000xf64> {relay.name = "erf"},
        tensor<100000xf64> {relay.name = "sin"},
        tensor<100000xf64> {relay.name = "cos"},
        tensor<100000xf64> {relay.name = "tan"},
        tensor<100000xf64> {relay.name = "sigmoid"},
        tensor<100000xf64> {relay.name = "acos"},
        tensor<100000xf64> {relay.name = "acosh"},
        tensor<100000xf64> {relay.name = "asin"},
        tensor<100000xf64> {relay.name = "asinh"},
        tensor<100000xf64> {relay.name = "atan"},
        tensor<100000xf64> {relay.name = "atanh"},
        tensor<100000xf64> {relay.name = "cosh"},
        tensor<100000xf64> {relay.name = "sinh"},
        tensor<100000xf64> {relay.name = "log10"},
        tensor<100000xf64> {relay.name = "log2"},
        tensor<100000xf64> {relay.name = "power"},
        tensor<100000xf64> {relay.name = "cbrt"},
        tensor<100000xf64> {relay.name = "erfc"},
        tensor<100000xf64> {relay.name = "exp2"},
        tensor<100000xf64> {relay.name = "expm1"},
        tensor<100000xf64> {relay.name = "log1p"},
        tensor<100000xf64> {relay.name = "atan2"}) {
  %exp = relay.exp %x : (tensor<100000xf64>) -> tensor<100000xf64>
  %log = relay.log %x : (tensor<100000xf64>) -> tensor<100000xf64>
  %tanh = relay.tanh %x : (tensor<100000xf64>) -> tensor<100000xf64>
  %erf = relay.erf %x : (tensor<100000xf64>) -> tensor<100000xf64>
  %sin = relay.sin %x : (tensor<100000xf64>) -> tensor<100000xf64>
  %cos = relay.cos %x : (tensor<100000xf64>) -> tensor<100000xf64>
  %tan = relay.tan %x : (tensor<100000xf64>) -> tensor<100000xf64>
  %sigmoid = relay.sigmoid %x : (tensor<100000xf64>) -> tensor<100000xf64>
  %acos = relay.acos %x : (tensor<100000xf64>) -> tensor<100000xf64>
  %acosh = relay.acosh %x : (tensor<100000xf64>) -> tensor<100000xf64>
  %asin = relay.asin %x : (tensor<100000xf64>) -> tensor<100000xf64>
  %asinh = relay.asinh %x : (tensor<100000xf64>) -> tensor<100000xf64>
  %atan = relay.atan %x : (tensor<100000xf64>) -> tensor<100000xf64>
  %atanh = relay.atanh %x : (tensor<100000xf64>) -> tensor<100000xf64>
  %cosh = relay.cosh %x : (tensor<100000xf64>) -> tensor<100000xf64>
  %sinh = relay.sinh %x : (tensor<100000xf64>) -> tensor<100000xf64>
  %log10 = relay.log10 %x : (tensor<100000xf64>) -> tensor<100000xf64>
  %log2 = relay.log2 %x : (tensor<100000xf64>) -> tensor<100000xf64>
  %power = relay.power %x, %y : (tensor<100000xf64>, tensor<100000xf64>) -> tensor<100000xf64>
  %cbrt = call @cbrt(%x) : (tensor<100000xf64>) -> tensor<100000xf64>
  %erfc = call @erfc(%x) : (tensor<100000xf64>) -> tensor<100000xf64>
  %exp2 = call @exp2(%x) : (tensor<100000xf64>) -> tensor<100000xf64>
  %expm1 = call @expm1(%x) : (tensor<100000xf64>) -> tensor<100000xf64>
  %log1p = call @log1p(%x) : (tensor<100000xf64>) -> tensor<100000xf64>
  %atan2 = call @atan2(%x, %y) : (tensor<100000xf64>, tensor<100000xf64>) -> tensor<100000xf64>
  return %exp, %log, %tanh, %erf, %sin, %cos, %tan, %sigmoid, %acos, %acosh, %asin, %asinh, %atan, %atanh, %cosh, %sinh, %log10, %log2, %power, %cbrt, %erfc, %exp2, %expm1, %log1p, %atan2
    : tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>, tensor<100000xf64>
}
