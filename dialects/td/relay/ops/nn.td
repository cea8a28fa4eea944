#ifndef RELAY_NN_TD
#define RELAY_NN_TD

include "relay/RelayDialect.td"

def Relay_NnDenseOp : Relay_Op<"nn.dense"> {
  let summary = "data x transpose(weight), weight [units, inputs]";
  let description = [{
    result[m, u] = sum over k of data[m, k] * weight[u, k]. If the weight's type is unknown, `units` may be its number
    of rows; inference removes `units` when the type is known. ONNX: `Gemm` with `transB`.

    - C1: data and weight are of rank 2.
    - C2: their last dimensions are equal.
    - C3: the element types are equal, or the weight's is a narrower float, which is widened where it is read.
    - C4: `units`, if it is given, is that of the weight.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, OptionalAttr<I64Attr>:$units);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnContribDensePackOp : Relay_Op<"nn.contrib_dense_pack"> {
  let summary = "dense with the weight packed to [units/n, inputs, n]";
  let description = [{
    Like `nn.dense`, with contiguous weights of n units that are computed together. `alter-op-layout` makes it of
    `nn.dense`. `weight_layout` is NC16n by default. NC16n2c has the inputs in pairs, for machines that multiply tiles
    of bf16.

    - C1: the data is of rank 2, the weight of rank 3, or 4 if inputs are in blocks, too.
    - C2: the inputs of data and weight are equal.
    - C3: `weight_layout` has the dimensions N and C, and the weight its blocks.
    - C4: the element types are equal, or the weight's is a narrower float, which is widened where it is read.
    - C5: `units`, if it is given as for `nn.dense`, is that of the weight.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, OptionalAttr<I64Attr>:$units, DefaultValuedAttr<StrAttr, "\"NC16n\"">:$weight_layout);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnBatchMatmulOp : Relay_Op<"nn.batch_matmul"> {
  let summary = "matrix products, one per batch; a batch of 1 broadcasts";
  let description = [{
    result[b, m, n] = sum over k of a[b, m, k] * b[b, k, n]. `transpose_a` and `transpose_b`, both
    false by default, exchange the last two dimensions of an operand first. ONNX: `MatMul`.

    - C1: both are of rank 3; or of rank 2, without batches.
    - C2: the columns of `tensor_a` are the rows of `tensor_b`.
    - C3: the batches are equal, or one of them is 1.
    - C4: the element types are equal, or the weight's is a narrower float, which is widened where it is read.
  }];
  let arguments = (ins Relay_Tensor:$tensor_a, Relay_Tensor:$tensor_b, DefaultValuedAttr<BoolAttr, "false">:$transpose_a, DefaultValuedAttr<BoolAttr, "false">:$transpose_b);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnMatmulOp : Relay_Op<"nn.matmul"> {
  let summary = "a matrix product";
  let description = [{
    result[m, n] = sum over k of a[m, k] * b[k, n]. `transpose_a` and `transpose_b`, both false by
    default, exchange the last two dimensions of an operand first. ONNX: `MatMul`, `Gemm`.

    - C1: both are of rank 2; or of rank 3, as for `nn.batch_matmul`.
    - C2: the columns of `tensor_a` are the rows of `tensor_b`.
    - C3: the batches are equal, or one of them is 1.
    - C4: the element types are equal, or the weight's is a narrower float, which is widened where it is read.
    - C5: `units`, if it is given as for `nn.dense`, is the number of the result's columns.
  }];
  let arguments = (ins Relay_Tensor:$tensor_a, Relay_Tensor:$tensor_b, OptionalAttr<I64Attr>:$units, DefaultValuedAttr<BoolAttr, "false">:$transpose_a, DefaultValuedAttr<BoolAttr, "false">:$transpose_b);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnBiasAddOp : Relay_Op<"nn.bias_add"> {
  let summary = "data plus a vector along axis";
  let description = [{
    result[..., c, ...] = data[..., c, ...] + bias[c], with c along `axis`, 1 by default, which
    counts from the end if negative. ONNX: `Add` of a vector; the bias of `Conv` and `Gemm`.

    - C1: `axis` is within the rank.
    - C2: each vector is of rank 1 and has the extent of `axis`.
    - C3: the element types are equal.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$bias, DefaultValuedAttr<I64Attr, "1">:$axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnBatchNormOp : Relay_Op<"nn.batch_norm"> {
  let summary = "(data - moving_mean) / sqrt(moving_var + epsilon) * gamma + beta, along axis";
  let description = [{
    Each vector belongs to `axis`, 1 by default, which counts from the end if negative. `epsilon` is 1e-5 by default.
    Unlike TVM's, it has one result, because mean and variance are operands. ONNX: `BatchNormalization`.

    - C1: `axis` is within the rank.
    - C2: each vector is of rank 1 and has the extent of `axis`.
    - C3: the element types are equal.
    - C4: `epsilon` is at least 0.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$gamma, Relay_Tensor:$beta, Relay_Tensor:$moving_mean, Relay_Tensor:$moving_var, DefaultValuedAttr<I64Attr, "1">:$axis, DefaultValuedAttr<F64Attr, "1e-5">:$epsilon);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnBatchFlattenOp : Relay_Op<"nn.batch_flatten"> {
  let summary = "all dimensions but the first as one";
  let description = [{
    [n, a, b, ...] becomes [n, a * b * ...]. ONNX: `Flatten` with `axis = 1`.

    - C1: the data is of rank 1 or more.
  }];
  let arguments = (ins Relay_Tensor:$data);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnInstanceNormOp : Relay_Op<"nn.instance_norm"> {
  let summary = "each channel of each sample normalised, then scaled by gamma and beta along axis";
  let description = [{
    (data - mean) / sqrt(variance + epsilon) * gamma + beta, with mean and variance over all
    dimensions but the first and `axis`, to which gamma and beta belong. `axis` is 1 by default and
    counts from the end if negative; `epsilon` is 1e-5. ONNX: `InstanceNormalization`.

    - C1: `axis` is within the rank.
    - C2: each vector is of rank 1 and has the extent of `axis`.
    - C3: the element types are equal.
    - C4: `epsilon` is at least 0.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$gamma, Relay_Tensor:$beta, DefaultValuedAttr<I64Attr, "1">:$axis, DefaultValuedAttr<F64Attr, "1e-5">:$epsilon);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnLayerNormOp : Relay_Op<"nn.layer_norm"> {
  let summary = "normalised along axis, then scaled by gamma and beta";
  let description = [{
    (data - mean) / sqrt(variance + epsilon) * gamma + beta, with mean and variance along `axis`, to
    which gamma and beta belong. `axis` is the last one by default and counts from the end if
    negative; `epsilon` is 1e-5. ONNX: `LayerNormalization` over one axis.

    - C1: `axis` is within the rank.
    - C2: each vector is of rank 1 and has the extent of `axis`.
    - C3: the element types are equal.
    - C4: `epsilon` is at least 0.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$gamma, Relay_Tensor:$beta, DefaultValuedAttr<I64Attr, "-1">:$axis, DefaultValuedAttr<F64Attr, "1e-5">:$epsilon);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnGroupNormOp : Relay_Op<"nn.group_norm"> {
  let summary = "groups of channels normalised, then scaled by gamma and beta along axis";
  let description = [{
    (data - mean) / sqrt(variance + epsilon) * gamma + beta. Mean and variance are those of a group of neighbours along `axis`, of which
    there are `num_groups`, and of all dimensions behind. Gamma counts with `scale` only, beta with `center` only.
    ONNX: `GroupNormalization`.

    - C1: `axis` is within the rank.
    - C2: gamma and beta are of rank 1 and have the extent of `axis`.
    - C3: the element types are equal.
    - C4: `epsilon` is at least 0.
    - C5: the extent of `axis` is a multiple of `num_groups`.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$gamma, Relay_Tensor:$beta, I64Attr:$num_groups,
                   DefaultValuedAttr<I64Attr, "1">:$axis, DefaultValuedAttr<F64Attr, "1e-5">:$epsilon,
                   DefaultValuedAttr<BoolAttr, "true">:$center, DefaultValuedAttr<BoolAttr, "true">:$scale);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnLrnOp : Relay_Op<"nn.lrn"> {
  let summary = "data / (bias + alpha / size * sum of squares over size neighbours along axis) to the beta";
  let description = [{
    Local response normalisation. The `size` elements along `axis` include (size - 1) / 2, rounded down, before the
    normalised element. Elements outside the data count as 0. By default `size` is 5, `axis` 1, `bias` 2, `alpha` 0.0001
    and `beta` 0.75. ONNX: `LRN`; its default `bias` is 1.

    - C1: `axis` is within the rank.
    - C2: `size` is at least 1.
  }];
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<I64Attr, "5">:$size, DefaultValuedAttr<I64Attr, "1">:$axis, DefaultValuedAttr<F64Attr, "2">:$bias, DefaultValuedAttr<F64Attr, "0.0001">:$alpha, DefaultValuedAttr<F64Attr, "0.75">:$beta);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnPreluOp : Relay_Op<"nn.prelu"> {
  let summary = "x where x > 0, else alpha * x, with alpha along axis";
  let description = [{
    alpha[c] belongs to subscript c along `axis`, 1 by default, which counts from the end if
    negative. ONNX: `PRelu` with a slope per channel.

    - C1: `axis` is within the rank.
    - C2: each vector is of rank 1 and has the extent of `axis`.
    - C3: the element types are equal.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$alpha, DefaultValuedAttr<I64Attr, "1">:$axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnSoftmaxOp : Relay_Op<"nn.softmax"> {
  let summary = "exp(x) / sum of exp(x) along axis";
  let description = [{
    The largest element is subtracted first, so that nothing overflows. `axis` is the last one by
    default and counts from the end if negative. ONNX: `Softmax`.

    - C1: `axis` is within the rank.
  }];
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<I64Attr, "-1">:$axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnFastSoftmaxOp : Relay_Op<"nn.fast_softmax"> {
  let summary = "softmax with an approximation of exp";
  let description = [{
    Like `nn.softmax`, with `fast_exp` instead of `exp`.

    - C1: `axis` is within the rank.
  }];
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<I64Attr, "-1">:$axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnLogSoftmaxOp : Relay_Op<"nn.log_softmax"> {
  let summary = "the logarithm of softmax";
  let description = [{
    x - log(sum of exp(x) along axis), computed without overflow. `axis` is the last one by default
    and counts from the end if negative. ONNX: `LogSoftmax`.

    - C1: `axis` is within the rank.
  }];
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<I64Attr, "-1">:$axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnPadOp : Relay_Op<"nn.pad"> {
  let summary = "data with elements before and after each dimension";
  let description = [{
    `pad_width` has the widths before and after each dimension in turn. `pad_mode` is `constant`, the default, which
    inserts `pad_value`; `edge`, which repeats the outermost elements; or `reflect`, which mirrors the data at them.
    ONNX: `Pad`.

    - C1: `pad_value` is of rank 0.
    - C2: `pad_width` holds two numbers of at least 0 per dimension.
    - C3: `reflect` takes fewer elements of a dimension than it has, and `edge` none of an empty
      one.
    - C4: `pad_mode` is one of the three.
    - C5: the element types are equal.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$pad_value, Relay_Extents:$pad_width, DefaultValuedAttr<StrAttr, "\"constant\"">:$pad_mode);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnDepthToSpaceOp : Relay_Op<"nn.depth_to_space"> {
  let summary = "blocks of channels spread over space";
  let description = [{
    Data [n, c, h, w] becomes [n, c / b^2, h * b, w * b] with blocks of b = `block_size`. `mode` is the order of the
    channels: `DCR`, the default, row in block, column in block, channel; `CDR`, channel first. ONNX: `DepthToSpace`,
    which calls it `CRD`.

    - C1: the data is of rank 4.
    - C2: `block_size` is at least 1, and its square divides the channels.
    - C3: `mode` is `DCR` or `CDR`.
  }];
  let arguments = (ins Relay_Tensor:$data, I64Attr:$block_size, DefaultValuedAttr<StrAttr, "\"DCR\"">:$mode);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_NN_TD
