// RUN: relay-opt %s --equate-dims --split-input-file --verify-diagnostics

// No size is 3 and 4.
// expected-error@below {{'second' takes the dimensions n and 4 to be equal; by what others take, they are 3 and 4}}
module {
  func.func @main(%x: tensor<?xf32, ["n"]>, %y: tensor<3xf32>, %z: tensor<4xf32>) -> tensor<3xf32> {
    %0 = relay.add %x, %y : (tensor<?xf32, ["n"]>, tensor<3xf32>) -> tensor<3xf32> loc("first")
    %1 = relay.add %x, %z : (tensor<?xf32, ["n"]>, tensor<4xf32>) -> tensor<4xf32> loc("second")
    return %0 : tensor<3xf32>
  }
}

// -----

// expected-error@below {{attribute 'relay.conditions' is}}
module attributes {relay.conditions = [["n", "?", "sum"]]} {
}

// -----

// What the graph computes is not known at preparation.
module {
  func.func @main(%x: tensor<?xf32, ["n"]>) -> tensor<?xf32, ["k"]> {
    %0:2 = relay.nonzero %x : (tensor<?xf32, ["n"]>) -> (tensor<1x?xi64, ["n"]>, tensor<i64>)
    relay.dim_of %0#1 {symbol = "k", most = "n"} : (tensor<i64>) -> ()
    %1 = relay.prefix %x {axis = 0 : i64, extent = ["k"]} : (tensor<?xf32, ["n"]>) -> tensor<?xf32, ["k"]>
    // expected-error@below {{takes the dimensions n and k to be equal, and the graph computes 'k': only dimensions of inputs are compared}}
    %2 = relay.add %x, %1 : (tensor<?xf32, ["n"]>, tensor<?xf32, ["k"]>) -> tensor<?xf32, ["k"]>
    return %2 : tensor<?xf32, ["k"]>
  }
}
