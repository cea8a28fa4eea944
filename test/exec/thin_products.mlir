// Products of one column, whose loops LLVM makes vectors of: against numpy in double precision, with the same bits however many
// threads share them.
// RUN: %python %S/Inputs/thin_products.py inputs %t.in.npz
// RUN: relayc compile %s -o %t.so
// RUN: relayc run %t.so --threads 1 --inputs %t.in.npz --outputs %t.1.npz
// RUN: relayc run %t.so --threads 2 --inputs %t.in.npz --outputs %t.2.npz
// RUN: relayc run %t.so --threads 3 --inputs %t.in.npz --outputs %t.3.npz
// RUN: %python %S/Inputs/thin_products.py check %t.in.npz %t.1.npz %t.2.npz %t.3.npz

func.func @main(%a: tensor<480x6x6xf32> {relay.name = "a"}, %b: tensor<480x6x1xf32> {relay.name = "b"})
    -> (tensor<480x6x1xf32> {relay.name = "out"}) {
  %0 = relay.nn.batch_matmul %a, %b {transpose_b = false} : (tensor<480x6x6xf32>, tensor<480x6x1xf32>) -> tensor<480x6x1xf32>
  return %0 : tensor<480x6x1xf32>
}
