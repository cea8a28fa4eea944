//===- Host.td - what every op of ours shares -----------------------------===//
//
// The semantics of our ops are written in Rust. An op reaches them through two
// native traits (verify and fold) and one interface body (result types), all
// keyed by the op's name; see cpp/HostHooks.h.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_MLIR_HOST_TD
#define RELAY_MLIR_HOST_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/LoopLikeInterface.td"

def HostVerify : NativeOpTrait<"HostVerify"> {
  let cppNamespace = "::relay_mlir";
}

def HostFold : NativeOpTrait<"HostFold"> {
  let cppNamespace = "::relay_mlir";
}

// Lets a family of ops be added from its own translation unit.
class HostDialect : Dialect {
  // Rust reads attributes from the dictionary; properties are C++ structs.
  let usePropertiesForAttributes = 0;
  // Attributes on ops of any dialect: `dialects/src/attrs.rs` declares them.
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Registers the ops of one family.
    template <typename... Ops>
    void addFamily() { addOperations<Ops...>(); }
  }];
}

// The body of InferTypeOpInterface for ops whose result types Rust finds.
defvar HostInferDeclaration = [{
  static ::mlir::LogicalResult inferReturnTypes(
      ::mlir::MLIRContext *context, ::std::optional<::mlir::Location> location,
      ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
      ::mlir::OpaqueProperties, ::mlir::RegionRange,
      ::llvm::SmallVectorImpl<::mlir::Type> &types) {
    return ::relay_mlir::hostInferReturnTypes(getOperationName(), context, location, operands,
                                              attributes, types);
  }
  static bool isCompatibleReturnTypes(::mlir::TypeRange inferred, ::mlir::TypeRange actual) {
    return ::relay_mlir::hostCompatibleTypes(inferred, actual);
  }
}];

// The body of SymbolUserOpInterface for ops that Rust checks against the symbols that they name.
defvar HostSymbolsDeclaration = [{
  ::mlir::LogicalResult verifySymbolUses(::mlir::SymbolTableCollection &) {
    return ::relay_mlir::hostVerifySymbolUses(getOperation());
  }
}];

#endif // RELAY_MLIR_HOST_TD
