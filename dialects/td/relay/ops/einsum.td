#ifndef RELAY_EINSUM_TD
#define RELAY_EINSUM_TD

include "relay/RelayDialect.td"

def Relay_EinsumOp : Relay_Op<"einsum"> {
  let summary = "sums of products, in Einstein's notation";
  let description = [{
    `equation` gives each axis of each operand a letter, and says which of them the result has: `bij,bjk->bik`. What is multiplied is what has
    the same letters; letters that the result lacks are summed over. Without `->`, the result has the letters that occur once, in alphabetic
    order. Three dots stand for any axes, which broadcast. A letter that an operand has twice takes its diagonal. An axis of one element stands for
    any number of them. ONNX: `Einsum`.

    - C1: the equation fits the ranks of the operands.
    - C2: the operands are of one element type.
    - C3: axes of one letter have one extent, or 1.

    ```mlir
    %0 = relay.einsum %x, %y {equation = "ij,jk->ik"} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    ```
  }];
  let arguments = (ins Variadic<Relay_Tensor>:$data, StrAttr:$equation);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_EINSUM_TD
