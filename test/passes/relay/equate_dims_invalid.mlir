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
