// A convolution with a bias and a relu, as an importer leaves it: images of 8 x 8 pixels and 16 channels.
func.func @main(%data: tensor<1x16x8x8xf32> {relay.name = "data"}, %weight: tensor<16x16x3x3xf32> {relay.name = "weight"},
                %bias: tensor<16xf32> {relay.name = "bias"}) -> (tensor<1x16x8x8xf32> {relay.name = "result"}) {
  %0 = relay.nn.conv2d %data, %weight {strides = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>, dilation = array<i64: 1, 1>, groups = 1 : i64}
    : (tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32>
  %1 = relay.nn.bias_add %0, %bias {axis = 1 : i64} : (tensor<1x16x8x8xf32>, tensor<16xf32>) -> tensor<1x16x8x8xf32>
  %2 = relay.nn.relu %1 : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  return %2 : tensor<1x16x8x8xf32>
}
