#ifndef RELAY_POOL_TD
#define RELAY_POOL_TD

include "relay/RelayDialect.td"

// What the descriptions of windowed pools say.
class Relay_PoolText<string space, string layout> {
  string text = " Windows of `pool_size` start every `strides` elements and cover every `dilation`th element; "
      "`padding` has the numbers of elements before each spatial dimension, then those after each. They are 1, 1 and "
      "0 by default. The dimensions are " # space # " in this order. `layout` is " # layout # " by "
      "default. With `ceil_mode`, false by default, a last window may reach beyond the padding, but "
      "must start within data or padding before.\n\n"
      "- C1: `layout` names N, C and the spatial dimensions, which are not in blocks; the data has "
      "its rank and blocks.\n"
      "- C2: `pool_size` holds a number from 1 to 2^30 per spatial dimension.\n"
      "- C3: `strides` and `dilation` hold a number from 1 to 2^30 per spatial dimension, `padding` "
      "two from 0 to 2^30.\n"
      "- C4: a window fits into the padded data.\n";
}

class Relay_MaxPoolOp<string mnemonic, string space, string defaultLayout> : Relay_Op<mnemonic> {
  let summary = "the largest element of each window";
  let description = "Padding counts as smaller than anything. ONNX: `MaxPool`."
      # Relay_PoolText<space, defaultLayout>.text;
  let arguments = (ins Relay_Tensor:$data, DenseI64ArrayAttr:$pool_size,
                   DefaultValuedAttr<DenseI64ArrayAttr, Relay_Space<space>.ones>:$strides,
                   DefaultValuedAttr<DenseI64ArrayAttr, Relay_Space<space>.ones>:$dilation,
                   DefaultValuedAttr<DenseI64ArrayAttr, Relay_Space<space>.pairs>:$padding,
                   DefaultValuedAttr<StrAttr, "\"" # defaultLayout # "\"">:$layout,
                   DefaultValuedAttr<BoolAttr, "false">:$ceil_mode);
  let results = (outs Relay_Tensor:$result);
}

class Relay_AvgPoolOp<string mnemonic, string space, string defaultLayout> : Relay_Op<mnemonic> {
  let summary = "the mean of each window";
  let description = "Padding counts as zeros if `count_include_pad`, and not at all by default. "
      "ONNX: `AveragePool`." # Relay_PoolText<space, defaultLayout>.text;
  let arguments = (ins Relay_Tensor:$data, DenseI64ArrayAttr:$pool_size,
                   DefaultValuedAttr<DenseI64ArrayAttr, Relay_Space<space>.ones>:$strides,
                   DefaultValuedAttr<DenseI64ArrayAttr, Relay_Space<space>.ones>:$dilation,
                   DefaultValuedAttr<DenseI64ArrayAttr, Relay_Space<space>.pairs>:$padding,
                   DefaultValuedAttr<StrAttr, "\"" # defaultLayout # "\"">:$layout,
                   DefaultValuedAttr<BoolAttr, "false">:$ceil_mode,
                   DefaultValuedAttr<BoolAttr, "false">:$count_include_pad);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnMaxPool1dOp : Relay_MaxPoolOp<"nn.max_pool1d", "W", "NCW">;
def Relay_NnMaxPool2dOp : Relay_MaxPoolOp<"nn.max_pool2d", "H, W", "NCHW">;
def Relay_NnMaxPool3dOp : Relay_MaxPoolOp<"nn.max_pool3d", "D, H, W", "NCDHW">;
def Relay_NnAvgPool1dOp : Relay_AvgPoolOp<"nn.avg_pool1d", "W", "NCW">;
def Relay_NnAvgPool2dOp : Relay_AvgPoolOp<"nn.avg_pool2d", "H, W", "NCHW">;
def Relay_NnAvgPool3dOp : Relay_AvgPoolOp<"nn.avg_pool3d", "D, H, W", "NCDHW">;

def Relay_NnGlobalMaxPool2dOp : Relay_Op<"nn.global_max_pool2d"> {
  let summary = "the largest element of each channel";
  let description = [{
    The spatial dimensions of the result are 1. `layout` is NCHW by default. ONNX:
    `GlobalMaxPool`.

    - C1: `layout` names N, C and the spatial dimensions, which are not in blocks; the data has its
      rank and blocks.
  }];
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<StrAttr, "\"NCHW\"">:$layout);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnGlobalAvgPool2dOp : Relay_Op<"nn.global_avg_pool2d"> {
  let summary = "the mean of each channel";
  let description = [{
    The spatial dimensions of the result are 1. `layout` is NCHW by default. ONNX:
    `GlobalAveragePool`.

    - C1: `layout` names N, C and the spatial dimensions, which are not in blocks; the data has its
      rank and blocks.
  }];
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<StrAttr, "\"NCHW\"">:$layout);
  let results = (outs Relay_Tensor:$result);
}

// Windows are as large as `output_size` positions need.
class Relay_AdaptivePoolOp<string mnemonic, string doc, string defaultLayout>
    : Relay_Op<mnemonic> {
  let summary = doc;
  let description = [{
    Of n positions over a dimension of m elements, the window of position i covers the elements from
    floor(i m / n) to before ceil((i + 1) m / n).

    - C1: the rank is that of `layout`, which has as many spatial dimensions as the operator's name
      says.
    - C2: `output_size` holds one extent of at least 1 per spatial dimension, or one for all of
      them, or none: then the result has the data's extents.
    - C3: the spatial dimensions of the data have at least one element each.
  }];
  let arguments = (ins Relay_Tensor:$data,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$output_size,
                   DefaultValuedAttr<StrAttr, "\"" # defaultLayout # "\"">:$layout);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnAdaptiveMaxPool1dOp : Relay_AdaptivePoolOp<
    "nn.adaptive_max_pool1d", "the largest element of each of output_size windows", "NCW">;
def Relay_NnAdaptiveMaxPool2dOp : Relay_AdaptivePoolOp<
    "nn.adaptive_max_pool2d", "the largest element of each of output_size windows", "NCHW">;
def Relay_NnAdaptiveMaxPool3dOp : Relay_AdaptivePoolOp<
    "nn.adaptive_max_pool3d", "the largest element of each of output_size windows", "NCDHW">;
def Relay_NnAdaptiveAvgPool1dOp : Relay_AdaptivePoolOp<
    "nn.adaptive_avg_pool1d", "the mean of each of output_size windows", "NCW">;
def Relay_NnAdaptiveAvgPool2dOp : Relay_AdaptivePoolOp<
    "nn.adaptive_avg_pool2d", "the mean of each of output_size windows", "NCHW">;
def Relay_NnAdaptiveAvgPool3dOp : Relay_AdaptivePoolOp<
    "nn.adaptive_avg_pool3d", "the mean of each of output_size windows", "NCDHW">;

#endif // RELAY_POOL_TD
