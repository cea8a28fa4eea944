#ifndef RELAY_LANGUAGE_TD
#define RELAY_LANGUAGE_TD

include "relay/RelayDialect.td"

def Relay_ConstantOp : Op<Relay_Dialect, "constant", [ConstantLike, Pure, HostFold, HostVerify, InferTypeOpInterface]> {
  let summary = "a tensor known at compile time";
  let description = [{
    Small values are `dense<...>`; large ones are `dense_resource<...>`, which is neither uniqued
    nor printed by default.

    - C1: the elements are of a type that tensors hold, as in C0 of all operators.

    ```mlir
    %0 = relay.constant dense<1.0> : tensor<2xf32>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyTensor:$result);
  let extraClassDeclaration = HostInferDeclaration;
  let assemblyFormat = "attr-dict $value";
}

def Relay_TupleOp : Relay_Op<"tuple"> {
  let summary = "packs values into a tuple";
  let description = [{
    The result's type is the `tuple` of the operands' types.
  }];
  let arguments = (ins Variadic<AnyType>:$fields);
  let results = (outs AnyType:$result);
}

def Relay_TupleGetOp : Relay_Op<"tuple_get"> {
  let summary = "takes one field of a tuple";
  let description = [{
    Fields count from 0.

    - C1: the operand is a tuple.
    - C2: it has a field `index`.
  }];
  let arguments = (ins AnyType:$tuple, I64Attr:$index);
  let results = (outs AnyType:$result);
}

def Relay_IfOp : Op<Relay_Dialect, "if", [HostVerify, RecursiveMemoryEffects,
                                          SingleBlock, NoRegionArguments]> {
  let summary = "evaluates one of two regions";
  let description = [{
    Only the chosen region is evaluated. ONNX: `If`.

    - C1: the condition is a boolean tensor of rank 0.
    - C2: both regions end in `relay.yield` of the result types. A dimension that is unknown on one side may be known on
      the other.
  }];
  let arguments = (ins Relay_Tensor:$condition);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$then_region, SizedRegion<1>:$else_region);
  let assemblyFormat = [{
    $condition attr-dict `:` functional-type(operands, results) $then_region `else` $else_region
  }];
}

def Relay_YieldOp : Op<Relay_Dialect, "yield", [Pure, Terminator, ReturnLike, HostVerify]> {
  let summary = "ends a region of the language";
  let description = [{
    The operands are the results of the region: of a `relay.if`, a `relay.match` or a function.

    - C1: it stands in a `relay.if`, `relay.match` or `relay.fn`.
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
}

def Relay_CallLoweredOp : Op<Relay_Dialect, "call_lowered", [Pure]> {
  let summary = "calls a kernel, on tensors";
  let description = [{
    The callee is a function over buffers, its inputs and then its outputs, from `lower-te`. The call is still on
    tensors. An executor assigns memory to them: `aot-lower-main` gives each a buffer. TVM: `call_lowered`.

    ```mlir
    %0 = relay.call_lowered @fused_add(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$callee `(` $inputs `)` attr-dict `:` functional-type($inputs, $results)";
}

#endif // RELAY_LANGUAGE_TD
