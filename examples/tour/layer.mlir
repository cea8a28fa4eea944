func.func @main(%x: tensor<4x64xf32> {relay.name = "x"}, %w: tensor<32x64xf32> {relay.name = "w"},
                %b: tensor<32xf32> {relay.name = "b"}) -> (tensor<4x32xf32> {relay.name = "y"}) {
  %0 = relay.nn.dense %x, %w : (tensor<4x64xf32>, tensor<32x64xf32>) -> tensor<4x32xf32>
  %1 = relay.add %0, %b : (tensor<4x32xf32>, tensor<32xf32>) -> tensor<4x32xf32>
  %2 = relay.nn.relu %1 : (tensor<4x32xf32>) -> tensor<4x32xf32>
  return %2 : tensor<4x32xf32>
}
