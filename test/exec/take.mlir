// Indices out of range are taken modulo the extent, as numpy's take does in the mode "wrap".
// RUN: %python %S/Inputs/take.py inputs %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/take.py check %t.in.npz %t.out.npz

func.func @main(%x: tensor<4x3xf32> {relay.name = "x"}, %i: tensor<6xi64> {relay.name = "i"}) -> (tensor<6x3xf32> {relay.name = "out"}) {
  %0 = relay.take %x, %i {axis = 0 : i64, mode = "wrap"} : (tensor<4x3xf32>, tensor<6xi64>) -> tensor<6x3xf32>
  return %0 : tensor<6x3xf32>
}
