#ifndef RELAY_BINARY_TD
#define RELAY_BINARY_TD

include "relay/RelayDialect.td"

class Relay_CompareOp<string mnemonic, string doc, list<Trait> traits = [], string onnx = "">
    : Relay_BinaryOp<mnemonic, doc, traits, onnx, "of booleans (`i1`)">;

class Relay_LogicalOp<string mnemonic, string doc, list<Trait> traits = [], string onnx = "">
    : Relay_BinaryOp<mnemonic, doc, traits, onnx>;

def Relay_AddOp : Relay_BinaryOp<"add", "x + y", [Commutative], "`Add`">;
def Relay_SubtractOp : Relay_BinaryOp<"subtract", "x - y", [], "`Sub`">;
def Relay_MultiplyOp : Relay_BinaryOp<"multiply", "x * y", [Commutative], "`Mul`">;
def Relay_DivideOp : Relay_BinaryOp<"divide", "x / y; of integers, truncated", [], "`Div`">;
def Relay_PowerOp : Relay_BinaryOp<"power", "x to the y", [], "`Pow`">;
def Relay_MaximumOp : Relay_BinaryOp<"maximum", "the larger of x and y", [Commutative], "`Max`">;
def Relay_MinimumOp : Relay_BinaryOp<"minimum", "the smaller of x and y", [Commutative], "`Min`">;
def Relay_ModOp
    : Relay_BinaryOp<"mod", "the remainder of x / y, with the sign of x", [],
                     "`Mod` with `fmod = 1`">;
def Relay_TruncDivideOp : Relay_BinaryOp<"trunc_divide", "x / y rounded towards zero">;
def Relay_TruncModOp
    : Relay_BinaryOp<"trunc_mod", "the remainder of x / y, with the sign of x, as `relay.mod`">;
def Relay_FloorDivideOp : Relay_BinaryOp<"floor_divide", "x / y rounded down">;
def Relay_FloorModOp : Relay_BinaryOp<"floor_mod", "x - floor(x / y) * y", [], "`Mod`">;
def Relay_EqualOp : Relay_CompareOp<"equal", "x = y", [Commutative], "`Equal`">;
def Relay_NotEqualOp : Relay_CompareOp<"not_equal", "x != y", [Commutative], "`Not` of `Equal`">;
def Relay_LessOp : Relay_CompareOp<"less", "x < y", [], "`Less`">;
def Relay_LessEqualOp : Relay_CompareOp<"less_equal", "x <= y", [], "`LessOrEqual`">;
def Relay_GreaterOp : Relay_CompareOp<"greater", "x > y", [], "`Greater`">;
def Relay_GreaterEqualOp : Relay_CompareOp<"greater_equal", "x >= y", [], "`GreaterOrEqual`">;
def Relay_LogicalAndOp
    : Relay_LogicalOp<"logical_and", "x and y, of booleans", [Commutative], "`And`">;
def Relay_LogicalOrOp : Relay_LogicalOp<"logical_or", "x or y, of booleans", [Commutative], "`Or`">;
def Relay_LogicalXorOp
    : Relay_LogicalOp<"logical_xor", "x or y but not both, of booleans", [Commutative], "`Xor`">;
def Relay_BitwiseAndOp
    : Relay_BinaryOp<"bitwise_and", "the bits that both x and y have", [Commutative],
                     "`BitwiseAnd`">;
def Relay_BitwiseOrOp
    : Relay_BinaryOp<"bitwise_or", "the bits that x or y has", [Commutative], "`BitwiseOr`">;
def Relay_BitwiseXorOp
    : Relay_BinaryOp<"bitwise_xor", "the bits that x or y has but not both", [Commutative],
                     "`BitwiseXor`">;
def Relay_LeftShiftOp
    : Relay_BinaryOp<"left_shift",
                     "x shifted by y bits to the left; 0 if y is negative, or x has no more bits", [],
                     "`BitShift`">;
def Relay_RightShiftOp
    : Relay_BinaryOp<"right_shift",
                     "x shifted by y bits to the right, with copies of its sign before it; the sign "
                     "alone if y is negative, or x has no more bits", [],
                     "`BitShift`">;

def Relay_WhereOp : Relay_Op<"where"> {
  let summary = "x where the condition holds, else y, with broadcasting";
  let description = [{
    Element by element; all three operands broadcast to one shape. ONNX: `Where`.

    - C1: each two dimensions are equal, or one of them is 1.
    - C2: the element types of `x` and `y` are equal; the result has it.
    - C3: the elements of `condition` are booleans (`i1`).
  }];
  let arguments = (ins Relay_Tensor:$condition, Relay_Tensor:$x, Relay_Tensor:$y);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_BINARY_TD
