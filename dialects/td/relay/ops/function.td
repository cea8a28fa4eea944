#ifndef RELAY_FUNCTION_TD
#define RELAY_FUNCTION_TD

include "relay/RelayDialect.td"

def Relay_FnOp : Op<Relay_Dialect, "fn", [Pure, SingleBlock, HostVerify,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a function as a value";
  let description = [{
    The function is a closure: the body uses outer values. The body runs when the function is called. A recursive
    function begins with a name for itself, after `rec`. TVM: `Function` inside an expression.

    - C1: the result has the function type of the parameters and of the declared result.
    - C2: the body ends in a `relay.yield` of one value of the declared result type.
    - C3: the name that a recursive function has for itself has the type of the function.
    - C4: a function with type parameters is used by `relay.instantiate` alone, and so is its name for itself.

    ```mlir
    %double = relay.fn(%x: tensor<f32>) -> tensor<f32> {
      %0 = relay.add %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
      relay.yield %0 : tensor<f32>
    }
    %loop = relay.fn rec %again(%x: tensor<f32>) -> tensor<f32> {
      %0 = relay.call %again(%x) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
      relay.yield %0 : tensor<f32>
    }
    ```
  }];
  let arguments = (ins UnitAttr:$recursive, OptionalAttr<StrArrayAttr>:$names);
  let results = (outs AnyType:$function);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
}

def Relay_GlobalOp : Op<Relay_Dialect, "global", [Pure, HostVerify, SymbolUserOpInterface]> {
  let summary = "a function of the module as a value";
  let description = [{
    If the function has type parameters, the result's type determines them. TVM: `GlobalVar`.

    - C1: the module has a function of this name.
    - C2: the result's type is the function's, with types for its type parameters.

    ```mlir
    %0 = relay.global @length : (!relay.adt<@List, tensor<f32>>) -> tensor<i32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee);
  let results = (outs AnyType:$function);
  let extraClassDeclaration = HostSymbolsDeclaration;
  let assemblyFormat = "$callee attr-dict `:` type($function)";
}

def Relay_ClosureOp : Op<Relay_Dialect, "closure", [Pure, HostVerify, SymbolUserOpInterface]> {
  let summary = "a function of the module with its first arguments";
  let description = [{
    A call of the result calls the function with the captured values before the other arguments. `lambda-lift` turns
    `relay.fn` into these. TVM: the result of a function marked `Closure`; `alloc_closure` of the virtual machine.

    - C1: the module has a function of this name.
    - C2: its first parameters are of the captured values' types, and the result is a function of the other ones.

    ```mlir
    %0 = relay.closure @main_fn(%x) : (tensor<f32>) -> ((tensor<i32>) -> tensor<f32>)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$captured);
  let results = (outs AnyType:$function);
  let extraClassDeclaration = HostSymbolsDeclaration;
  let assemblyFormat = [{
    $callee `(` $captured `)` attr-dict `:` functional-type($captured, $function)
  }];
}

def Relay_InstantiateOp : Op<Relay_Dialect, "instantiate", [Pure, HostVerify]> {
  let summary = "a function that is a value, with types for its type parameters";
  let description = [{
    Only this op uses a `relay.fn` with type parameters (its attribute `relay.type_params`), with any number of types.
    TVM: the type arguments of `Call`.

    - C1: the operand is a `relay.fn` with type parameters, or the name that it has for itself.
    - C2: the result's type is the function's, with types for its type parameters.

    ```mlir
    %id = relay.fn(%x: !relay.type_var<"A">) -> !relay.type_var<"A"> attributes {relay.type_params = ["A"]} {
      relay.yield %x : !relay.type_var<"A">
    }
    %0 = relay.instantiate %id : ((!relay.type_var<"A">) -> !relay.type_var<"A">) -> ((tensor<f32>) -> tensor<f32>)
    ```
  }];
  let arguments = (ins AnyType:$generic);
  let results = (outs AnyType:$function);
  let assemblyFormat = "$generic attr-dict `:` functional-type(operands, results)";
}

def Relay_CallOp : Op<Relay_Dialect, "call", [HostVerify]> {
  let summary = "calls a function that is a value";
  let description = [{
    The function is unknown here, so a call may have any effect. TVM: `Call` without an operator.

    - C1: the callee is a function of the arguments' types and of the result's type. A dimension that is unknown on one
      side may be known on the other.

    ```mlir
    %0 = relay.call %f(%x) : ((tensor<f32>) -> tensor<i32>, tensor<f32>) -> tensor<i32>
    ```
  }];
  let arguments = (ins AnyType:$callee, Variadic<AnyType>:$arguments);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$callee `(` $arguments `)` attr-dict `:` functional-type(operands, results)";
}

#endif // RELAY_FUNCTION_TD
