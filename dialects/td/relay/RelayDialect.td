#ifndef RELAY_DIALECT_TD
#define RELAY_DIALECT_TD

include "Host.td"

def Relay_Dialect : HostDialect {
  let name = "relay";
  let summary = "Relay: typed operators on tensors, in SSA form";
  let description = [{
    Relay's operators under their own names (`relay.nn.conv2d`, `relay.add`), and the part of its language that MLIR
    lacks. Functions are `func.func`, tensors are builtin `tensor` types, and SSA replaces Relay's graph binding.

    Every operator has a *type relation* written in Rust. The verifier runs it, and
    `--infer-type` uses it to replace `!relay.incomplete`. The constraints that a relation checks
    have labels C1, C2 ... in the operator's description and in its diagnostics. One is common to all
    operators:

    - C0: tensors hold booleans (`i1`), integers of 8, 16, 32 or 64 bits, signed (`i8`) or unsigned (`ui8`),
      or floats: `f16`, `bf16`, `f32`, `f64`. Or they hold what is only stored: floats `f8E4M3FN`, `f8E4M3FNUZ`, `f8E5M2`,
      `f8E5M2FNUZ`, `f4E2M1FN`, and integers `i4`, `ui4`, `i2`, `ui2`. The first operand holds those that the table of
      [operators](../operators.md) names.

    A dimension may be open: a number that is known when the model runs. The encoding of the tensor's type names its open
    dimensions in order, as symbols or forms of symbols: `tensor<?x?x64xf32, ["n", "2*s + 1"]>`. Symbols of one name are
    equal. A form is made of numbers, symbols, `+`, `-`, `*`, `/` (rounded down), `min(a, b)`, `max(a, b)` and parentheses, and
    there is one way to write it. Without an encoding nothing is known of a `?`, nor of dimensions computed from it.

    If two dimensions must be equal, they are the same number or the same form, or nothing is known of one. No extent and no
    number of elements may exceed 64 bits.

    Narrow floats, bf16 and f16, are storage types: an operator computes in f32 and rounds its result. Another operator
    of the same kernel may read the result before it was rounded. Only `relay.cast` always rounds.

    Elements that are only stored take a byte each, whose low bits they are. They are moved, and `relay.cast` converts them: a
    float to the nearest one, of two as near to the one whose last bit is 0; what is too large to infinity, to NaN where there
    is no infinity, or to the largest number where there is neither. An integer keeps its low bits.
  }];
  let cppNamespace = "::relay_mlir::relay";
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

/// Extents of a tensor: integers, or integers and texts of forms, such as `["n", 12, 64]`.
def Relay_Extents : AnyAttrOf<[DenseI64ArrayAttr, ArrayAttr], "a list of dimensions">;

def Relay_IncompleteType : TypeDef<Relay_Dialect, "Incomplete"> {
  let mnemonic = "incomplete";
  let summary = "a type that inference has yet to find";
}

def Relay_AdtType : TypeDef<Relay_Dialect, "Adt"> {
  let mnemonic = "adt";
  let summary = "an algebraic data type with its arguments";
  let description = [{
    The constructors of `relay.type_def @List` make the values of `!relay.adt<@List, tensor<f32>>`, with `tensor<f32>`
    for the type parameter. TVM: `TypeCall` of a `GlobalTypeVar`.
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$definition,
                        OptionalArrayRefParameter<"::mlir::Type">:$arguments);
  let assemblyFormat = "`<` $definition (`,` $arguments^)? `>`";
}

def Relay_RefType : TypeDef<Relay_Dialect, "Ref"> {
  let mnemonic = "ref";
  let summary = "a place that holds a value";
  let description = [{
    `relay.ref_create`, `relay.ref_read` and `relay.ref_write` create, read and write `!relay.ref<tensor<f32>>`. TVM:
    `RelayRefType`.
  }];
  let parameters = (ins "::mlir::Type":$value);
  let assemblyFormat = "`<` $value `>`";
}

def Relay_TypeVarType : TypeDef<Relay_Dialect, "TypeVar"> {
  let mnemonic = "type_var";
  let summary = "a type parameter";
  let description = [{
    `!relay.type_var<"A">` stands for any type. It is valid inside a function that names it in `relay.type_params`, or a
    `relay.type_def` that names it in `type_params`. TVM: `TypeVar` of kind `Type`.
  }];
  let parameters = (ins "::mlir::StringAttr":$name);
  let assemblyFormat = "`<` $name `>`";
}

def Relay_Tensor : AnyTypeOf<[AnyTensor, Relay_IncompleteType], "tensor or type yet to be inferred">;

// An operator: pure, and typed by its Rust type relation.
class Relay_Op<string mnemonic, list<Trait> traits = []>
    : Op<Relay_Dialect, mnemonic,
         !listconcat([Pure, HostVerify, HostFold, InferTypeOpInterface], traits)> {
  let extraClassDeclaration = HostInferDeclaration;
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

// The sentence that names the ONNX operator or operators which an operator answers to.
class Relay_Onnx<string names> {
  string text = !if(!empty(names), "", " ONNX: " # names # ".");
}

// Lists of as many numbers as there are spatial dimensions named in `space`: ones and zeros, and two zeros for
// each dimension, as C++ writes them.
class Relay_Space<string space> {
  string ones = !cond(!eq(space, "W"): "{1}", !eq(space, "H, W"): "{1, 1}",
                      !eq(space, "D, H, W"): "{1, 1, 1}");
  string zeros = !cond(!eq(space, "W"): "{0}", !eq(space, "H, W"): "{0, 0}",
                       !eq(space, "D, H, W"): "{0, 0, 0}");
  string pairs = !cond(!eq(space, "W"): "{0, 0}", !eq(space, "H, W"): "{0, 0, 0, 0}",
                       !eq(space, "D, H, W"): "{0, 0, 0, 0, 0, 0}");
}

// f(x), element by element; the result has the type of the operand.
class Relay_UnaryOp<string mnemonic, string doc, string onnx = "">
    : Relay_Op<mnemonic> {
  let summary = doc;
  let description = "Element by element: " # doc # ". The result has the type of `data`."
      # Relay_Onnx<onnx>.text;
  let arguments = (ins Relay_Tensor:$data);
  let results = (outs Relay_Tensor:$result);
}

// f(x, y) under numpy's broadcasting rules.
class Relay_BinaryOp<string mnemonic, string doc, list<Trait> traits = [], string onnx = "",
                     string elements = "of the operands' element type">
    : Relay_Op<mnemonic, traits> {
  let summary = doc;
  let description = "Element by element, x of `lhs` and y of `rhs`: " # doc # ". Shapes are "
      "aligned at their last dimension; a dimension of 1, or one that is missing, is repeated. The "
      "result is " # elements # "." # Relay_Onnx<onnx>.text # "\n\n"
      "- C1: each two dimensions are equal, or one of them is 1.\n"
      "- C2: the element types are equal.\n";
  let arguments = (ins Relay_Tensor:$lhs, Relay_Tensor:$rhs);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_DIALECT_TD
