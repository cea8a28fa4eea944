// The rules of `flatten-atrous-conv`: space in blocks as batches, a convolution of these, and back.
//
// A block takes as many elements of the data as the convolution's dilation has to grow by. What comes before and after the data
// is padding of the one convolution, but for what is cropped of its result.

rule atrous_conv_nhwc {
  match %b = nn.batch_to_space_nd(%c = nn.conv2d(%s = nn.space_to_batch_nd(%x), %w))
  where one_use(%c) and %c.data_layout == "NHWC" and %c.strides == [1, 1]
  where length(%s.block_shape) == 2 and %s.block_shape == %b.block_shape
  where %s.pad_value == 0 or %s.paddings == [0, 0, 0, 0]
  with  nn.conv2d(%x, %w) {%c,
    dilation = [item(%c.dilation, 0) * item(%s.block_shape, 0), item(%c.dilation, 1) * item(%s.block_shape, 1)],
    padding = [
      item(%s.paddings, 0) + item(%c.padding, 0) * item(%s.block_shape, 0) - item(%b.crops, 0),
      item(%s.paddings, 2) + item(%c.padding, 1) * item(%s.block_shape, 1) - item(%b.crops, 2),
      item(%s.paddings, 1) + item(%c.padding, 2) * item(%s.block_shape, 0) - item(%b.crops, 1),
      item(%s.paddings, 3) + item(%c.padding, 3) * item(%s.block_shape, 1) - item(%b.crops, 3)]}
}

// Of channels behind the batch, blocks hold one each.
rule atrous_conv_nchw {
  match %b = nn.batch_to_space_nd(%c = nn.conv2d(%s = nn.space_to_batch_nd(%x), %w))
  where one_use(%c) and %c.data_layout == "NCHW" and %c.strides == [1, 1]
  where length(%s.block_shape) == 3 and %s.block_shape == %b.block_shape and item(%s.block_shape, 0) == 1
  where item(%s.paddings, 0) == 0 and item(%s.paddings, 1) == 0 and item(%b.crops, 0) == 0 and item(%b.crops, 1) == 0
  where %s.pad_value == 0 or %s.paddings == [0, 0, 0, 0, 0, 0]
  with  nn.conv2d(%x, %w) {%c,
    dilation = [item(%c.dilation, 0) * item(%s.block_shape, 1), item(%c.dilation, 1) * item(%s.block_shape, 2)],
    padding = [
      item(%s.paddings, 2) + item(%c.padding, 0) * item(%s.block_shape, 1) - item(%b.crops, 2),
      item(%s.paddings, 4) + item(%c.padding, 1) * item(%s.block_shape, 2) - item(%b.crops, 4),
      item(%s.paddings, 3) + item(%c.padding, 2) * item(%s.block_shape, 1) - item(%b.crops, 3),
      item(%s.paddings, 5) + item(%c.padding, 3) * item(%s.block_shape, 2) - item(%b.crops, 5)]}
}
