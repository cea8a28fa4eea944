// RUN: relay-opt %s --remove-unused-functions | FileCheck %s --check-prefix=MAIN
// RUN: relay-opt %s --remove-unused-functions='entry-functions=main,other' | FileCheck %s --check-prefix=TWO
// RUN: relay-opt %s --pass-pipeline='builtin.module(remove-unused-functions{entry-functions=other})' | FileCheck %s --check-prefix=OTHER
// RUN: not relay-opt %s --remove-unused-functions='entry-functions=main,missing' 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not relay-opt %s --remove-unused-functions='entry-functions=' 2>&1 | FileCheck %s --check-prefix=NONE

// MISSING: error: 'builtin.module' op has no function @missing to be an entry
// NONE: error: 'builtin.module' op is given no entry: entry-functions names none

// What an entry reaches stays, through branches and through other functions.
// MAIN: func.func @main
// MAIN-NOT: @other
// MAIN: func.func private @direct
// MAIN: func.func private @through
// MAIN: func.func private @outside
// MAIN-NOT: @pair
// MAIN-NOT: @visible
// MAIN: func.func @named
// TWO: func.func @main
// TWO: func.func @other
// TWO: func.func private @direct
// TWO: func.func private @through
// TWO: func.func private @outside
// TWO-NOT: @pair
// TWO-NOT: @visible
// TWO: func.func @named
// OTHER-NOT: @main
// OTHER: func.func @other
// OTHER-NOT: @direct
// OTHER: func.func private @through
// OTHER-NOT: func.func
func.func @main(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.if %c : (tensor<i1>) -> tensor<4xf32> {
    %1 = func.call @direct(%x) : (tensor<4xf32>) -> tensor<4xf32>
    relay.yield %1 : tensor<4xf32>
  } else {
    %2 = func.call @outside(%x) : (tensor<4xf32>) -> tensor<4xf32>
    relay.yield %2 : tensor<4xf32>
  }
  // A function that is only named, not called, may be called by who is given it.
  %f = func.constant @named : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @through(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @direct(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @through(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @through(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func private @outside(tensor<4xf32>) -> tensor<4xf32>
// These reach each other, and nothing else reaches them.
func.func private @pair_one(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @pair_two(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @pair_two(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @pair_one(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @visible(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @main_like(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @main_like(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @named(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
