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

def Relay_ScanOp : Op<Relay_Dialect, "scan", [HostVerify, RecursiveMemoryEffects, SingleBlock]> {
  let summary = "repeats a region for each element of sequences";
  let description = [{
    The region runs `trips` times, a number or a form of symbols. The operands are `states` values that one step hands to
    the next, and then sequences, whose first dimension is `trips`. The region takes the number of the step, the states, and
    the element of each sequence at this step. It yields the next states, and then elements of the outputs. The results are
    the last states, and the outputs, whose first dimension is `trips`. Without a step, the states are the first ones.
    `reversed` has a number for each sequence and then for each output: where it is 1, the elements are taken from the last
    one to the first one. The region may read all that is around it. ONNX: `Scan`, and `Loop` with a known number of steps.

    - C1: there are at least `states` operands and results, and the other operands are tensors that begin with `trips`.
    - C2: the region takes a `tensor<i64>`, the states, and an element of each sequence.
    - C3: it ends in a `relay.yield` of the states and an element of each output. A dimension that is unknown on one side
      may be known on the other.
    - C4: `reversed` has a number for each sequence and output, 0 or 1.

    ```mlir
    %sum, %sums = relay.scan %zero, %xs {states = 1 : i64, trips = ["n"], reversed = array<i64: 0, 0>}
        : (tensor<4xf32>, tensor<?x4xf32, ["n"]>) -> (tensor<4xf32>, tensor<?x4xf32, ["n"]>) {
    ^bb0(%step: tensor<i64>, %before: tensor<4xf32>, %x: tensor<4xf32>):
      %next = relay.add %before, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      relay.yield %next, %next : tensor<4xf32>, tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, I64Attr:$states, Relay_Extents:$trips, DenseI64ArrayAttr:$reversed);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$inputs attr-dict `:` functional-type($inputs, $results) $body";
}

def Relay_WhileOp : Op<Relay_Dialect, "while", [HostVerify, RecursiveMemoryEffects, SingleBlock]> {
  let summary = "repeats a region while a condition holds";
  let description = [{
    The region runs while the condition is true, and at most `trips` times. Both are computed when the model runs. The other
    operands are states. The region takes the number of the step and the states. It yields the next condition and the next
    states. The results are the last states. The region may read all that is around it. ONNX: `Loop`.

    - C1: `trips` is a `tensor<i64>`, and the condition a `tensor<i1>`.
    - C2: the region takes a `tensor<i64>` and the states, and there is a result for each state.
    - C3: it ends in a `relay.yield` of a `tensor<i1>` and the states.

    ```mlir
    %r = relay.while %trips, %go, %first : (tensor<i64>, tensor<i1>, tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%step: tensor<i64>, %before: tensor<4xf32>):
      %next = relay.add %before, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      relay.yield %go, %next : tensor<i1>, tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Relay_Tensor:$trips, Relay_Tensor:$condition, Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, $results) $body";
}

def Relay_YieldOp : Op<Relay_Dialect, "yield", [Pure, Terminator, ReturnLike, HostVerify]> {
  let summary = "ends a region of the language";
  let description = [{
    The operands are the results of the region: of a `relay.if`, a `relay.match`, a loop or a function.

    - C1: it stands in a `relay.if`, `relay.match`, `relay.scan`, `relay.while` or `relay.fn`.
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

def Relay_DimOfOp : Op<Relay_Dialect, "dim_of", [HostVerify]> {
  let summary = "reads the value of a symbol from a tensor";
  let description = [{
    From here on, the symbol may be a dimension of tensors: its value is the number in the operand. So the shapes of
    later tensors may depend on data. A run ends with an error where the number is below `least`, or above `most`. Where both are
    one dimension, `of` may say which form the number is: then operators behind it may take the two to be equal.

    In a branch or a step of a loop, the symbol has its value there only.

    - C1: the operand is an i64 of rank 0.
    - C2: `symbol` is the name of a symbol.
    - C3: `least`, `most` and `of`, if they are there, are dimensions: numbers from 0 on, or forms of other symbols.

    ```mlir
    relay.dim_of %count {symbol = "selected", most = "2*n"} : (tensor<i64>) -> ()
    ```
  }];
  let arguments = (ins AnyTensor:$size, StrAttr:$symbol, OptionalAttr<AnyAttr>:$least, OptionalAttr<AnyAttr>:$most, OptionalAttr<AnyAttr>:$of);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

#endif // RELAY_LANGUAGE_TD
