#ifndef RELAY_CONV_TD
#define RELAY_CONV_TD

include "relay/RelayDialect.td"

// What the descriptions of all convolutions say.
class Relay_ConvText<string space, string dataLayout, string kernelLayout> {
  string attributes = "`padding` has the numbers of zeros before each spatial dimension, then those after each. "
      "`strides`, `dilation` and `padding` name the dimensions " # space # " in this order, and are 1, "
      "1 and 0 by default. "
      "`data_layout` is " # dataLayout # ", `kernel_layout` " # kernelLayout # " and `groups` 1 by default. The "
      "result is in the layout of the data, with channels in the blocks of the weight's outputs. `channels` and "
      "`kernel_size` are the channels of the result and the extents of the kernel. They determine an unknown type of "
      "the weight; inference removes them when the type is known.\n\n"
      "- C1: data and weight have the ranks and blocks of their layouts.\n";
  string shared = "- C5: the layouts order the dimensions N, C, " # space # " and O, I, " # space
      # "; only channels are in blocks, and those of outputs need data in blocks; only those of a weight's inputs are "
      "split again.\n"
      "- C6: data and weight are of the same element type.\n"
      "- C7: `channels` and `kernel_size`, if they are given, are those of the weight.\n";
}

// The sum over a window of the data, and over the channels of a group, times the weight.
class Relay_ConvOp<string mnemonic, string doc, string space, string dataLayout,
                   string kernelLayout, string onnx> : Relay_Op<mnemonic> {
  let summary = doc;
  let description = "result[n, o, y...] = sum over i, k... of data[n, g * I + i, y * strides + k * dilation - padding "
      "...] * weight[o, i, k...], for a weight with I inputs and the group g of output o. Each group of outputs reads "
      "its own group of channels." # onnx # "\n\n"
      # Relay_ConvText<space, dataLayout, kernelLayout>.attributes #
      "- C2: the channels are the weight's inputs times `groups`, which divides the outputs.\n"
      "- C3: `strides` and `dilation` hold a number from 1 to 2^30 per spatial dimension, `padding` "
      "two from 0 to 2^30.\n"
      "- C4: the weight has elements, and they fit into the padded data.\n"
      # Relay_ConvText<space, dataLayout, kernelLayout>.shared;
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight,
                   OptionalAttr<I64Attr>:$channels, OptionalAttr<DenseI64ArrayAttr>:$kernel_size,
                   DefaultValuedAttr<DenseI64ArrayAttr, Relay_Space<space>.ones>:$strides,
                   DefaultValuedAttr<DenseI64ArrayAttr, Relay_Space<space>.pairs>:$padding,
                   DefaultValuedAttr<DenseI64ArrayAttr, Relay_Space<space>.ones>:$dilation,
                   DefaultValuedAttr<I64Attr, "1">:$groups,
                   DefaultValuedAttr<StrAttr, "\"" # dataLayout # "\"">:$data_layout,
                   DefaultValuedAttr<StrAttr, "\"" # kernelLayout # "\"">:$kernel_layout);
  let results = (outs Relay_Tensor:$result);
}

class Relay_ConvTransposeOp<string mnemonic, string doc, string space, string dataLayout,
                            string kernelLayout> : Relay_Op<mnemonic> {
  let summary = doc;
  let description = "Each element of the data adds its product with the weight to a window of the "
      "result. The result's extent in a spatial dimension is (extent - 1) * strides + (kernel - 1) "
      "* dilation + 1 - padding before and after + output_padding. ONNX: `ConvTranspose`.\n\n"
      # Relay_ConvText<space, dataLayout, kernelLayout>.attributes #
      "- C2: the channels are the weight's inputs, which `groups` divides; the result has the "
      "weight's outputs times `groups`.\n"
      "- C3: `strides` and `dilation` hold a number from 1 to 2^30 per spatial dimension, `padding` "
      "two from 0 to 2^30, `output_padding` one.\n"
      "- C4: data, weight and result have elements in each spatial dimension.\n"
      # Relay_ConvText<space, dataLayout, kernelLayout>.shared;
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight,
                   OptionalAttr<I64Attr>:$channels, OptionalAttr<DenseI64ArrayAttr>:$kernel_size,
                   DefaultValuedAttr<DenseI64ArrayAttr, Relay_Space<space>.ones>:$strides,
                   DefaultValuedAttr<DenseI64ArrayAttr, Relay_Space<space>.pairs>:$padding,
                   DefaultValuedAttr<DenseI64ArrayAttr, Relay_Space<space>.ones>:$dilation,
                   DefaultValuedAttr<DenseI64ArrayAttr, Relay_Space<space>.zeros>:$output_padding,
                   DefaultValuedAttr<I64Attr, "1">:$groups,
                   DefaultValuedAttr<StrAttr, "\"" # dataLayout # "\"">:$data_layout,
                   DefaultValuedAttr<StrAttr, "\"" # kernelLayout # "\"">:$kernel_layout);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnConv1dOp : Relay_ConvOp<
    "nn.conv1d", "convolution in one dimension", "W", "NCW", "OIW", " ONNX: `Conv`.">;
def Relay_NnConv2dOp : Relay_ConvOp<
    "nn.conv2d", "convolution in two dimensions", "H, W", "NCHW", "OIHW", " ONNX: `Conv`.">;
def Relay_NnConv3dOp : Relay_ConvOp<
    "nn.conv3d", "convolution in three dimensions", "D, H, W", "NCDHW", "OIDHW", " ONNX: `Conv`.">;

def Relay_NnConv1dTransposeOp : Relay_ConvTransposeOp<
    "nn.conv1d_transpose", "the adjoint of conv1d in its data", "W", "NCW", "IOW">;
def Relay_NnConv2dTransposeOp : Relay_ConvTransposeOp<
    "nn.conv2d_transpose", "the adjoint of conv2d in its data", "H, W", "NCHW", "IOHW">;
def Relay_NnConv3dTransposeOp : Relay_ConvTransposeOp<
    "nn.conv3d_transpose", "the adjoint of conv3d in its data", "D, H, W", "NCDHW", "IODHW">;

def Relay_NnContribConv2dNCHWcOp : Relay_ConvOp<
    "nn.contrib_conv2d_NCHWc",
    "conv2d on packed channels: data NCHW{i}c, weight OIHW{i}i{o}o, result NCHW{o}c",
    "H, W", "NCHW16c", "OIHW16i16o",
    " `alter-op-layout` makes it of `nn.conv2d`. In the layout OIHW8i16o2i, the inputs of a weight come in "
    "pairs, as machines that multiply tiles of bf16 take them.">;
def Relay_NnContribDepthwiseConv2dNCHWcOp : Relay_ConvOp<
    "nn.contrib_depthwise_conv2d_NCHWc",
    "conv2d of each channel on its own: data NCHW{c}c, weight OIHW1i{c}o",
    "H, W", "NCHW16c", "OIHW1i16o",
    " `groups` is the number of channels. `alter-op-layout` makes it of `nn.conv2d`.">;

def Relay_NnContribConv2dWinogradWithoutWeightTransformOp : Relay_Op<
    "nn.contrib_conv2d_winograd_without_weight_transform"> {
  let summary = "conv2d on packed channels by Winograd's algorithm, with a transformed weight";
  let description = [{
    Like `nn.contrib_conv2d_NCHWc`, with a transformed weight: `nn.contrib_conv2d_winograd_weight_transform` with the
    same `tile_size`, and then a `layout_transform` to `kernel_layout`, HWOI16o by default. H and W of this layout are
    `tile_size` + kernel - 1, or 1 if the kernel is 1. A tile has `tile_size` x `tile_size` results (`tile_size` results
    for a kernel of one dimension), and takes a product for each of its transformed elements. `alter-op-layout` makes it
    of `nn.conv2d` if it is cheaper. The result differs from the direct sum by rounding: by less than 1e-5 of the
    largest result for tiles of 4.

    - C1: data and weight have the ranks and blocks of their layouts.
    - C2: the channels are the weight's inputs; `groups` is 1.
    - C3: `strides` and `dilation` are 1, `padding` holds two numbers of at least 0 per dimension.
    - C4: `tile_size` is at least 2, and the kernel it leaves fits into the padded data.
    - C5: the layouts order the dimensions N, C, H, W and O, I, H, W; only channels are in blocks,
      and those of outputs need data in blocks; only those of a weight's inputs are split again.
    - C6: data and weight are of the same element type; or the data is of a narrow float, the weight of f32.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, I64Attr:$tile_size,
                   DefaultValuedAttr<DenseI64ArrayAttr, Relay_Space<"H, W">.ones>:$strides,
                   DefaultValuedAttr<DenseI64ArrayAttr, Relay_Space<"H, W">.pairs>:$padding,
                   DefaultValuedAttr<DenseI64ArrayAttr, Relay_Space<"H, W">.ones>:$dilation,
                   DefaultValuedAttr<I64Attr, "1">:$groups,
                   DefaultValuedAttr<StrAttr, "\"NCHW16c\"">:$data_layout,
                   DefaultValuedAttr<StrAttr, "\"HWOI16o\"">:$kernel_layout);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnContribConv2dWinogradWeightTransformOp : Relay_Op<
    "nn.contrib_conv2d_winograd_weight_transform"> {
  let summary = "the weight of a conv2d as Winograd's algorithm needs it";
  let description = [{
    [o, i, height, width] becomes [alpha, alpha, o, i], where an alpha is `tile_size` + the kernel's extent - 1,
    or 1 where that is 1: each kernel w becomes G w G'.

    - C1: the weight is of rank 4; its last two dimensions are static, and one of them is above 1.
    - C2: `tile_size` is at least 2, and alpha at most 8.
  }];
  let arguments = (ins Relay_Tensor:$weight, I64Attr:$tile_size);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_CONV_TD
