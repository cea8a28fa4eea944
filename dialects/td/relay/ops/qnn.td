#ifndef RELAY_QNN_TD
#define RELAY_QNN_TD

include "relay/RelayDialect.td"

// Quantised tensors: an integer q stands for the number scale * (q - zero_point).

// What the descriptions of operators with a scale and a zero point say.
class Relay_QnnText {
  string grain = "Scale and zero point are of rank 0, or vectors along `axis`, -1 by default, which counts from the end "
      "if negative.\n\n"
      "- C1: `axis` is within the rank; a vector has its extent.\n"
      "- C2: the scale is of floats, the zero point of 32-bit integers.\n";
}

def Relay_QnnQuantizeOp : Relay_Op<"qnn.quantize"> {
  let summary = "numbers as integers: round(data / output_scale) + output_zero_point, clipped";
  let description = "The quotient is rounded to the nearest integer, half to even, and the sum clipped to the range of "
      "`out_dtype`, an integer of 8, 16 or 32 bits. ONNX: `QuantizeLinear`. TVM's rounds half away from zero.\n\n"
      # Relay_QnnText<>.grain #
      "- C3: `out_dtype` is an integer type of at most 32 bits.\n";
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$output_scale, Relay_Tensor:$output_zero_point,
                   DefaultValuedAttr<I64Attr, "-1">:$axis, TypeAttr:$out_dtype);
  let results = (outs Relay_Tensor:$result);
}

def Relay_QnnDequantizeOp : Relay_Op<"qnn.dequantize"> {
  let summary = "the numbers that integers stand for: (data - input_zero_point) * input_scale";
  let description = "The result has the scale's element type. ONNX: `DequantizeLinear`.\n\n"
      # Relay_QnnText<>.grain;
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$input_scale, Relay_Tensor:$input_zero_point,
                   DefaultValuedAttr<I64Attr, "-1">:$axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_QnnConv2dOp : Relay_Op<"qnn.conv2d"> {
  let summary = "the convolution of the distances of integers from their zero points, in 32-bit integers";
  let description = [{
    `nn.conv2d` of data - input_zero_point and weight - kernel_zero_point. Padding is of zero distances. The scales say what
    a step of the operands is, and do not change the result, whose step is their product. Sums wrap modulo 2^32. ONNX:
    `ConvInteger`, and the sums of `QLinearConv`.

    - C1: the input's zero point is of rank 0; the kernel's, too, or it is a vector of one for each output.
    - C2: data and weight fit as those of `nn.conv2d`.
    - C3: data and weight hold integers of 8 bits, zero points those of 32 bits, scales floats.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, Relay_Tensor:$input_zero_point,
                   Relay_Tensor:$kernel_zero_point, Relay_Tensor:$input_scale, Relay_Tensor:$kernel_scale,
                   OptionalAttr<I64Attr>:$channels, OptionalAttr<DenseI64ArrayAttr>:$kernel_size,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$padding,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$dilation,
                   DefaultValuedAttr<I64Attr, "1">:$groups,
                   DefaultValuedAttr<StrAttr, "\"NCHW\"">:$data_layout,
                   DefaultValuedAttr<StrAttr, "\"OIHW\"">:$kernel_layout);
  let results = (outs Relay_Tensor:$result);
}

def Relay_QnnDenseOp : Relay_Op<"qnn.dense"> {
  let summary = "the product of the distances of integers from their zero points, in 32-bit integers";
  let description = [{
    `nn.dense` of data - input_zero_point and weight - kernel_zero_point. The scales are as for `qnn.conv2d`. ONNX:
    `MatMulInteger` with a constant matrix, and the sums of `QLinearMatMul`.

    - C1: the input's zero point is of rank 0; the kernel's, too, or it is a vector of one for each unit.
    - C2: data and weight are of rank 2, and their last dimensions are equal.
    - C3: data and weight hold integers of 8 bits, zero points those of 32 bits, scales floats.
    - C4: `units`, if it is given, is that of the weight.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, Relay_Tensor:$input_zero_point,
                   Relay_Tensor:$kernel_zero_point, Relay_Tensor:$input_scale, Relay_Tensor:$kernel_scale,
                   OptionalAttr<I64Attr>:$units);
  let results = (outs Relay_Tensor:$result);
}

def Relay_QnnConv2dTransposeOp : Relay_Op<"qnn.conv2d_transpose"> {
  let summary = "the transposed convolution of the distances of integers from their zero points, in 32-bit integers";
  let description = [{
    `nn.conv2d_transpose` of data - input_zero_point and weight - kernel_zero_point. The scales are as for `qnn.conv2d`.

    - C1: the input's zero point is of rank 0; the kernel's, too, or it is a vector of one for each output.
    - C2: data and weight fit as those of `nn.conv2d_transpose`.
    - C3: data and weight hold integers of 8 bits, zero points those of 32 bits, scales floats.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, Relay_Tensor:$input_zero_point,
                   Relay_Tensor:$kernel_zero_point, Relay_Tensor:$input_scale, Relay_Tensor:$kernel_scale,
                   OptionalAttr<I64Attr>:$channels, OptionalAttr<DenseI64ArrayAttr>:$kernel_size,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$padding,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$dilation,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0}">:$output_padding,
                   DefaultValuedAttr<I64Attr, "1">:$groups,
                   DefaultValuedAttr<StrAttr, "\"NCHW\"">:$data_layout,
                   DefaultValuedAttr<StrAttr, "\"IOHW\"">:$kernel_layout);
  let results = (outs Relay_Tensor:$result);
}

def Relay_QnnBatchMatmulOp : Relay_Op<"qnn.batch_matmul"> {
  let summary = "matrix products of the distances of integers from their zero points, one per batch, in 32-bit integers";
  let description = [{
    `nn.batch_matmul` of x - x_zero_point and y - y_zero_point. The scales are as for `qnn.conv2d`. TVM takes `transpose_b` only.

    - C1: the zero points are of rank 0.
    - C2: x and y fit as those of `nn.batch_matmul`.
    - C3: x and y hold integers of 8 bits, zero points those of 32 bits, scales floats.
  }];
  let arguments = (ins Relay_Tensor:$x, Relay_Tensor:$y, Relay_Tensor:$x_zero_point, Relay_Tensor:$y_zero_point,
                   Relay_Tensor:$x_scale, Relay_Tensor:$y_scale,
                   DefaultValuedAttr<BoolAttr, "false">:$transpose_a,
                   DefaultValuedAttr<BoolAttr, "false">:$transpose_b);
  let results = (outs Relay_Tensor:$result);
}

def Relay_QnnContribConv2dNCHWcOp : Relay_Op<"qnn.contrib_conv2d_NCHWc"> {
  let summary = "conv2d of unsigned bytes with a weight of words, each of four signed bytes";
  let description = [{
    Like `nn.contrib_conv2d_NCHWc`, with data of bytes [n, c/b, h, w, b] and a weight of 32-bit words [o/l, c/b, kh, kw, b/4,
    l]: a word holds what four neighbouring channels are multiplied with, the first one in its lowest bits. Products are
    summed up in 32-bit integers, by the processor's instructions for bytes where it has some (`tir.dot_bytes`).
    `alter-op-layout` makes it of `qnn.conv2d`. The data may also be such words [n, c/b, h, w, b/4] of unsigned bytes.

    - C1: data and weight have the ranks and blocks of their layouts, which count words: NCHW4c, which is the default of
      `data_layout`, has 16 channels in a block. `kernel_layout` is OIHW4i16o by default.
    - C2: the words of channels are the weight's inputs times `groups`.
    - C3: the data is of 32-bit integers, or of unsigned bytes, of which the last dimension has whole words; the weight is of
      32-bit integers.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$padding,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$dilation,
                   DefaultValuedAttr<I64Attr, "1">:$groups,
                   DefaultValuedAttr<StrAttr, "\"NCHW4c\"">:$data_layout,
                   DefaultValuedAttr<StrAttr, "\"OIHW4i16o\"">:$kernel_layout);
  let results = (outs Relay_Tensor:$result);
}

def Relay_QnnContribDepthwiseConv2dNCHWcOp : Relay_Op<"qnn.contrib_depthwise_conv2d_NCHWc"> {
  let summary = "conv2d of each channel of bytes on its own, in f32";
  let description = [{
    `nn.contrib_depthwise_conv2d_NCHWc` of data - zero_point, with data of bytes: they are widened where they are read. The
    weight and the zero point are of f32. `alter-op-layout` makes it of a `qnn.conv2d` whose sums f32 holds.

    - C1: data and weight have the ranks and blocks of their layouts, NCHW16c and OIHW1i16o by default.
    - C2: `groups` is the number of channels.
    - C3: the data is of bytes, weight and zero point are of f32, and the latter is of rank 0.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, Relay_Tensor:$zero_point,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$padding,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$dilation,
                   DefaultValuedAttr<I64Attr, "1">:$groups,
                   DefaultValuedAttr<StrAttr, "\"NCHW16c\"">:$data_layout,
                   DefaultValuedAttr<StrAttr, "\"OIHW1i16o\"">:$kernel_layout);
  let results = (outs Relay_Tensor:$result);
}

def Relay_QnnContribDensePackOp : Relay_Op<"qnn.contrib_dense_pack"> {
  let summary = "dense of unsigned bytes with a weight of words, each of four signed bytes";
  let description = [{
    Like `nn.contrib_dense_pack`, with data of bytes [m, k] and a weight of 32-bit words [units/l, k/4, l], as for
    `qnn.contrib_conv2d_NCHWc`. `alter-op-layout` makes it of `qnn.dense`.

    - C1: the data is of rank 2, the weight of rank 3.
    - C2: the words of a row of data are the weight's.
    - C3: the data is of 32-bit integers, or of unsigned bytes, of which the last dimension has whole words; the weight is of
      32-bit integers.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight);
  let results = (outs Relay_Tensor:$result);
}

def Relay_QnnContribBatchMatmulPackOp : Relay_Op<"qnn.contrib_batch_matmul_pack"> {
  let summary = "matrix products of unsigned bytes and of words, each of four signed bytes";
  let description = [{
    `nn.batch_matmul` of data of bytes [b, m, k] and words [b, k/4, n], each of which holds four neighbours of a column, the first one in its lowest bits.
    `qnn-legalize` makes it of products whose operands are both data, and the words when the model runs.

    - C1: both are of rank 3, or of rank 2 without batches; the batches are equal, or one of them is 1.
    - C2: the words of a row of data are the weight's rows.
    - C3: the data is of unsigned bytes, of which the last dimension has whole words; the weight is of 32-bit integers.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_QNN_TD
