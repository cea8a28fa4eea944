#ifndef RELAY_UNARY_TD
#define RELAY_UNARY_TD

include "relay/RelayDialect.td"

def Relay_AbsOp : Relay_UnaryOp<"abs", "|x|">;
def Relay_NnReluOp : Relay_UnaryOp<"nn.relu", "max(x, 0)">;

#endif // RELAY_UNARY_TD
