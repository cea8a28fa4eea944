#ifndef RELAY_LOSSES_TD
#define RELAY_LOSSES_TD

include "relay/RelayDialect.td"

def Relay_NnL2NormalizeOp : Relay_Op<"nn.l2_normalize"> {
  let summary = "data divided by the root of the sum of its squares along axes";
  let description = [{
    The sum is `eps` at least. Axes count from the end if negative. ONNX: `LpNormalization`, which has no least sum.

    - C1: the axes are within the rank, and each is given once; there is one at least.
    - C2: `eps` is not negative.
  }];
  let arguments = (ins Relay_Tensor:$data, F64Attr:$eps, DenseI64ArrayAttr:$axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnCrossEntropyOp : Relay_Op<"nn.cross_entropy"> {
  let summary = "how far predicted chances are from others: -sum(log(x) * y) / rows";
  let description = [{
    The result is of rank 0.

    - C1: both operands are of one type of rank 2.
  }];
  let arguments = (ins Relay_Tensor:$x, Relay_Tensor:$y);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnCrossEntropyWithLogitsOp : Relay_Op<"nn.cross_entropy_with_logits"> {
  let summary = "how far the logarithms of chances are from others: -sum(x * y) / rows";
  let description = [{
    The result is of rank 0.

    - C1: both operands are of one type of rank 2.
  }];
  let arguments = (ins Relay_Tensor:$x, Relay_Tensor:$y);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnDropoutOp : Relay_Op<"nn.dropout"> {
  let summary = "data as it is, and a mask of ones: nothing is dropped at inference";
  let description = [{
    Both results have the operand's type. ONNX: `Dropout`.

    - C1: `rate` is from 0 to 1.
  }];
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<F64Attr, "0.5">:$rate);
  let results = (outs Relay_Tensor:$result, Relay_Tensor:$mask);
}

def Relay_CollapseSumToOp : Relay_Op<"collapse_sum_to"> {
  let summary = "sums of what a broadcast of a shape would repeat";
  let description = [{
    The gradient of a broadcast from `shape` to the operand's shape.

    - C1: `shape` broadcasts to the operand's.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Extents:$shape);
  let results = (outs Relay_Tensor:$result);
}

def Relay_CollapseSumLikeOp : Relay_Op<"collapse_sum_like"> {
  let summary = "sums of what a broadcast of another tensor's shape would repeat";
  let description = [{
    As `relay.collapse_sum_to`. The elements of `collapse_type` are not read.

    - C1: the shape of `collapse_type` broadcasts to the operand's.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$collapse_type);
  let results = (outs Relay_Tensor:$result);
}

def Relay_FixedPointMultiplyOp : Relay_Op<"fixed_point_multiply"> {
  let summary = "integers times multiplier * 2^(shift - 31), rounded";
  let description = [{
    The product has 64 bits, and its low 32 are the result. `rounding` says which of two numbers as near is taken: `UPWARD`, the default, the greater one,
    `TONEAREST` the one farther from zero. `TFLITE` rounds twice, as TFLite's kernels do: the product / 2^31 upward, and what a negative `shift` shifts out
    away from zero. TVM has the first one only.

    - C1: data are of i32.
    - C2: `multiplier` is one of 32 bits, and `shift` is from -31 to 30.
    - C3: `rounding` is one of the three.
  }];
  let arguments = (ins Relay_Tensor:$data, I64Attr:$multiplier, I64Attr:$shift,
                   DefaultValuedAttr<StrAttr, "\"UPWARD\"">:$rounding);
  let results = (outs Relay_Tensor:$result);
}

def Relay_FixedPointMultiplyPerAxisOp : Relay_Op<"fixed_point_multiply_per_axis"> {
  let summary = "numbers times fixed-point numbers of their own along some axes";
  let description = [{
    x * multiplier * 2^(left_shift - right_shift), rounded to the nearest number by `rounding`, as for `fixed_point_multiply`. The multiplier has 31 bits behind
    the point. The left shift counts with `is_lshift_required` only; `is_rshift_required` says nothing that `right_shift` does not say. The three
    lists lie along `axes` and have their extents.

    - C1: data are of i32, and so are the lists, which are of the rank of `axes` and their extents.
    - C2: `axes` are within the rank, and rise.
    - C3: `rounding` is one of the three.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$multiplier, Relay_Tensor:$left_shift, Relay_Tensor:$right_shift,
                   DefaultValuedAttr<BoolAttr, "false">:$is_lshift_required,
                   DefaultValuedAttr<BoolAttr, "false">:$is_rshift_required, DenseI64ArrayAttr:$axes,
                   DefaultValuedAttr<StrAttr, "\"UPWARD\"">:$rounding);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnNllLossOp : Relay_Op<"nn.nll_loss"> {
  let summary = "the negative logarithms of the likelihoods of classes";
  let description = [{
    `predictions` [n, c, ...] are logarithms of the likelihoods of c classes, or [c] without a batch. `targets` [n, ...], or [], are the
    right classes, and `weights` [c] their weights. A loss is -prediction * weight, and 0 where the target is `ignore_index`. `reduction` is `none`, `sum`, or
    `mean`: the sum of the losses / the sum of their weights. A target that is no class is taken modulo c.

    - C1: predictions, targets and weights fit each other; targets are integers.
    - C2: `reduction` is one of the three.
  }];
  let arguments = (ins Relay_Tensor:$predictions, Relay_Tensor:$targets, Relay_Tensor:$weights,
                   DefaultValuedAttr<StrAttr, "\"mean\"">:$reduction, DefaultValuedAttr<I64Attr, "-100">:$ignore_index);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_LOSSES_TD
