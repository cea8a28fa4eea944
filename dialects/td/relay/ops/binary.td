#ifndef RELAY_BINARY_TD
#define RELAY_BINARY_TD

include "relay/RelayDialect.td"

def Relay_AddOp : Relay_BinaryOp<"add", "x + y", [Commutative]>;
def Relay_SubtractOp : Relay_BinaryOp<"subtract", "x - y">;
def Relay_MultiplyOp : Relay_BinaryOp<"multiply", "x * y", [Commutative]>;
def Relay_DivideOp : Relay_BinaryOp<"divide", "x / y; of integers, truncated">;
def Relay_PowerOp : Relay_BinaryOp<"power", "x to the y">;
def Relay_MaximumOp : Relay_BinaryOp<"maximum", "the larger of x and y", [Commutative]>;
def Relay_MinimumOp : Relay_BinaryOp<"minimum", "the smaller of x and y", [Commutative]>;
def Relay_ModOp : Relay_BinaryOp<"mod", "the remainder of x / y, with the sign of x">;
def Relay_FloorDivideOp : Relay_BinaryOp<"floor_divide", "x / y rounded down">;
def Relay_FloorModOp : Relay_BinaryOp<"floor_mod", "x - floor(x / y) * y">;
def Relay_EqualOp : Relay_BinaryOp<"equal", "x = y", [Commutative]>;
def Relay_NotEqualOp : Relay_BinaryOp<"not_equal", "x != y", [Commutative]>;
def Relay_LessOp : Relay_BinaryOp<"less", "x < y">;
def Relay_LessEqualOp : Relay_BinaryOp<"less_equal", "x <= y">;
def Relay_GreaterOp : Relay_BinaryOp<"greater", "x > y">;
def Relay_GreaterEqualOp : Relay_BinaryOp<"greater_equal", "x >= y">;
def Relay_LogicalAndOp : Relay_BinaryOp<"logical_and", "x and y, of booleans", [Commutative]>;
def Relay_LogicalOrOp : Relay_BinaryOp<"logical_or", "x or y, of booleans", [Commutative]>;
def Relay_LogicalXorOp : Relay_BinaryOp<"logical_xor", "x or y but not both, of booleans", [Commutative]>;

def Relay_WhereOp : Relay_Op<"where"> {
  let summary = "x where the condition holds, else y, with broadcasting";
  let arguments = (ins Relay_Tensor:$condition, Relay_Tensor:$x, Relay_Tensor:$y);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_BINARY_TD
