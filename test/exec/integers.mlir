// Integer division where the machine would trap, remainders, and products of integers, as numpy has them.
// RUN: %python %S/Inputs/integers.py inputs %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/integers.py check %t.in.npz %t.out.npz

func.func @main(%x: tensor<63xi32> {relay.name = "x"}, %y: tensor<63xi32> {relay.name = "y"},
                %a: tensor<5x7xi32> {relay.name = "a"}, %b: tensor<7x19xi32> {relay.name = "b"})
    -> (tensor<63xi32> {relay.name = "divide"}, tensor<63xi32> {relay.name = "mod"},
        tensor<63xi32> {relay.name = "floor_divide"}, tensor<63xi32> {relay.name = "floor_mod"},
        tensor<5x19xi32> {relay.name = "matmul"}) {
  %0 = relay.divide %x, %y : (tensor<63xi32>, tensor<63xi32>) -> tensor<63xi32>
  %1 = relay.mod %x, %y : (tensor<63xi32>, tensor<63xi32>) -> tensor<63xi32>
  %2 = relay.floor_divide %x, %y : (tensor<63xi32>, tensor<63xi32>) -> tensor<63xi32>
  %3 = relay.floor_mod %x, %y : (tensor<63xi32>, tensor<63xi32>) -> tensor<63xi32>
  %4 = relay.nn.matmul %a, %b {transpose_a = false, transpose_b = false} : (tensor<5x7xi32>, tensor<7x19xi32>) -> tensor<5x19xi32>
  return %0, %1, %2, %3, %4 : tensor<63xi32>, tensor<63xi32>, tensor<63xi32>, tensor<63xi32>, tensor<5x19xi32>
}
