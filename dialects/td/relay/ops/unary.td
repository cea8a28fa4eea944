#ifndef RELAY_UNARY_TD
#define RELAY_UNARY_TD

include "relay/RelayDialect.td"

def Relay_AbsOp : Relay_UnaryOp<"abs", "|x|", "`Abs`">;
def Relay_CeilOp : Relay_UnaryOp<"ceil", "x rounded up", "`Ceil`">;
def Relay_CopyOp : Relay_UnaryOp<"copy", "x", "`Identity`">;
def Relay_CosOp : Relay_UnaryOp<"cos", "cosine", "`Cos`">;
def Relay_ErfOp : Relay_UnaryOp<"erf", "the error function", "`Erf`">;
def Relay_ExpOp : Relay_UnaryOp<"exp", "e to the x", "`Exp`">;
def Relay_FastErfOp : Relay_UnaryOp<"fast_erf", "an approximation of erf">;
def Relay_FastExpOp : Relay_UnaryOp<"fast_exp", "an approximation of exp">;
def Relay_FastTanhOp : Relay_UnaryOp<"fast_tanh", "an approximation of tanh">;
def Relay_FloorOp : Relay_UnaryOp<"floor", "x rounded down", "`Floor`">;
def Relay_LogOp : Relay_UnaryOp<"log", "the natural logarithm", "`Log`">;
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
def Relay_SqrtOp : Relay_UnaryOp<"sqrt", "the square root", "`Sqrt`">;
def Relay_TanhOp : Relay_UnaryOp<"tanh", "the hyperbolic tangent", "`Tanh`">;

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

#endif // RELAY_UNARY_TD
