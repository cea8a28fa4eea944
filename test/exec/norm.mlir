// Normalisations by the data's own moments as their operators compute them, without the passes that
// take them apart, against ONNX Runtime.
// RUN: %python %S/Inputs/norm.py inputs %t.in.npz
// RUN: relay-opt --fuse-ops --relay-to-te --lower-te --aot-lower-main %s > %t.mlir
// RUN: relayc run %t.mlir --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/norm.py check %t.in.npz %t.out.npz

func.func @main(%x: tensor<2x4x5x3xf32> {relay.name = "x"}, %a: tensor<3xf32> {relay.name = "a"}, %b: tensor<3xf32> {relay.name = "b"},
                %c: tensor<4xf32> {relay.name = "c"}, %d: tensor<4xf32> {relay.name = "d"})
    -> (tensor<2x4x5x3xf32> {relay.name = "layer"}, tensor<2x4x5x3xf32> {relay.name = "instance"}) {
  %layer = relay.nn.layer_norm %x, %a, %b {axis = -1 : i64, epsilon = 1.0e-2} : (tensor<2x4x5x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x4x5x3xf32>
  %instance = relay.nn.instance_norm %x, %c, %d {axis = 1 : i64, epsilon = 1.0e-3} : (tensor<2x4x5x3xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x5x3xf32>
  return %layer, %instance : tensor<2x4x5x3xf32>, tensor<2x4x5x3xf32>
}
