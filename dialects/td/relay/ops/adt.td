#ifndef RELAY_ADT_TD
#define RELAY_ADT_TD

include "relay/RelayDialect.td"

def Relay_TypeDefOp : Op<Relay_Dialect, "type_def", [Symbol, SymbolTable, NoTerminator, SingleBlock,
                                                     NoRegionArguments, HostVerify]> {
  let summary = "defines an algebraic data type";
  let description = [{
    It holds its constructors. Their fields may be of any type, also of the type itself and of types that are
    defined later. One without constructors has no values of its own. TVM: `TypeData`.

    - C1: it holds constructors, and nothing else.
    - C2: the type parameters have different names, and no other type variable stands in a field.

    ```mlir
    relay.type_def @List ["A"] {
      relay.constructor @Cons [!relay.type_var<"A">, !relay.adt<@List, !relay.type_var<"A">>]
      relay.constructor @Nil []
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrArrayAttr>:$type_params);
  let regions = (region SizedRegion<1>:$constructors);
  let assemblyFormat = "$sym_name ($type_params^)? attr-dict-with-keyword $constructors";
}

def Relay_ConstructorOp : Op<Relay_Dialect, "constructor", [Symbol, HasParent<"TypeDefOp">]> {
  let summary = "a constructor of an algebraic data type";
  let description = [{
    Its place among the constructors of its type is its tag. TVM: `Constructor`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeArrayAttr:$fields);
  let assemblyFormat = "$sym_name $fields attr-dict";
}

def Relay_ConstructOp : Op<Relay_Dialect, "construct", [Pure, HostVerify, SymbolUserOpInterface]> {
  let summary = "makes a value of an algebraic data type";
  let description = [{
    TVM: `Call` of a `Constructor`.

    - C1: the module defines the type and its constructor.
    - C2: the operands and the result are of the constructor's types, with types for its type parameters. A dimension
      that is unknown on one side may be known on the other.

    ```mlir
    %0 = relay.construct @List::@Nil() : () -> !relay.adt<@List, tensor<f32>>
    ```
  }];
  let arguments = (ins SymbolRefAttr:$constructor, Variadic<AnyType>:$fields);
  let results = (outs AnyType:$result);
  let extraClassDeclaration = HostSymbolsDeclaration;
  let assemblyFormat = [{
    $constructor `(` $fields `)` attr-dict `:` functional-type($fields, $result)
  }];
}

def Relay_MatchOp : Op<Relay_Dialect, "match", [HostVerify, RecursiveMemoryEffects, SymbolUserOpInterface,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "takes a value apart by patterns";
  let description = [{
    The first arm whose pattern the value has is evaluated, and no other. A pattern is `_`, which any value has; a
    name, which the value then has inside of the arm; a constructor with patterns for its fields; or patterns for the fields
    of a tuple in parentheses. TVM: `Match`.

    - C1: every constructor is one of the type that it takes apart, and has as many patterns as fields; so do tuples.
    - C2: every name has the type of what it stands for.
    - C3: every arm ends in a `relay.yield` of a value of the result type.
    - C4: some arm takes each value, unless it is `partial`. A partial match ends the program where no arm takes the value.

    ```mlir
    %0 = relay.match %list : !relay.adt<@List, tensor<f32>> -> tensor<f32>
    case @List::@Cons(%head: tensor<f32>, _) {
      relay.yield %head : tensor<f32>
    }
    case @List::@Nil() {
      relay.yield %zero : tensor<f32>
    }
    ```
  }];
  let arguments = (ins AnyType:$value, ArrayAttr:$patterns, UnitAttr:$partial);
  let results = (outs AnyType:$result);
  let regions = (region VariadicRegion<SizedRegion<1>>:$arms);
  let extraClassDeclaration = HostSymbolsDeclaration;
  let hasCustomAssemblyFormat = 1;
}

#endif // RELAY_ADT_TD
