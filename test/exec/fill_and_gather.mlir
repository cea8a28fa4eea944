// Tensors put together, filled, and read at subscripts, against numpy.
// RUN: %python %S/Inputs/fill_and_gather.py inputs %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/fill_and_gather.py check %t.in.npz %t.out.npz

func.func @main(%x: tensor<2x3xf32> {relay.name = "x"}, %y: tensor<2x3xf32> {relay.name = "y"},
                %z: tensor<2x3xf32> {relay.name = "z"}, %i: tensor<2x5xi64> {relay.name = "i"},
                %j: tensor<1x3xi32> {relay.name = "j"}, %f: tensor<f32> {relay.name = "f"})
    -> (tensor<3x2x3xf32> {relay.name = "stack"}, tensor<2x3x2xf32> {relay.name = "stack_last"},
        tensor<2x5xf32> {relay.name = "gather"}, tensor<1x3xf32> {relay.name = "gather_first"},
        tensor<2x2xi32> {relay.name = "full"}, tensor<4xf32> {relay.name = "full_own"},
        tensor<2x5xi64> {relay.name = "full_like"}, tensor<3x1xf64> {relay.name = "zeros"},
        tensor<3xi1> {relay.name = "ones"}, tensor<2x5xi64> {relay.name = "zeros_like"},
        tensor<2x3xf32> {relay.name = "ones_like"}, tensor<2x3x2xf32> {relay.name = "iota"},
        tensor<4xi64> {relay.name = "iota_last"}) {
  %stack = relay.stack %x, %y, %z {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x2x3xf32>
  %stack_last = relay.stack %x, %y {axis = -1 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3x2xf32>
  %gather = relay.gather %x, %i {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x5xi64>) -> tensor<2x5xf32>
  %gather_first = relay.gather %x, %j {axis = 0 : i64} : (tensor<2x3xf32>, tensor<1x3xi32>) -> tensor<1x3xf32>
  %full = relay.full %f {shape = array<i64: 2, 2>, dtype = i32} : (tensor<f32>) -> tensor<2x2xi32>
  %full_own = relay.full %f {shape = array<i64: 4>} : (tensor<f32>) -> tensor<4xf32>
  %full_like = relay.full_like %i, %f : (tensor<2x5xi64>, tensor<f32>) -> tensor<2x5xi64>
  %zeros = relay.zeros {shape = array<i64: 3, 1>, dtype = f64} : () -> tensor<3x1xf64>
  %ones = relay.ones {shape = array<i64: 3>, dtype = i1} : () -> tensor<3xi1>
  %zeros_like = relay.zeros_like %i : (tensor<2x5xi64>) -> tensor<2x5xi64>
  %ones_like = relay.ones_like %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %iota = relay.iota {shape = array<i64: 2, 3, 2>, axis = 1 : i64, dtype = f32} : () -> tensor<2x3x2xf32>
  %iota_last = relay.iota {shape = array<i64: 4>, axis = -1 : i64, dtype = i64} : () -> tensor<4xi64>
  return %stack, %stack_last, %gather, %gather_first, %full, %full_own, %full_like, %zeros, %ones, %zeros_like, %ones_like,
         %iota, %iota_last
    : tensor<3x2x3xf32>, tensor<2x3x2xf32>, tensor<2x5xf32>, tensor<1x3xf32>, tensor<2x2xi32>, tensor<4xf32>,
      tensor<2x5xi64>, tensor<3x1xf64>, tensor<3xi1>, tensor<2x5xi64>, tensor<2x3xf32>, tensor<2x3x2xf32>, tensor<4xi64>
}
