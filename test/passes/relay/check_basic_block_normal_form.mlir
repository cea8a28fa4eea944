// RUN: relay-opt %s --check-basic-block-normal-form --split-input-file --verify-diagnostics | FileCheck %s
// What to-basic-block-normal-form makes is in the form.
// RUN: relay-opt %s --to-basic-block-normal-form --check-basic-block-normal-form --split-input-file | FileCheck %s --check-prefix=MADE
// MADE: func.func @one_branch
// MADE: relay.if
// MADE-NEXT: relay.exp

// A value that both branches use, or the scope itself, is at its place; so is what one branch computes for itself.
// CHECK-LABEL: func.func @normal
func.func @normal(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.if %c : (tensor<i1>) -> tensor<4xf32> {
    %2 = relay.abs %0 : (tensor<4xf32>) -> tensor<4xf32>
    relay.yield %2 : tensor<4xf32>
  } else {
    relay.yield %0 : tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}

// A call stays where it is, whoever uses it.
func.func private @f(tensor<4xf32>) -> tensor<4xf32>
func.func @call(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.if %c : (tensor<i1>) -> tensor<4xf32> {
    relay.yield %0 : tensor<4xf32>
  } else {
    relay.yield %x : tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}

// -----

func.func @one_branch(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'relay.exp' op is not in basic block normal form: only one branch uses it}}
  %0 = relay.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.if %c : (tensor<i1>) -> tensor<4xf32> {
    // expected-note@+1 {{the first use is here, in a branch}}
    %2 = relay.abs %0 : (tensor<4xf32>) -> tensor<4xf32>
    relay.yield %2 : tensor<4xf32>
  } else {
    relay.yield %x : tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}
