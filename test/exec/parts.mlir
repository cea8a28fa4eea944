// Reductions of many elements to few, whose parts threads share, against numpy: parts that divide an axis
// and parts that do not, of rows and of columns, several reductions after each other, with infinities and
// what is not a number; the same bits with one thread and with two.
// RUN: %python %S/Inputs/parts.py inputs %t.in.npz
// RUN: relayc run %s --threads 1 --inputs %t.in.npz --outputs %t.1.npz
// RUN: %python %S/Inputs/parts.py check %t.in.npz %t.1.npz
// RUN: relayc run %s --threads 2 --inputs %t.in.npz --outputs %t.2.npz
// RUN: %python %S/Inputs/parts.py same %t.1.npz %t.2.npz

func.func @main(%a: tensor<1x6x256x256xf32> {relay.name = "a"},
                %b: tensor<500009xf32> {relay.name = "b"},
                %c: tensor<16411x24xf32> {relay.name = "c"},
                %d: tensor<1x300007xf32> {relay.name = "d"},
                %e: tensor<3x100003x3xf32> {relay.name = "e"},
                %f: tensor<400000xi32> {relay.name = "f"})
    -> (tensor<f32> {relay.name = "a_sum"},
        tensor<1x1x1x1xf32> {relay.name = "a_mean"},
        tensor<f32> {relay.name = "a_max"},
        tensor<1x6x1x1xf32> {relay.name = "a_channels"},
        tensor<1x6x1x1xf32> {relay.name = "a_pool"},
        tensor<f32> {relay.name = "b_sum"},
        tensor<f32> {relay.name = "b_max"},
        tensor<i64> {relay.name = "b_argmax"},
        tensor<24xf32> {relay.name = "c_sum"},
        tensor<24xf32> {relay.name = "c_max"},
        tensor<24xi64> {relay.name = "c_argmin"},
        tensor<1x300007xf32> {relay.name = "d_softmax"},
        tensor<1x1xf32> {relay.name = "d_variance"},
        tensor<3xf32> {relay.name = "e_min"},
        tensor<f32> {relay.name = "e_norm"},
        tensor<i32> {relay.name = "f_sum"}) {
  %a_sum = relay.sum %a {axis = array<i64: 0, 1, 2, 3>} : (tensor<1x6x256x256xf32>) -> tensor<f32>
  %a_mean = relay.mean %a {axis = array<i64: 0, 1, 2, 3>, keepdims = true} : (tensor<1x6x256x256xf32>) -> tensor<1x1x1x1xf32>
  %a_max = relay.max %a {axis = array<i64: 0, 1, 2, 3>} : (tensor<1x6x256x256xf32>) -> tensor<f32>
  %a_channels = relay.mean %a {axis = array<i64: 0, 2, 3>, keepdims = true} : (tensor<1x6x256x256xf32>) -> tensor<1x6x1x1xf32>
  %a_pool = relay.nn.global_avg_pool2d %a : (tensor<1x6x256x256xf32>) -> tensor<1x6x1x1xf32>
  %b_sum = relay.sum %b {axis = array<i64: 0>} : (tensor<500009xf32>) -> tensor<f32>
  %b_max = relay.max %b {axis = array<i64: 0>} : (tensor<500009xf32>) -> tensor<f32>
  %b_argmax = relay.argmax %b {axis = array<i64: 0>} : (tensor<500009xf32>) -> tensor<i64>
  %c_sum = relay.sum %c {axis = array<i64: 0>} : (tensor<16411x24xf32>) -> tensor<24xf32>
  %c_max = relay.max %c {axis = array<i64: 0>} : (tensor<16411x24xf32>) -> tensor<24xf32>
  %c_argmin = relay.argmin %c {axis = array<i64: 0>} : (tensor<16411x24xf32>) -> tensor<24xi64>
  %d_softmax = relay.nn.softmax %d {axis = -1 : i64} : (tensor<1x300007xf32>) -> tensor<1x300007xf32>
  %d_mean = relay.mean %d {axis = array<i64: 1>, keepdims = true} : (tensor<1x300007xf32>) -> tensor<1x1xf32>
  %d_variance = relay.variance %d, %d_mean {axis = array<i64: 1>, keepdims = true} : (tensor<1x300007xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  %e_min = relay.min %e {axis = array<i64: 0, 1>} : (tensor<3x100003x3xf32>) -> tensor<3xf32>
  %e_squares = relay.multiply %e, %e : (tensor<3x100003x3xf32>, tensor<3x100003x3xf32>) -> tensor<3x100003x3xf32>
  %e_sum = relay.sum %e_squares {axis = array<i64: 0, 1, 2>} : (tensor<3x100003x3xf32>) -> tensor<f32>
  %e_norm = relay.sqrt %e_sum : (tensor<f32>) -> tensor<f32>
  %f_sum = relay.sum %f {axis = array<i64: 0>} : (tensor<400000xi32>) -> tensor<i32>
  return %a_sum, %a_mean, %a_max, %a_channels, %a_pool, %b_sum, %b_max, %b_argmax, %c_sum, %c_max, %c_argmin, %d_softmax, %d_variance, %e_min, %e_norm, %f_sum
      : tensor<f32>, tensor<1x1x1x1xf32>, tensor<f32>, tensor<1x6x1x1xf32>, tensor<1x6x1x1xf32>, tensor<f32>, tensor<f32>, tensor<i64>, tensor<24xf32>, tensor<24xf32>, tensor<24xi64>, tensor<1x300007xf32>, tensor<1x1xf32>, tensor<3xf32>, tensor<f32>, tensor<i32>
}
