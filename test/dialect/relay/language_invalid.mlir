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

// -----

func.func @scan_c1(%h: tensor<4xf32>, %xs: tensor<3x4xf32>) {
  // expected-error@+1 {{tensor<3x4xf32> is no tensor that begins with 5 (C1)}}
  %0:2 = relay.scan %h, %xs {states = 1 : i64, trips = [5], reversed = array<i64: 0, 0>} : (tensor<4xf32>, tensor<3x4xf32>) -> (tensor<4xf32>, tensor<3x4xf32>) {
  ^bb0(%i: tensor<i64>, %b: tensor<4xf32>, %x: tensor<4xf32>):
    relay.yield %b, %x : tensor<4xf32>, tensor<4xf32>
  }
  return
}

// -----

func.func @scan_c1_states(%h: tensor<4xf32>, %xs: tensor<3x4xf32>) {
  // expected-error@+1 {{has 2 operands and 2 results, and 'states' is 3 : i64 (C1)}}
  %0:2 = relay.scan %h, %xs {states = 3 : i64, trips = [3], reversed = array<i64: 0, 0>} : (tensor<4xf32>, tensor<3x4xf32>) -> (tensor<4xf32>, tensor<3x4xf32>) {
  ^bb0(%i: tensor<i64>, %b: tensor<4xf32>, %x: tensor<4xf32>):
    relay.yield %b, %x : tensor<4xf32>, tensor<4xf32>
  }
  return
}

// -----

func.func @scan_c1_trips(%h: tensor<4xf32>, %xs: tensor<3x4xf32>) {
  // expected-error@+1 {{'trips' is not one number or form (C1)}}
  %0:2 = relay.scan %h, %xs {states = 1 : i64, trips = [3, 3], reversed = array<i64: 0, 0>} : (tensor<4xf32>, tensor<3x4xf32>) -> (tensor<4xf32>, tensor<3x4xf32>) {
  ^bb0(%i: tensor<i64>, %b: tensor<4xf32>, %x: tensor<4xf32>):
    relay.yield %b, %x : tensor<4xf32>, tensor<4xf32>
  }
  return
}

// -----

func.func @scan_c2(%h: tensor<4xf32>, %xs: tensor<3x4xf32>) {
  // expected-error@+1 {{the region takes [tensor<i64>, tensor<4xf32>], expected [tensor<i64>, tensor<4xf32>, tensor<4xf32>] (C2)}}
  %0:2 = relay.scan %h, %xs {states = 1 : i64, trips = [3], reversed = array<i64: 0, 0>} : (tensor<4xf32>, tensor<3x4xf32>) -> (tensor<4xf32>, tensor<3x4xf32>) {
  ^bb0(%i: tensor<i64>, %b: tensor<4xf32>):
    relay.yield %b, %b : tensor<4xf32>, tensor<4xf32>
  }
  return
}

// -----

func.func @scan_c3(%h: tensor<4xf32>, %xs: tensor<3x4xf32>) {
  // expected-error@+1 {{the region yields [tensor<4xf32>, tensor<i64>], expected [tensor<4xf32>, tensor<4xf32>] (C3)}}
  %0:2 = relay.scan %h, %xs {states = 1 : i64, trips = [3], reversed = array<i64: 0, 0>} : (tensor<4xf32>, tensor<3x4xf32>) -> (tensor<4xf32>, tensor<3x4xf32>) {
  ^bb0(%i: tensor<i64>, %b: tensor<4xf32>, %x: tensor<4xf32>):
    relay.yield %b, %i : tensor<4xf32>, tensor<i64>
  }
  return
}

// -----

func.func @scan_c4(%h: tensor<4xf32>, %xs: tensor<3x4xf32>) {
  // expected-error@+1 {{'reversed' is [0, 2], expected 0 or 1 for each of 2 sequences and outputs (C4)}}
  %0:2 = relay.scan %h, %xs {states = 1 : i64, trips = [3], reversed = array<i64: 0, 2>} : (tensor<4xf32>, tensor<3x4xf32>) -> (tensor<4xf32>, tensor<3x4xf32>) {
  ^bb0(%i: tensor<i64>, %b: tensor<4xf32>, %x: tensor<4xf32>):
    relay.yield %b, %x : tensor<4xf32>, tensor<4xf32>
  }
  return
}

// -----

func.func @while_c1(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error@+1 {{the number of steps and the condition are [tensor<i1>, tensor<i1>], expected tensor<i64> and tensor<i1> (C1)}}
  %0 = relay.while %c, %c, %x : (tensor<i1>, tensor<i1>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%i: tensor<i64>, %b: tensor<4xf32>):
    relay.yield %c, %b : tensor<i1>, tensor<4xf32>
  }
  return
}

// -----

func.func @while_c2(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error@+1 {{the region takes [tensor<i64>, tensor<i64>], expected [tensor<i64>, tensor<4xf32>] (C2)}}
  %0 = relay.while %n, %c, %x : (tensor<i64>, tensor<i1>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%i: tensor<i64>, %b: tensor<i64>):
    relay.yield %c, %x : tensor<i1>, tensor<4xf32>
  }
  return
}

// -----

func.func @while_c3(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error@+1 {{the region yields [tensor<4xf32>], expected [tensor<i1>, tensor<4xf32>] (C3)}}
  %0 = relay.while %n, %c, %x : (tensor<i64>, tensor<i1>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%i: tensor<i64>, %b: tensor<4xf32>):
    relay.yield %b : tensor<4xf32>
  }
  return
}

// -----

func.func @dim_of_c1(%n: tensor<1xi64>) {
  // expected-error@+1 {{reads tensor<1xi64>, expected tensor<i64> (C1)}}
  relay.dim_of %n {symbol = "k"} : (tensor<1xi64>) -> ()
  return
}

// -----

func.func @dim_of_c2(%n: tensor<i64>) {
  // expected-error@+1 {{'2*k' is no name of a symbol (C2)}}
  relay.dim_of %n {symbol = "2*k"} : (tensor<i64>) -> ()
  return
}

// -----

func.func @dim_of_c3(%n: tensor<i64>) {
  // expected-error@+1 {{a bound is -1 : i64, no dimension (C3)}}
  relay.dim_of %n {symbol = "k", least = -1 : i64} : (tensor<i64>) -> ()
  return
}
