// A dense layer with a bias and a relu, as an importer leaves it: 16 rows of 64 features, and 16 units.
func.func @main(%data: tensor<16x64xf32> {relay.name = "data"}, %weight: tensor<16x64xf32> {relay.name = "weight"},
                %bias: tensor<16xf32> {relay.name = "bias"}) -> (tensor<16x16xf32> {relay.name = "result"}) {
  %0 = relay.nn.dense %data, %weight : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x16xf32>
  %1 = relay.nn.bias_add %0, %bias {axis = 1 : i64} : (tensor<16x16xf32>, tensor<16xf32>) -> tensor<16x16xf32>
  %2 = relay.nn.relu %1 : (tensor<16x16xf32>) -> tensor<16x16xf32>
  return %2 : tensor<16x16xf32>
}
