// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @tuple_get_c1(%x: tensor<2xf32>) {
  // expected-error@+2 {{operand is tensor<2xf32>, not a tuple (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.tuple_get %x {index = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @tuple_get_c2(%x: tensor<2xf32>) {
  %0 = relay.tuple %x : (tensor<2xf32>) -> tuple<tensor<2xf32>>
  // expected-error@+2 {{tuple<tensor<2xf32>> has no field 1 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %1 = relay.tuple_get %0 {index = 1 : i64} : (tuple<tensor<2xf32>>) -> tensor<2xf32>
  return
}

// -----

func.func @tuple_get_c2_negative(%x: tensor<2xf32>) {
  %0 = relay.tuple %x : (tensor<2xf32>) -> tuple<tensor<2xf32>>
  // expected-error@+2 {{tuple<tensor<2xf32>> has no field -1 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %1 = relay.tuple_get %0 {index = -1 : i64} : (tuple<tensor<2xf32>>) -> tensor<2xf32>
  return
}

// -----

func.func @if_c1(%c: tensor<2xi1>, %x: tensor<2xf32>) {
  // expected-error@+1 {{condition is tensor<2xi1>, expected tensor<i1> (C1)}}
  %0 = relay.if %c : (tensor<2xi1>) -> tensor<2xf32> {
    relay.yield %x : tensor<2xf32>
  } else {
    relay.yield %x : tensor<2xf32>
  }
  return
}

// -----

func.func @if_c2(%c: tensor<i1>, %x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error@+1 {{the else region yields [tensor<3xf32>], expected [tensor<2xf32>] (C2)}}
  %0 = relay.if %c : (tensor<i1>) -> tensor<2xf32> {
    relay.yield %x : tensor<2xf32>
  } else {
    relay.yield %y : tensor<3xf32>
  }
  return
}
