// Products whose result is far larger than their operands, with a second cache as small as makes these large: a panel of columns of the second
// operand is copied for many rows (on Zen 4; the numbers of another machine may decide otherwise). Against numpy in double precision, with the same bits however many threads share them. Rows, columns
// and panels that nothing divides, and what follows a product.
// RUN: %python %S/Inputs/large_results.py inputs %t.in.npz
// RUN: relayc compile %s --target="x86_64-unknown-linux-gnu -mcpu=znver4 -l2=256" --emit te | FileCheck %s
// RUN: relayc compile %s --target="native -l2=256" -o %t.so
// RUN: relayc run %t.so --threads 1 --inputs %t.in.npz --outputs %t.1.npz
// RUN: relayc run %t.so --threads 2 --inputs %t.in.npz --outputs %t.2.npz
// RUN: relayc run %t.so --threads 3 --inputs %t.in.npz --outputs %t.3.npz
// RUN: %python %S/Inputs/large_results.py check %t.in.npz %t.1.npz %t.2.npz %t.3.npz
// CHECK-COUNT-2: te.knobs = "product rows={{[0-9]+}} vectors={{[0-9]+}} part={{[0-9]+}} panel=

func.func @main(%batch_a: tensor<3x130x32xf32> {relay.name = "batch_a"},
                %batch_b: tensor<3x32x611xf32> {relay.name = "batch_b"},
                %one_a: tensor<517x20xf32> {relay.name = "one_a"},
                %one_b: tensor<20x1009xf32> {relay.name = "one_b"},
                %bias: tensor<1009xf32> {relay.name = "bias"})
    -> (tensor<3x130x611xf32> {relay.name = "batch"}, tensor<517x1009xf32> {relay.name = "one"}) {
  %batch = relay.nn.batch_matmul %batch_a, %batch_b : (tensor<3x130x32xf32>, tensor<3x32x611xf32>) -> tensor<3x130x611xf32>
  %sums = relay.nn.matmul %one_a, %one_b : (tensor<517x20xf32>, tensor<20x1009xf32>) -> tensor<517x1009xf32>
  %biased = relay.add %sums, %bias : (tensor<517x1009xf32>, tensor<1009xf32>) -> tensor<517x1009xf32>
  %one = relay.nn.relu %biased : (tensor<517x1009xf32>) -> tensor<517x1009xf32>
  return %batch, %one : tensor<3x130x611xf32>, tensor<517x1009xf32>
}
