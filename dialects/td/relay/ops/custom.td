#ifndef RELAY_CUSTOM_TD
#define RELAY_CUSTOM_TD

include "relay/RelayDialect.td"

def Relay_CustomOp : Relay_Op<"custom"> {
  let summary = "an operator that is declared outside of this project";
  let description = [{
    `op_name` names it. Its declaration, which a program or a plugin registers, has its type relation, its tensor
    expression and its attributes, which follow the operands: `relay.custom "mylib.swish"(%x) {alpha = 1.5}`. An
    attribute may be left out if its declaration has a default.

    - C1: the operator is registered.
    - C2: it has as many operands as it is declared with, and no attributes but those that it declares.
    - C3: the operands and attributes fit its type relation.
  }];
  let arguments = (ins StrAttr:$op_name, Variadic<Relay_Tensor>:$inputs);
  let results = (outs Variadic<Relay_Tensor>:$outputs);
  let assemblyFormat = "$op_name `(` $inputs `)` attr-dict `:` functional-type($inputs, results)";
}

#endif // RELAY_CUSTOM_TD
