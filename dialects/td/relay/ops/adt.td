#ifndef RELAY_ADT_TD
#define RELAY_ADT_TD

include "relay/RelayDialect.td"

def Relay_TypeDefOp : Op<Relay_Dialect, "type_def", [Symbol, SymbolTable, NoTerminator, SingleBlock,
                                                     NoRegionArguments, HostVerify]> {
  let summary = "defines an algebraic data type";
  let description = [{
    It holds its constructors. Their fields may have any type, including the type itself and types that are defined
    later. A type without constructors has no values. TVM: `TypeData`.

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
    Its position among the constructors of its type is its tag. TVM: `Constructor`.
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
    Evaluates the first arm with a matching pattern, and no other. A pattern is one of four: `_`, which matches any
    value; a name, which is bound to the value inside the arm; a constructor with patterns for its fields; or patterns
    for the fields of a tuple in parentheses. TVM: `Match`.

    - C1: every constructor belongs to the matched type, and has a pattern for each field; so do tuples.
    - C2: every name has the type of its value.
    - C3: every arm ends in a `relay.yield` of a value of the result type.
    - C4: every value matches an arm, unless the match is `partial`. A partial match ends the program if no arm matches.

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
