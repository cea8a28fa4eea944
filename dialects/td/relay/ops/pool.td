#ifndef RELAY_POOL_TD
#define RELAY_POOL_TD

include "relay/RelayDialect.td"

def Relay_NnMaxPool1dOp : Relay_Op<"nn.max_pool1d"> {
  let summary = "the largest element of each window";
  let description = [{
    `padding` holds the zeros before each spatial dimension, then those after each.
  }];
  let arguments = (ins Relay_Tensor:$data, DenseI64ArrayAttr:$pool_size, DenseI64ArrayAttr:$strides,
                   DenseI64ArrayAttr:$dilation, DenseI64ArrayAttr:$padding,
                   DefaultValuedAttr<StrAttr, "\"NCW\"">:$layout,
                   DefaultValuedAttr<BoolAttr, "false">:$ceil_mode);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnMaxPool2dOp : Relay_Op<"nn.max_pool2d"> {
  let summary = "the largest element of each window";
  let description = [{
    `padding` holds the zeros before each spatial dimension, then those after each.
  }];
  let arguments = (ins Relay_Tensor:$data, DenseI64ArrayAttr:$pool_size, DenseI64ArrayAttr:$strides,
                   DenseI64ArrayAttr:$dilation, DenseI64ArrayAttr:$padding,
                   DefaultValuedAttr<StrAttr, "\"NCHW\"">:$layout,
                   DefaultValuedAttr<BoolAttr, "false">:$ceil_mode);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnMaxPool3dOp : Relay_Op<"nn.max_pool3d"> {
  let summary = "the largest element of each window";
  let description = [{
    `padding` holds the zeros before each spatial dimension, then those after each.
  }];
  let arguments = (ins Relay_Tensor:$data, DenseI64ArrayAttr:$pool_size, DenseI64ArrayAttr:$strides,
                   DenseI64ArrayAttr:$dilation, DenseI64ArrayAttr:$padding,
                   DefaultValuedAttr<StrAttr, "\"NCDHW\"">:$layout,
                   DefaultValuedAttr<BoolAttr, "false">:$ceil_mode);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnAvgPool1dOp : Relay_Op<"nn.avg_pool1d"> {
  let summary = "the mean of each window";
  let description = [{
    `padding` holds the zeros before each spatial dimension, then those after each.
  }];
  let arguments = (ins Relay_Tensor:$data, DenseI64ArrayAttr:$pool_size, DenseI64ArrayAttr:$strides,
                   DenseI64ArrayAttr:$dilation, DenseI64ArrayAttr:$padding,
                   DefaultValuedAttr<StrAttr, "\"NCW\"">:$layout,
                   DefaultValuedAttr<BoolAttr, "false">:$ceil_mode,
                   DefaultValuedAttr<BoolAttr, "false">:$count_include_pad);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnAvgPool2dOp : Relay_Op<"nn.avg_pool2d"> {
  let summary = "the mean of each window";
  let description = [{
    `padding` holds the zeros before each spatial dimension, then those after each.
  }];
  let arguments = (ins Relay_Tensor:$data, DenseI64ArrayAttr:$pool_size, DenseI64ArrayAttr:$strides,
                   DenseI64ArrayAttr:$dilation, DenseI64ArrayAttr:$padding,
                   DefaultValuedAttr<StrAttr, "\"NCHW\"">:$layout,
                   DefaultValuedAttr<BoolAttr, "false">:$ceil_mode,
                   DefaultValuedAttr<BoolAttr, "false">:$count_include_pad);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnAvgPool3dOp : Relay_Op<"nn.avg_pool3d"> {
  let summary = "the mean of each window";
  let description = [{
    `padding` holds the zeros before each spatial dimension, then those after each.
  }];
  let arguments = (ins Relay_Tensor:$data, DenseI64ArrayAttr:$pool_size, DenseI64ArrayAttr:$strides,
                   DenseI64ArrayAttr:$dilation, DenseI64ArrayAttr:$padding,
                   DefaultValuedAttr<StrAttr, "\"NCDHW\"">:$layout,
                   DefaultValuedAttr<BoolAttr, "false">:$ceil_mode,
                   DefaultValuedAttr<BoolAttr, "false">:$count_include_pad);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnGlobalMaxPool2dOp : Relay_Op<"nn.global_max_pool2d"> {
  let summary = "the largest element of each channel";
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<StrAttr, "\"NCHW\"">:$layout);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnGlobalAvgPool2dOp : Relay_Op<"nn.global_avg_pool2d"> {
  let summary = "the mean of each channel";
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<StrAttr, "\"NCHW\"">:$layout);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_POOL_TD
