// Reductions of rows and columns, and softmax, against numpy: rows shorter and longer than a vector, with
// infinities and what is not a number; the same bits with one thread and with two.
// RUN: %python %S/Inputs/rows.py inputs %t.in.npz
// RUN: relayc run %s --threads 1 --inputs %t.in.npz --outputs %t.1.npz
// RUN: %python %S/Inputs/rows.py check %t.in.npz %t.1.npz
// RUN: relayc run %s --threads 2 --inputs %t.in.npz --outputs %t.2.npz
// RUN: %python %S/Inputs/rows.py same %t.1.npz %t.2.npz

func.func @main(%a: tensor<5x1xf32> {relay.name = "a"},
                %b: tensor<4x3xf32> {relay.name = "b"},
                %c: tensor<6x17xf32> {relay.name = "c"},
                %d: tensor<7x127xf32> {relay.name = "d"},
                %e: tensor<64x256xf32> {relay.name = "e"},
                %x: tensor<3x33x40xf32> {relay.name = "x"})
    -> (tensor<5x1xf32> {relay.name = "a_softmax"},
        tensor<5x1xf32> {relay.name = "a_log_softmax"},
        tensor<5xf32> {relay.name = "a_sum"},
        tensor<5xf32> {relay.name = "a_max"},
        tensor<5xi64> {relay.name = "a_argmax"},
        tensor<4x3xf32> {relay.name = "b_softmax"},
        tensor<4x3xf32> {relay.name = "b_log_softmax"},
        tensor<4xf32> {relay.name = "b_sum"},
        tensor<4xf32> {relay.name = "b_max"},
        tensor<4xi64> {relay.name = "b_argmax"},
        tensor<6x17xf32> {relay.name = "c_softmax"},
        tensor<6x17xf32> {relay.name = "c_log_softmax"},
        tensor<6xf32> {relay.name = "c_sum"},
        tensor<6xf32> {relay.name = "c_max"},
        tensor<6xi64> {relay.name = "c_argmax"},
        tensor<7x127xf32> {relay.name = "d_softmax"},
        tensor<7x127xf32> {relay.name = "d_log_softmax"},
        tensor<7xf32> {relay.name = "d_sum"},
        tensor<7xf32> {relay.name = "d_max"},
        tensor<7xi64> {relay.name = "d_argmax"},
        tensor<64x256xf32> {relay.name = "e_softmax"},
        tensor<64x256xf32> {relay.name = "e_log_softmax"},
        tensor<64xf32> {relay.name = "e_sum"},
        tensor<64xf32> {relay.name = "e_max"},
        tensor<64xi64> {relay.name = "e_argmax"},
        tensor<33x40xf32> {relay.name = "x_first"},
        tensor<3x40xf32> {relay.name = "x_middle"},
        tensor<40xf32> {relay.name = "x_outer"},
        tensor<3xf32> {relay.name = "x_inner"},
        tensor<33xf32> {relay.name = "x_apart"},
        tensor<f32> {relay.name = "x_all"},
        tensor<33x40xi64> {relay.name = "x_arg_first"},
        tensor<3x40xi64> {relay.name = "x_arg_middle"},
        tensor<3x33x40xf32> {relay.name = "x_softmax"}) {
  %a_softmax = relay.nn.softmax %a {axis = -1 : i64} : (tensor<5x1xf32>) -> tensor<5x1xf32>
  %a_log_softmax = relay.nn.log_softmax %a {axis = -1 : i64} : (tensor<5x1xf32>) -> tensor<5x1xf32>
  %a_sum = relay.sum %a {axis = array<i64: 1>} : (tensor<5x1xf32>) -> tensor<5xf32>
  %a_max = relay.max %a {axis = array<i64: 1>} : (tensor<5x1xf32>) -> tensor<5xf32>
  %a_argmax = relay.argmax %a {axis = array<i64: 1>} : (tensor<5x1xf32>) -> tensor<5xi64>
  %b_softmax = relay.nn.softmax %b {axis = -1 : i64} : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %b_log_softmax = relay.nn.log_softmax %b {axis = -1 : i64} : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %b_sum = relay.sum %b {axis = array<i64: 1>} : (tensor<4x3xf32>) -> tensor<4xf32>
  %b_max = relay.max %b {axis = array<i64: 1>} : (tensor<4x3xf32>) -> tensor<4xf32>
  %b_argmax = relay.argmax %b {axis = array<i64: 1>} : (tensor<4x3xf32>) -> tensor<4xi64>
  %c_softmax = relay.nn.softmax %c {axis = -1 : i64} : (tensor<6x17xf32>) -> tensor<6x17xf32>
  %c_log_softmax = relay.nn.log_softmax %c {axis = -1 : i64} : (tensor<6x17xf32>) -> tensor<6x17xf32>
  %c_sum = relay.sum %c {axis = array<i64: 1>} : (tensor<6x17xf32>) -> tensor<6xf32>
  %c_max = relay.max %c {axis = array<i64: 1>} : (tensor<6x17xf32>) -> tensor<6xf32>
  %c_argmax = relay.argmax %c {axis = array<i64: 1>} : (tensor<6x17xf32>) -> tensor<6xi64>
  %d_softmax = relay.nn.softmax %d {axis = -1 : i64} : (tensor<7x127xf32>) -> tensor<7x127xf32>
  %d_log_softmax = relay.nn.log_softmax %d {axis = -1 : i64} : (tensor<7x127xf32>) -> tensor<7x127xf32>
  %d_sum = relay.sum %d {axis = array<i64: 1>} : (tensor<7x127xf32>) -> tensor<7xf32>
  %d_max = relay.max %d {axis = array<i64: 1>} : (tensor<7x127xf32>) -> tensor<7xf32>
  %d_argmax = relay.argmax %d {axis = array<i64: 1>} : (tensor<7x127xf32>) -> tensor<7xi64>
  %e_softmax = relay.nn.softmax %e {axis = -1 : i64} : (tensor<64x256xf32>) -> tensor<64x256xf32>
  %e_log_softmax = relay.nn.log_softmax %e {axis = -1 : i64} : (tensor<64x256xf32>) -> tensor<64x256xf32>
  %e_sum = relay.sum %e {axis = array<i64: 1>} : (tensor<64x256xf32>) -> tensor<64xf32>
  %e_max = relay.max %e {axis = array<i64: 1>} : (tensor<64x256xf32>) -> tensor<64xf32>
  %e_argmax = relay.argmax %e {axis = array<i64: 1>} : (tensor<64x256xf32>) -> tensor<64xi64>
  %x_first = relay.sum %x {axis = array<i64: 0>} : (tensor<3x33x40xf32>) -> tensor<33x40xf32>
  %x_middle = relay.max %x {axis = array<i64: 1>} : (tensor<3x33x40xf32>) -> tensor<3x40xf32>
  %x_outer = relay.mean %x {axis = array<i64: 0, 1>} : (tensor<3x33x40xf32>) -> tensor<40xf32>
  %x_inner = relay.mean %x {axis = array<i64: 1, 2>} : (tensor<3x33x40xf32>) -> tensor<3xf32>
  %x_apart = relay.min %x {axis = array<i64: 0, 2>} : (tensor<3x33x40xf32>) -> tensor<33xf32>
  %x_all = relay.sum %x {axis = array<i64: 0, 1, 2>} : (tensor<3x33x40xf32>) -> tensor<f32>
  %x_arg_first = relay.argmax %x {axis = array<i64: 0>} : (tensor<3x33x40xf32>) -> tensor<33x40xi64>
  %x_arg_middle = relay.argmin %x {axis = array<i64: 1>} : (tensor<3x33x40xf32>) -> tensor<3x40xi64>
  %x_softmax = relay.nn.softmax %x {axis = 1 : i64} : (tensor<3x33x40xf32>) -> tensor<3x33x40xf32>
  return %a_softmax, %a_log_softmax, %a_sum, %a_max, %a_argmax, %b_softmax, %b_log_softmax, %b_sum, %b_max, %b_argmax, %c_softmax, %c_log_softmax, %c_sum, %c_max, %c_argmax, %d_softmax, %d_log_softmax, %d_sum, %d_max, %d_argmax, %e_softmax, %e_log_softmax, %e_sum, %e_max, %e_argmax, %x_first, %x_middle, %x_outer, %x_inner, %x_apart, %x_all, %x_arg_first, %x_arg_middle, %x_softmax
      : tensor<5x1xf32>, tensor<5x1xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xi64>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi64>, tensor<6x17xf32>, tensor<6x17xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xi64>, tensor<7x127xf32>, tensor<7x127xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xi64>, tensor<64x256xf32>, tensor<64x256xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xi64>, tensor<33x40xf32>, tensor<3x40xf32>, tensor<40xf32>, tensor<3xf32>, tensor<33xf32>, tensor<f32>, tensor<33x40xi64>, tensor<3x40xi64>, tensor<3x33x40xf32>
}
