//===- HostHooks.h - how ops of ours reach their semantics in Rust --------===//
//
// Everything here is generic over the op: an op is known by its name alone, and
// the Rust side (src/hooks.rs) looks it up in its tables.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_MLIR_HOST_HOOKS_H
#define RELAY_MLIR_HOST_HOOKS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/ValueRange.h"

namespace relay_mlir {

/// Checks an op beyond what ODS states.
mlir::LogicalResult hostVerify(mlir::Operation *op);

/// Checks an op against the symbols that it names.
mlir::LogicalResult hostVerifySymbolUses(mlir::Operation *op);

/// Checks an attribute of one of our dialects on an op of any dialect.
mlir::LogicalResult hostVerifyAttribute(mlir::Operation *op, mlir::NamedAttribute attribute);

/// Folds an op to attributes or existing values.
mlir::LogicalResult hostFold(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> operands,
                             llvm::SmallVectorImpl<mlir::OpFoldResult> &results);

/// Runs the type relation of the op called `name`.
mlir::LogicalResult hostInferReturnTypes(llvm::StringRef name, mlir::MLIRContext *context,
                                         std::optional<mlir::Location> location,
                                         mlir::ValueRange operands,
                                         mlir::DictionaryAttr attributes,
                                         llvm::SmallVectorImpl<mlir::Type> &types);

/// Whether `actual` may stand where `inferred` was found: equal, or one of them yet to be
/// inferred.
bool hostCompatibleTypes(mlir::TypeRange inferred, mlir::TypeRange actual);

template <typename ConcreteOp>
struct HostVerify : public mlir::OpTrait::TraitBase<ConcreteOp, HostVerify> {
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) { return hostVerify(op); }
};

template <typename ConcreteOp>
struct HostFold : public mlir::OpTrait::TraitBase<ConcreteOp, HostFold> {
  static mlir::LogicalResult foldTrait(mlir::Operation *op,
                                       llvm::ArrayRef<mlir::Attribute> operands,
                                       llvm::SmallVectorImpl<mlir::OpFoldResult> &results) {
    return hostFold(op, operands, results);
  }
};

} // namespace relay_mlir

#endif // RELAY_MLIR_HOST_HOOKS_H
