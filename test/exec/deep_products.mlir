// Products that sum over so much that a small second cache holds few rows of the first operand, in strips of the second one: against numpy in
// double precision, with the same bits however many threads share them. Rows and columns that tiles do not divide, and what follows a product.
// RUN: %python %S/Inputs/deep_products.py inputs %t.in.npz
// RUN: relayc compile %s --target="native -l2=128" --emit te | FileCheck %s
// RUN: relayc compile %s --target="native -l2=128" -o %t.so
// RUN: relayc run %t.so --threads 1 --inputs %t.in.npz --outputs %t.1.npz
// RUN: relayc run %t.so --threads 2 --inputs %t.in.npz --outputs %t.2.npz
// RUN: relayc run %t.so --threads 3 --inputs %t.in.npz --outputs %t.3.npz
// RUN: %python %S/Inputs/deep_products.py check %t.in.npz %t.1.npz %t.2.npz %t.3.npz
// CHECK-COUNT-3: te.knobs = "product rows={{[0-9]+}} vectors={{[0-9]+}} part={{[0-9]+}} depth=

func.func @main(%parts_a: tensor<100x1024xf32> {relay.name = "parts_a"},
                %parts_b: tensor<32x1024x8xf32> {relay.name = "parts_b"},
                %bias: tensor<256xf32> {relay.name = "bias"},
                %odd_a: tensor<61x2035xf32> {relay.name = "odd_a"},
                %odd_b: tensor<13x2035x8xf32> {relay.name = "odd_b"},
                %wide_a: tensor<37x4096xf32> {relay.name = "wide_a"},
                %wide_b: tensor<64x4096x8xf32> {relay.name = "wide_b"})
    -> (tensor<100x256xf32> {relay.name = "parts"}, tensor<61x104xf32> {relay.name = "odd"}, tensor<37x512xf32> {relay.name = "wide"}) {
  %sums = relay.nn.contrib_dense_pack %parts_a, %parts_b {weight_layout = "NC8n"} : (tensor<100x1024xf32>, tensor<32x1024x8xf32>) -> tensor<100x256xf32>
  %biased = relay.add %sums, %bias : (tensor<100x256xf32>, tensor<256xf32>) -> tensor<100x256xf32>
  %parts = relay.nn.relu %biased : (tensor<100x256xf32>) -> tensor<100x256xf32>
  %odd = relay.nn.contrib_dense_pack %odd_a, %odd_b {weight_layout = "NC8n"} : (tensor<61x2035xf32>, tensor<13x2035x8xf32>) -> tensor<61x104xf32>
  %wide = relay.nn.contrib_dense_pack %wide_a, %wide_b {weight_layout = "NC8n"} : (tensor<37x4096xf32>, tensor<64x4096x8xf32>) -> tensor<37x512xf32>
  return %parts, %odd, %wide : tensor<100x256xf32>, tensor<61x104xf32>, tensor<37x512xf32>
}
