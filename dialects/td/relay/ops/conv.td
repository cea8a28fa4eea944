#ifndef RELAY_CONV_TD
#define RELAY_CONV_TD

include "relay/RelayDialect.td"

def Relay_NnConv1dOp : Relay_Op<"nn.conv1d"> {
  let summary = "convolution in one dimension";
  let description = [{
    `padding` holds the zeros before each spatial dimension, then those after each.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding, DenseI64ArrayAttr:$dilation,
                   DefaultValuedAttr<I64Attr, "1">:$groups,
                   DefaultValuedAttr<StrAttr, "\"NCW\"">:$data_layout,
                   DefaultValuedAttr<StrAttr, "\"OIW\"">:$kernel_layout);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnConv2dOp : Relay_Op<"nn.conv2d"> {
  let summary = "convolution in two dimensions";
  let description = [{
    `padding` holds the zeros before each spatial dimension, then those after each.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding, DenseI64ArrayAttr:$dilation,
                   DefaultValuedAttr<I64Attr, "1">:$groups,
                   DefaultValuedAttr<StrAttr, "\"NCHW\"">:$data_layout,
                   DefaultValuedAttr<StrAttr, "\"OIHW\"">:$kernel_layout);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnConv3dOp : Relay_Op<"nn.conv3d"> {
  let summary = "convolution in three dimensions";
  let description = [{
    `padding` holds the zeros before each spatial dimension, then those after each.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding, DenseI64ArrayAttr:$dilation,
                   DefaultValuedAttr<I64Attr, "1">:$groups,
                   DefaultValuedAttr<StrAttr, "\"NCDHW\"">:$data_layout,
                   DefaultValuedAttr<StrAttr, "\"OIDHW\"">:$kernel_layout);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnConv1dTransposeOp : Relay_Op<"nn.conv1d_transpose"> {
  let summary = "the adjoint of conv1d in its data";
  let description = [{
    `padding` holds the zeros before each spatial dimension, then those after each.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding, DenseI64ArrayAttr:$dilation,
                   DenseI64ArrayAttr:$output_padding, DefaultValuedAttr<I64Attr, "1">:$groups,
                   DefaultValuedAttr<StrAttr, "\"NCW\"">:$data_layout,
                   DefaultValuedAttr<StrAttr, "\"IOW\"">:$kernel_layout);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnConv2dTransposeOp : Relay_Op<"nn.conv2d_transpose"> {
  let summary = "the adjoint of conv2d in its data";
  let description = [{
    `padding` holds the zeros before each spatial dimension, then those after each.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding, DenseI64ArrayAttr:$dilation,
                   DenseI64ArrayAttr:$output_padding, DefaultValuedAttr<I64Attr, "1">:$groups,
                   DefaultValuedAttr<StrAttr, "\"NCHW\"">:$data_layout,
                   DefaultValuedAttr<StrAttr, "\"IOHW\"">:$kernel_layout);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnConv3dTransposeOp : Relay_Op<"nn.conv3d_transpose"> {
  let summary = "the adjoint of conv3d in its data";
  let description = [{
    `padding` holds the zeros before each spatial dimension, then those after each.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding, DenseI64ArrayAttr:$dilation,
                   DenseI64ArrayAttr:$output_padding, DefaultValuedAttr<I64Attr, "1">:$groups,
                   DefaultValuedAttr<StrAttr, "\"NCDHW\"">:$data_layout,
                   DefaultValuedAttr<StrAttr, "\"IODHW\"">:$kernel_layout);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnContribConv2dNCHWcOp : Relay_Op<"nn.contrib_conv2d_NCHWc"> {
  let summary = "conv2d on packed channels: data NCHW{i}c, weight OIHW{i}i{o}o, result NCHW{o}c";
  let description = [{
    `padding` holds the zeros before each spatial dimension, then those after each.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding, DenseI64ArrayAttr:$dilation,
                   DefaultValuedAttr<I64Attr, "1">:$groups,
                   DefaultValuedAttr<StrAttr, "\"NCHW16c\"">:$data_layout,
                   DefaultValuedAttr<StrAttr, "\"OIHW16i16o\"">:$kernel_layout);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnContribDepthwiseConv2dNCHWcOp : Relay_Op<"nn.contrib_depthwise_conv2d_NCHWc"> {
  let summary = "conv2d of each channel on its own: data NCHW{c}c, weight OIHW1i{c}o";
  let description = [{
    `padding` holds the zeros before each spatial dimension, then those after each.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding, DenseI64ArrayAttr:$dilation,
                   DefaultValuedAttr<I64Attr, "1">:$groups,
                   DefaultValuedAttr<StrAttr, "\"NCHW16c\"">:$data_layout,
                   DefaultValuedAttr<StrAttr, "\"OIHW1i16o\"">:$kernel_layout);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_CONV_TD
