// What is said of open dimensions has to fit together.
// RUN: rm -rf %t && split-file %s %t
// RUN: not relay-translate --to-llvm %t/unsaid.mlir 2>&1 | FileCheck %s --check-prefix=UNSAID
// RUN: not relay-translate --to-llvm %t/derived.mlir 2>&1 | FileCheck %s --check-prefix=DERIVED
// RUN: not relay-translate --to-llvm %t/unknown.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not relay-translate --to-llvm %t/unclear.mlir 2>&1 | FileCheck %s --check-prefix=UNCLEAR
// RUN: not relay-translate --to-llvm %t/negative.mlir 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not relay-translate --to-llvm %t/few.mlir 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not relay-translate --to-llvm %t/bounds.mlir 2>&1 | FileCheck %s --check-prefix=BOUNDS

// UNSAID: no input has the symbol 'n' as a dimension, so that nothing says its value when the model runs: fix it (--shape)
// DERIVED: no input has the symbol 'n' as a dimension
// UNKNOWN: 'y' has the extent m + 1, and the module's relay.symbols has no 'm'
// UNCLEAR: 'y', a parameter of @main, is memref<f32>: its relay.dims is ["n", "?"]
// NEGATIVE: 'y', a parameter of @main, is memref<f32>: its relay.dims is ["n", -4]
// FEW: @main has 3 parameters, its inputs, its outputs, 1 symbols and the arena: they do not fit its relay.num_inputs
// BOUNDS: attribute 'relay.symbols' is {n = array<i64: 8, 4, 1, 4>}, not a dictionary of array<i64: least, most, multiple, typical>

//--- unsaid.mlir
module attributes {relay.symbols = {n = array<i64: 1, 64, 1, 4>}} {
  func.func @main(%x: memref<f32> {relay.name = "x"}, %y: memref<f32> {relay.name = "y", relay.dims = ["n"]}, %n: index) attributes {relay.num_inputs = 1 : i64} {
    return
  }
}
//--- derived.mlir
module attributes {relay.symbols = {n = array<i64: 1, 64, 1, 4>}} {
  func.func @main(%x: memref<f32> {relay.name = "x", relay.dims = ["2*n"]}, %y: memref<f32> {relay.name = "y", relay.dims = ["n"]}, %n: index) attributes {relay.num_inputs = 1 : i64} {
    return
  }
}
//--- unknown.mlir
module attributes {relay.symbols = {n = array<i64: 1, 64, 1, 4>}} {
  func.func @main(%x: memref<f32> {relay.name = "x", relay.dims = ["n"]}, %y: memref<f32> {relay.name = "y", relay.dims = ["n", "m + 1"]}, %n: index) attributes {relay.num_inputs = 1 : i64} {
    return
  }
}
//--- unclear.mlir
module attributes {relay.symbols = {n = array<i64: 1, 64, 1, 4>}} {
  func.func @main(%x: memref<f32> {relay.name = "x", relay.dims = ["n"]}, %y: memref<f32> {relay.name = "y", relay.dims = ["n", "?"]}, %n: index) attributes {relay.num_inputs = 1 : i64} {
    return
  }
}
//--- negative.mlir
module attributes {relay.symbols = {n = array<i64: 1, 64, 1, 4>}} {
  func.func @main(%x: memref<f32> {relay.name = "x", relay.dims = ["n"]}, %y: memref<f32> {relay.name = "y", relay.dims = ["n", -4]}, %n: index) attributes {relay.num_inputs = 1 : i64} {
    return
  }
}
//--- few.mlir
module attributes {relay.symbols = {n = array<i64: 1, 64, 1, 4>}} {
  func.func @main(%x: memref<f32> {relay.name = "x", relay.dims = ["n"]}, %y: memref<f32> {relay.name = "y", relay.dims = ["n"]}) attributes {relay.num_inputs = 1 : i64} {
    return
  }
}
//--- bounds.mlir
module attributes {relay.symbols = {n = array<i64: 8, 4, 1, 4>}} {
  func.func @main(%x: memref<f32> {relay.name = "x", relay.dims = ["n"]}, %y: memref<f32> {relay.name = "y", relay.dims = ["n"]}, %n: index) attributes {relay.num_inputs = 1 : i64} {
    return
  }
}
