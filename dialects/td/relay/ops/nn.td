#ifndef RELAY_NN_TD
#define RELAY_NN_TD

include "relay/RelayDialect.td"

def Relay_NnDenseOp : Relay_Op<"nn.dense"> {
  let summary = "data x transpose(weight), weight [units, inputs]";
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnContribDensePackOp : Relay_Op<"nn.contrib_dense_pack"> {
  let summary = "dense with the weight packed to [units/n, inputs, n]";
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, DefaultValuedAttr<StrAttr, "\"NC16n\"">:$weight_layout);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnBatchMatmulOp : Relay_Op<"nn.batch_matmul"> {
  let summary = "matrix products, one per batch; a batch of 1 broadcasts";
  let arguments = (ins Relay_Tensor:$tensor_a, Relay_Tensor:$tensor_b, DefaultValuedAttr<BoolAttr, "false">:$transpose_a, DefaultValuedAttr<BoolAttr, "false">:$transpose_b);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnMatmulOp : Relay_Op<"nn.matmul"> {
  let summary = "a matrix product";
  let arguments = (ins Relay_Tensor:$tensor_a, Relay_Tensor:$tensor_b, DefaultValuedAttr<BoolAttr, "false">:$transpose_a, DefaultValuedAttr<BoolAttr, "false">:$transpose_b);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnBiasAddOp : Relay_Op<"nn.bias_add"> {
  let summary = "data plus a vector along axis";
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$bias, DefaultValuedAttr<I64Attr, "1">:$axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnBatchNormOp : Relay_Op<"nn.batch_norm"> {
  let summary = "(data - moving_mean) / sqrt(moving_var + epsilon) * gamma + beta, along axis";
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$gamma, Relay_Tensor:$beta, Relay_Tensor:$moving_mean, Relay_Tensor:$moving_var, DefaultValuedAttr<I64Attr, "1">:$axis, DefaultValuedAttr<F64Attr, "1e-5">:$epsilon);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnBatchFlattenOp : Relay_Op<"nn.batch_flatten"> {
  let summary = "all dimensions but the first as one";
  let arguments = (ins Relay_Tensor:$data);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnInstanceNormOp : Relay_Op<"nn.instance_norm"> {
  let summary = "each channel of each sample normalised, then scaled by gamma and beta along axis";
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$gamma, Relay_Tensor:$beta, DefaultValuedAttr<I64Attr, "1">:$axis, DefaultValuedAttr<F64Attr, "1e-5">:$epsilon);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnLayerNormOp : Relay_Op<"nn.layer_norm"> {
  let summary = "normalised along axis, then scaled by gamma and beta";
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$gamma, Relay_Tensor:$beta, DefaultValuedAttr<I64Attr, "-1">:$axis, DefaultValuedAttr<F64Attr, "1e-5">:$epsilon);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnLrnOp : Relay_Op<"nn.lrn"> {
  let summary = "data / (bias + alpha / size * sum of squares over size neighbours along axis) to the beta";
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<I64Attr, "5">:$size, DefaultValuedAttr<I64Attr, "1">:$axis, DefaultValuedAttr<F64Attr, "2">:$bias, DefaultValuedAttr<F64Attr, "0.0001">:$alpha, DefaultValuedAttr<F64Attr, "0.75">:$beta);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnPreluOp : Relay_Op<"nn.prelu"> {
  let summary = "x where x > 0, else alpha * x, with alpha along axis";
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$alpha, DefaultValuedAttr<I64Attr, "1">:$axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnSoftmaxOp : Relay_Op<"nn.softmax"> {
  let summary = "exp(x) / sum of exp(x) along axis";
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<I64Attr, "-1">:$axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnLogSoftmaxOp : Relay_Op<"nn.log_softmax"> {
  let summary = "the logarithm of softmax";
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<I64Attr, "-1">:$axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnPadOp : Relay_Op<"nn.pad"> {
  let summary = "data with elements before and after each dimension";
  let description = [{
    `pad_width` holds before and after of each dimension in turn. `pad_mode` is `constant`, `edge`
    or `reflect`.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$pad_value, DenseI64ArrayAttr:$pad_width, DefaultValuedAttr<StrAttr, "\"constant\"">:$pad_mode);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnDepthToSpaceOp : Relay_Op<"nn.depth_to_space"> {
  let summary = "blocks of channels spread over space";
  let arguments = (ins Relay_Tensor:$data, I64Attr:$block_size, DefaultValuedAttr<StrAttr, "\"DCR\"">:$mode);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_NN_TD
