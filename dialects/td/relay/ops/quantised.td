#ifndef RELAY_QUANTISED_TD
#define RELAY_QUANTISED_TD

include "relay/RelayDialect.td"

// From quantised tensors to quantised tensors. `qnn-legalize` writes these operators as others.

// What the descriptions of operators on bytes with a step of their own for their result say.
class Relay_QnnStepsText {
  string text = "- C1: all scales and zero points are of rank 0.\n"
      "- C2: scales are of floats, zero points of 32-bit integers.\n";
}

def Relay_QnnRequantizeOp : Relay_Op<"qnn.requantize"> {
  let summary = "integers in other steps: (data - input_zero_point) * input_scale / output_scale + output_zero_point, clipped";
  let description = "The scale and the zero point of the input are of rank 0, or vectors along `axis`, -1 by default. `compute_dtype` says "
      "how the quotient of the scales is multiplied with: `float32` and `float64` in such floats, `int64` in fixed point, with a multiplier of 32 "
      "bits: integers are the same on all machines. `None`, the default, is `float32` here on all targets.\n\n"
      "`rounding` says what happens to numbers in the middle of two integers: `UPWARD` takes the greater one, `TONEAREST` the one farther from zero. `None`, the "
      "default, is `UPWARD`. `TFLITE`, which TVM does not have, rounds twice, as TFLite's kernels do: the upper half of the product upward, then what is "
      "shifted out, away from zero. It takes `int64`.\n\n"
      "- C1: `axis` is within the rank; a vector has its extent. The output has one scale and one zero point.\n"
      "- C2: scales are of floats, zero points of 32-bit integers.\n"
      "- C3: `out_dtype` is an integer type of at most 32 bits.\n"
      "- C4: `rounding` and `compute_dtype` are known, and fit.\n";
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$input_scale, Relay_Tensor:$input_zero_point,
                   Relay_Tensor:$output_scale, Relay_Tensor:$output_zero_point,
                   DefaultValuedAttr<I64Attr, "-1">:$axis, DefaultValuedAttr<StrAttr, "\"None\"">:$rounding,
                   DefaultValuedAttr<StrAttr, "\"None\"">:$compute_dtype, TypeAttr:$out_dtype);
  let results = (outs Relay_Tensor:$result);
}

class Relay_QnnSimulatedText<string dtype> {
  string text = " `" # dtype # "` is a number that is known when the model runs: 1 for int8, 2 for uint8, 3 for int32, and others leave the data as it "
      "is. Scale and zero point are numbers, vectors of one number, or vectors along `axis`, -1 by default.\n\n"
      "- C1: `axis` is within the rank; a vector has its extent, or one element.\n"
      "- C2: the scale is of floats, the zero point of numbers, `" # dtype # "` one integer.\n";
}

def Relay_QnnSimulatedQuantizeOp : Relay_Op<"qnn.simulated_quantize"> {
  let summary = "what qnn.quantize gives, in floats, for an element type that is known at run time";
  let description = "Numbers in the middle are rounded to the even one, as `qnn.quantize` does."
      # Relay_QnnSimulatedText<"out_dtype">.text;
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$out_dtype, Relay_Tensor:$output_scale,
                   Relay_Tensor:$output_zero_point, DefaultValuedAttr<I64Attr, "-1">:$axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_QnnSimulatedDequantizeOp : Relay_Op<"qnn.simulated_dequantize"> {
  let summary = "what qnn.dequantize gives, of integers in floats";
  let description = "(data - input_zero_point) * input_scale." # Relay_QnnSimulatedText<"in_dtype">.text;
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$in_dtype, Relay_Tensor:$input_scale,
                   Relay_Tensor:$input_zero_point, DefaultValuedAttr<I64Attr, "-1">:$axis);
  let results = (outs Relay_Tensor:$result);
}

class Relay_QnnBinaryOp<string mnemonic, string doc, string how> : Relay_Op<mnemonic> {
  let summary = doc;
  let description = how # " The result has the element type of the operands. Scales and zero points of operands are of rank 0, or vectors along `lhs_axis` "
      "and `rhs_axis`, -1 by default.\n\n"
      "- C1: the axes are within the ranks; a vector has the extent of its axis. The output has one scale and one zero point.\n"
      "- C2: scales are of floats, zero points of 32-bit integers.\n"
      "- C3: the operands have one element type, and their shapes broadcast.\n";
  let arguments = (ins Relay_Tensor:$lhs, Relay_Tensor:$rhs, Relay_Tensor:$lhs_scale, Relay_Tensor:$lhs_zero_point,
                   Relay_Tensor:$rhs_scale, Relay_Tensor:$rhs_zero_point, Relay_Tensor:$output_scale,
                   Relay_Tensor:$output_zero_point, DefaultValuedAttr<I64Attr, "-1">:$lhs_axis,
                   DefaultValuedAttr<I64Attr, "-1">:$rhs_axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_QnnAddOp : Relay_QnnBinaryOp<"qnn.add", "the sum of quantised tensors",
    "Each operand is requantised to 32-bit integers in the output's steps, unless it has them, and then added.">;
def Relay_QnnSubtractOp : Relay_QnnBinaryOp<"qnn.subtract", "the difference of quantised tensors",
    "Each operand is requantised to 32-bit integers in the output's steps, unless it has them, and then subtracted.">;
def Relay_QnnMulOp : Relay_QnnBinaryOp<"qnn.mul", "the product of quantised tensors",
    "The distances from the zero points are multiplied in 32-bit integers. The product, in steps of the product of the scales, is requantised.">;

def Relay_QnnConcatenateOp : Relay_Op<"qnn.concatenate"> {
  let summary = "quantised tensors one after the other along axis, in the output's steps";
  let description = [{
    The operands are n tensors, then their n scales, then their n zero points, then the scale and the zero point of the output. Tensors are requantised to the
    output's steps, unless they have them. Relay's text writes the three lists as tuples.

    - C1: there is a scale and a zero point, of rank 0, for each tensor, and for the output.
    - C2: scales are of floats, zero points of 32-bit integers.
    - C3: the tensors fit as those of `concatenate`, and hold integers.
  }];
  let arguments = (ins Variadic<Relay_Tensor>:$data, I64Attr:$axis);
  let results = (outs Relay_Tensor:$result);
}

// f of the numbers that bytes stand for, as bytes.
class Relay_QnnUnaryOp<string mnemonic, string doc> : Relay_Op<"qnn." # mnemonic> {
  let summary = doc # " of the numbers that bytes stand for, as bytes";
  let description = "The bytes are dequantised, and what `" # mnemonic # "` gives is quantised, as by `qnn.dequantize` and `qnn.quantize`. The result "
      "has the element type of `x`.\n\n" # Relay_QnnStepsText<>.text # "- C3: `x` holds integers of 8 bits.\n";
  let arguments = (ins Relay_Tensor:$x, Relay_Tensor:$scale, Relay_Tensor:$zero_point, Relay_Tensor:$output_scale,
                   Relay_Tensor:$output_zero_point);
  let results = (outs Relay_Tensor:$result);
}

def Relay_QnnTanhOp : Relay_QnnUnaryOp<"tanh", "the hyperbolic tangent">;
def Relay_QnnExpOp : Relay_QnnUnaryOp<"exp", "the exponential function">;
def Relay_QnnSqrtOp : Relay_QnnUnaryOp<"sqrt", "the square root">;
def Relay_QnnRsqrtOp : Relay_QnnUnaryOp<"rsqrt", "1 / the square root">;
def Relay_QnnErfOp : Relay_QnnUnaryOp<"erf", "the error function">;
def Relay_QnnSigmoidOp : Relay_QnnUnaryOp<"sigmoid", "1 / (1 + exp(-x))">;
def Relay_QnnHardswishOp : Relay_QnnUnaryOp<"hardswish", "x * clip(x + 3, 0, 6) / 6">;
def Relay_QnnLogOp : Relay_QnnUnaryOp<"log", "the natural logarithm">;
def Relay_QnnAbsOp : Relay_QnnUnaryOp<"abs", "the absolute value">;

def Relay_QnnLeakyReluOp : Relay_Op<"qnn.leaky_relu"> {
  let summary = "quantised numbers, those below zero times alpha";
  let description = "The data is requantised to 32-bit integers q in the output's steps, unless it has them. Of numbers below zero, the result is alpha * q "
      "+ (1 - alpha) * output_zero_point, each product in fixed point and rounded upward.\n\n"
      # Relay_QnnStepsText<>.text # "- C3: the data holds integers of 8 bits.\n";
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$input_scale, Relay_Tensor:$input_zero_point,
                   Relay_Tensor:$output_scale, Relay_Tensor:$output_zero_point, F64Attr:$alpha);
  let results = (outs Relay_Tensor:$result);
}

def Relay_QnnSoftmaxOp : Relay_Op<"qnn.softmax"> {
  let summary = "softmax along axis by shifts of integers";
  let description = "The algorithm of I-ViT (arXiv:2207.01405), which replaces powers of e by powers of 2, as TVM has it. The scale of the input "
      "is at most 1. It is less exact than `nn.softmax` between `qnn.dequantize` and `qnn.quantize`.\n\n"
      # Relay_QnnStepsText<>.text # "- C3: the data holds signed integers of 8 bits.\n"
      "- C4: `axis`, -1 by default, is within the rank.\n";
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$scale, Relay_Tensor:$zero_point, Relay_Tensor:$output_scale,
                   Relay_Tensor:$output_zero_point, DefaultValuedAttr<I64Attr, "-1">:$axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_QnnAvgPool2dOp : Relay_Op<"qnn.avg_pool2d"> {
  let summary = "the mean of each window of quantised numbers";
  let description = "The data is requantised to 32-bit integers in the output's steps, unless it has them. Then it is `nn.avg_pool2d` of integers: "
      "quotients are rounded to zero, and padding counts as 0 if `count_include_pad`.\n\n"
      # Relay_QnnStepsText<>.text # "- C3: the data holds integers of 8 bits.\n"
      "- C4: data and attributes fit as those of `nn.avg_pool2d`.\n";
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$input_scale, Relay_Tensor:$input_zero_point,
                   Relay_Tensor:$output_scale, Relay_Tensor:$output_zero_point, DenseI64ArrayAttr:$pool_size,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$dilation,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$padding,
                   DefaultValuedAttr<StrAttr, "\"NCHW\"">:$layout,
                   DefaultValuedAttr<BoolAttr, "false">:$ceil_mode,
                   DefaultValuedAttr<BoolAttr, "false">:$count_include_pad);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_QUANTISED_TD
