// Local response normalisation over windows of any size, up to those that are wider than there are channels, against numpy.
// RUN: %python %S/Inputs/lrn.py inputs %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/lrn.py check %t.in.npz %t.out.npz

func.func @main(%x: tensor<2x6x3x5xf32> {relay.name = "x"})
    -> (tensor<2x6x3x5xf32> {relay.name = "one"}, tensor<2x6x3x5xf32> {relay.name = "even"}, tensor<2x6x3x5xf32> {relay.name = "wide"}, tensor<2x6x3x5xf32> {relay.name = "huge"}, tensor<2x6x3x5xf32> {relay.name = "most"}) {
  %one = relay.nn.lrn %x {size = 1 : i64, axis = 1 : i64, bias = 2.0 : f64, alpha = 0.5 : f64, beta = 0.75 : f64} : (tensor<2x6x3x5xf32>) -> tensor<2x6x3x5xf32>
  %even = relay.nn.lrn %x {size = 4 : i64, axis = 1 : i64, bias = 2.0 : f64, alpha = 0.5 : f64, beta = 0.75 : f64} : (tensor<2x6x3x5xf32>) -> tensor<2x6x3x5xf32>
  %wide = relay.nn.lrn %x {size = 5 : i64, axis = 1 : i64, bias = 2.0 : f64, alpha = 0.5 : f64, beta = 0.75 : f64} : (tensor<2x6x3x5xf32>) -> tensor<2x6x3x5xf32>
  %huge = relay.nn.lrn %x {size = 2147483647 : i64, axis = 1 : i64, bias = 2.0 : f64, alpha = 0.5 : f64, beta = 0.75 : f64} : (tensor<2x6x3x5xf32>) -> tensor<2x6x3x5xf32>
  %most = relay.nn.lrn %x {size = 9223372036854775807 : i64, axis = 1 : i64, bias = 2.0 : f64, alpha = 0.5 : f64, beta = 0.75 : f64} : (tensor<2x6x3x5xf32>) -> tensor<2x6x3x5xf32>
  return %one, %even, %wide, %huge, %most : tensor<2x6x3x5xf32>, tensor<2x6x3x5xf32>, tensor<2x6x3x5xf32>, tensor<2x6x3x5xf32>, tensor<2x6x3x5xf32>
}
