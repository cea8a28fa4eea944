// Variances against numpy: of all elements, over some axes, over all others, and unbiased ones.
// RUN: %python %S/Inputs/variance.py inputs %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/variance.py check %t.in.npz %t.out.npz

func.func @main(%x: tensor<4x5x6xf32> {relay.name = "x"})
    -> (tensor<f32> {relay.name = "all"}, tensor<4x6xf32> {relay.name = "some"},
        tensor<1x5x1xf32> {relay.name = "others"}, tensor<4x5x1xf32> {relay.name = "unbiased"}) {
  %m0 = relay.mean %x {axis = array<i64>, keepdims = true} : (tensor<4x5x6xf32>) -> tensor<1x1x1xf32>
  %all = relay.variance %x, %m0 {axis = array<i64>} : (tensor<4x5x6xf32>, tensor<1x1x1xf32>) -> tensor<f32>
  %m1 = relay.mean %x {axis = array<i64: 1>, keepdims = true} : (tensor<4x5x6xf32>) -> tensor<4x1x6xf32>
  %some = relay.variance %x, %m1 {axis = array<i64: -2>} : (tensor<4x5x6xf32>, tensor<4x1x6xf32>) -> tensor<4x6xf32>
  %m2 = relay.mean %x {axis = array<i64: 1>, keepdims = true, exclude = true} : (tensor<4x5x6xf32>) -> tensor<1x5x1xf32>
  %others = relay.variance %x, %m2 {axis = array<i64: 1>, keepdims = true, exclude = true, unbiased = true} : (tensor<4x5x6xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
  %m3 = relay.mean %x {axis = array<i64: 2>, keepdims = true} : (tensor<4x5x6xf32>) -> tensor<4x5x1xf32>
  %unbiased = relay.variance %x, %m3 {axis = array<i64: 2>, keepdims = true, unbiased = true} : (tensor<4x5x6xf32>, tensor<4x5x1xf32>) -> tensor<4x5x1xf32>
  return %all, %some, %others, %unbiased : tensor<f32>, tensor<4x6xf32>, tensor<1x5x1xf32>, tensor<4x5x1xf32>
}
