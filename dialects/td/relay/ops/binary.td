#ifndef RELAY_BINARY_TD
#define RELAY_BINARY_TD

include "relay/RelayDialect.td"

def Relay_AddOp : Relay_BinaryOp<"add", "x + y", [Commutative]>;

#endif // RELAY_BINARY_TD
