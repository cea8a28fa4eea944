// NaN is the largest and the smallest, the first one wins; a row of infinities has an index, too.
// RUN: %python %S/Inputs/argmax_nan.py inputs %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/argmax_nan.py check %t.in.npz %t.out.npz

func.func @main(%x: tensor<5x4xf32> {relay.name = "x"})
    -> (tensor<5xi64> {relay.name = "argmax"}, tensor<5xi64> {relay.name = "argmin"}) {
  %0 = relay.argmax %x {axis = array<i64: 1>} : (tensor<5x4xf32>) -> tensor<5xi64>
  %1 = relay.argmin %x {axis = array<i64: 1>} : (tensor<5x4xf32>) -> tensor<5xi64>
  return %0, %1 : tensor<5xi64>, tensor<5xi64>
}
