// RUN: relay-opt %s --relay-to-te --split-input-file --verify-diagnostics

func.func private @table(%x: tensor<2xf32>) -> tensor<2xf32> attributes {relay.primitive} {
  // expected-error@+1 {{is not a scalar and stands in a primitive function; fuse-ops passes it as an argument}}
  %c = relay.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = relay.multiply %x, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func private @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> attributes {relay.primitive} {
  // expected-error@+1 {{has an operand or result of type tensor<?xf32>; tensor expressions need extents that are numbers or named}}
  %0 = relay.abs %x : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func private @open(%x: tensor<4x1xf32>, %y: tensor<100xf32>) -> !relay.incomplete attributes {relay.primitive} {
  // expected-error@+1 {{has types that are to be inferred; run infer-type before}}
  %0 = relay.add %x, %y : (tensor<4x1xf32>, tensor<100xf32>) -> !relay.incomplete
  return %0 : !relay.incomplete
}

// -----

func.func private @order(%x: tensor<1x1x8x8x16xf32>, %w: tensor<1x1x3x3x2x8x16xf32>) -> tensor<1x1x6x6x16xf32> attributes {relay.primitive} {
  // expected-error@+1 {{has no tensor expression for layouts such as NCHWc and OIHWiio}}
  %0 = relay.nn.contrib_conv2d_NCHWc %x, %w {kernel_layout = "OIHW2i8i16o", strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>}
    : (tensor<1x1x8x8x16xf32>, tensor<1x1x3x3x2x8x16xf32>) -> tensor<1x1x6x6x16xf32>
  return %0 : tensor<1x1x6x6x16xf32>
}
