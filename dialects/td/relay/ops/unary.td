#ifndef RELAY_UNARY_TD
#define RELAY_UNARY_TD

include "relay/RelayDialect.td"

def Relay_AbsOp : Relay_UnaryOp<"abs", "|x|", "`Abs`">;
def Relay_AcosOp : Relay_UnaryOp<"acos", "the angle between 0 and pi with cosine x", "`Acos`">;
def Relay_AcoshOp
    : Relay_UnaryOp<"acosh", "the number not below 0 with hyperbolic cosine x", "`Acosh`">;
def Relay_AsinOp
    : Relay_UnaryOp<"asin", "the angle between -pi/2 and pi/2 with sine x", "`Asin`">;
def Relay_AsinhOp : Relay_UnaryOp<"asinh", "the number with hyperbolic sine x", "`Asinh`">;
def Relay_AtanOp
    : Relay_UnaryOp<"atan", "the angle between -pi/2 and pi/2 with tangent x", "`Atan`">;
def Relay_AtanhOp : Relay_UnaryOp<"atanh", "the number with hyperbolic tangent x", "`Atanh`">;
def Relay_BitwiseNotOp
    : Relay_UnaryOp<"bitwise_not", "each bit of x flipped; not x, of booleans", "`BitwiseNot`">;
def Relay_CeilOp : Relay_UnaryOp<"ceil", "x rounded up", "`Ceil`">;
def Relay_CopyOp : Relay_UnaryOp<"copy", "x", "`Identity`">;
def Relay_CosOp : Relay_UnaryOp<"cos", "cosine", "`Cos`">;
def Relay_CoshOp : Relay_UnaryOp<"cosh", "the hyperbolic cosine", "`Cosh`">;
def Relay_ErfOp : Relay_UnaryOp<"erf", "the error function", "`Erf`">;
def Relay_ExpOp : Relay_UnaryOp<"exp", "e to the x", "`Exp`">;
def Relay_FastErfOp : Relay_UnaryOp<"fast_erf", "an approximation of erf">;
def Relay_FastExpOp : Relay_UnaryOp<"fast_exp", "an approximation of exp">;
def Relay_FastTanhOp : Relay_UnaryOp<"fast_tanh", "an approximation of tanh">;
def Relay_FloorOp : Relay_UnaryOp<"floor", "x rounded down", "`Floor`">;
def Relay_LogOp : Relay_UnaryOp<"log", "the natural logarithm", "`Log`">;
def Relay_Log10Op : Relay_UnaryOp<"log10", "the logarithm to base 10">;
def Relay_Log2Op : Relay_UnaryOp<"log2", "the logarithm to base 2">;
def Relay_LogicalNotOp
    : Relay_UnaryOp<"logical_not", "not x, of booleans", "`Not`">;
def Relay_NegativeOp : Relay_UnaryOp<"negative", "-x", "`Neg`">;
def Relay_NnReluOp : Relay_UnaryOp<"nn.relu", "max(x, 0)", "`Relu`">;
def Relay_RoundOp
    : Relay_UnaryOp<"round", "x rounded to the nearest integer, halves to even", "`Round`">;
def Relay_RsqrtOp : Relay_UnaryOp<"rsqrt", "1 / sqrt(x)", "`Reciprocal` of `Sqrt`">;
def Relay_SigmoidOp : Relay_UnaryOp<"sigmoid", "1 / (1 + exp(-x))", "`Sigmoid`">;
def Relay_SignOp : Relay_UnaryOp<"sign", "-1, 0 or 1 as x is negative, zero or positive", "`Sign`">;
def Relay_SinOp : Relay_UnaryOp<"sin", "sine", "`Sin`">;
def Relay_SinhOp : Relay_UnaryOp<"sinh", "the hyperbolic sine", "`Sinh`">;
def Relay_SqrtOp : Relay_UnaryOp<"sqrt", "the square root", "`Sqrt`">;
def Relay_TanOp : Relay_UnaryOp<"tan", "the tangent", "`Tan`">;
def Relay_TanhOp : Relay_UnaryOp<"tanh", "the hyperbolic tangent", "`Tanh`">;
def Relay_TruncOp : Relay_UnaryOp<"trunc", "x rounded towards zero">;

// A question about each element, whose answers are booleans.
class Relay_QuestionOp<string mnemonic, string doc, string onnx = "">
    : Relay_Op<mnemonic> {
  let summary = doc;
  let description = "Element by element: " # doc # ". The result is of booleans (`i1`)."
      # Relay_Onnx<onnx>.text;
  let arguments = (ins Relay_Tensor:$data);
  let results = (outs Relay_Tensor:$result);
}

def Relay_IsfiniteOp : Relay_QuestionOp<"isfinite", "whether x is neither infinite nor NaN">;
def Relay_IsinfOp : Relay_QuestionOp<"isinf", "whether x is infinite", "`IsInf`">;
def Relay_IsnanOp : Relay_QuestionOp<"isnan", "whether x is NaN", "`IsNaN`">;

def Relay_ClipOp : Relay_Op<"clip"> {
  let summary = "min(max(x, a_min), a_max)";
  let description = [{
    Element by element; the result has the type of `data`. ONNX: `Clip`.

    - C1: `a_min` <= `a_max`; neither is NaN.
  }];
  let arguments = (ins Relay_Tensor:$data, F64Attr:$a_min, F64Attr:$a_max);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnLeakyReluOp : Relay_Op<"nn.leaky_relu"> {
  let summary = "x where x > 0, else alpha * x";
  let description = [{
    Element by element; the result has the type of `data`. ONNX: `LeakyRelu`, whose default `alpha`
    is 0.01.
  }];
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<F64Attr, "0.25">:$alpha);
  let results = (outs Relay_Tensor:$result);
}

def Relay_CastOp : Relay_Op<"cast"> {
  let summary = "x as another element type";
  let description = [{
    Floats become integers by truncation; anything becomes a boolean by comparison with 0. The
    shape stays. ONNX: `Cast`.

    With `contract`, who reads the result in the same kernel may read what was cast: the number before
    it was rounded.

    - C1: `dtype` is an element type.
  }];
  let arguments = (ins Relay_Tensor:$data, TypeAttr:$dtype, UnitAttr:$contract);
  let results = (outs Relay_Tensor:$result);
}

def Relay_ReinterpretOp : Relay_Op<"reinterpret"> {
  let summary = "the bits of x as another element type";
  let description = [{
    The shape stays. A boolean is a byte of 0 or 1, and made of a byte, whether that is 0. ONNX: `BitCast`.

    - C1: `dtype` is an element type, and of as many bits, where a boolean has 8.
  }];
  let arguments = (ins Relay_Tensor:$data, TypeAttr:$dtype);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_UNARY_TD
