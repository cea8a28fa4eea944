#ifndef RELAY_DIALECT_TD
#define RELAY_DIALECT_TD

include "Host.td"

def Relay_Dialect : HostDialect {
  let name = "relay";
  let summary = "Relay: typed operators on tensors, in SSA form";
  let description = [{
    Relay's operators under their own names (`relay.nn.conv2d`, `relay.add`) and the part of its
    language that MLIR does not have already. Functions are `func.func`, tensors are builtin
    `tensor` types, SSA is Relay's graph binding.

    Every operator has a *type relation* written in Rust. The verifier runs it, and
    `--infer-type` uses it to replace `!relay.incomplete`.
  }];
  let cppNamespace = "::relay_mlir::relay";
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

def Relay_IncompleteType : TypeDef<Relay_Dialect, "Incomplete"> {
  let mnemonic = "incomplete";
  let summary = "a type that inference has yet to find";
}

def Relay_Tensor : AnyTypeOf<[AnyTensor, Relay_IncompleteType], "tensor or type yet to be inferred">;

// An operator: pure, and typed by its Rust type relation.
class Relay_Op<string mnemonic, list<Trait> traits = []>
    : Op<Relay_Dialect, mnemonic,
         !listconcat([Pure, HostVerify, HostFold, InferTypeOpInterface], traits)> {
  let extraClassDeclaration = HostInferDeclaration;
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

// f(x), element by element; the result has the type of the operand.
class Relay_UnaryOp<string mnemonic, string doc> : Relay_Op<mnemonic> {
  let summary = doc;
  let arguments = (ins Relay_Tensor:$data);
  let results = (outs Relay_Tensor:$result);
}

// f(x, y) under numpy's broadcasting rules.
class Relay_BinaryOp<string mnemonic, string doc, list<Trait> traits = []>
    : Relay_Op<mnemonic, traits> {
  let summary = doc;
  let arguments = (ins Relay_Tensor:$lhs, Relay_Tensor:$rhs);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_DIALECT_TD
