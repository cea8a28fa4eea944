//===- HostHooks.cpp - calls into Rust with the C API's types -------------===//

#include "HostHooks.h"

#include "Dialects.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

// Defined in src/hooks.rs. None of them unwinds.
extern "C" {
/// Appends one result type.
typedef void (*PushType)(void *sink, MlirType type);
/// Reports why there is none.
typedef void (*PushError)(void *sink, MlirStringRef message);
bool relayHostVerify(MlirOperation op);
bool relayHostVerifySymbolUses(MlirOperation op);
bool relayHostVerifyAttribute(MlirOperation op, MlirStringRef name, MlirAttribute attribute);
bool relayHostInfer(MlirStringRef name, MlirContext context, intptr_t operandCount,
                    const MlirValue *operands, MlirAttribute attributes, void *sink, PushType type,
                    PushError error);
/// Folds to `attribute` or `value`, whichever it leaves non-null.
bool relayHostFold(MlirOperation op, intptr_t operandCount, const MlirAttribute *operands,
                   MlirAttribute *attribute, MlirValue *value);
}

LogicalResult relay_mlir::hostVerify(Operation *op) { return success(relayHostVerify(wrap(op))); }

LogicalResult relay_mlir::hostVerifySymbolUses(Operation *op) {
  return success(relayHostVerifySymbolUses(wrap(op)));
}

LogicalResult relay_mlir::hostVerifyAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  return success(relayHostVerifyAttribute(wrap(op), wrap(name), wrap(attribute.getValue())));
}

LogicalResult relay_mlir::hostFold(Operation *op, ArrayRef<Attribute> operands,
                                   SmallVectorImpl<OpFoldResult> &results) {
  if (op->getNumResults() != 1)
    return failure();
  auto constants = llvm::map_to_vector(operands, [](Attribute value) { return wrap(value); });
  MlirAttribute attribute{nullptr};
  MlirValue value{nullptr};
  if (!relayHostFold(wrap(op), constants.size(), constants.data(), &attribute, &value))
    return failure();
  results.push_back(attribute.ptr ? OpFoldResult(unwrap(attribute)) : unwrap(value));
  return success();
}

LogicalResult relay_mlir::hostInferReturnTypes(StringRef name, MLIRContext *context,
                                               std::optional<Location> location,
                                               ValueRange operands, DictionaryAttr attributes,
                                               SmallVectorImpl<Type> &types) {
  // ODS defaults are filled in when the op is created, which is after this.
  NamedAttrList complete(attributes);
  OperationName(name, context).populateDefaultAttrs(complete);
  auto values = llvm::map_to_vector(operands, [](Value value) { return wrap(value); });
  struct Sink {
    SmallVectorImpl<Type> &types;
    std::optional<Location> location;
  } sink{types, location};
  bool inferred = relayHostInfer(
      wrap(name), wrap(context), values.size(), values.data(),
      wrap(Attribute(complete.getDictionary(context))), &sink,
      [](void *sink, MlirType type) { static_cast<Sink *>(sink)->types.push_back(unwrap(type)); },
      [](void *sink, MlirStringRef message) {
        (void)emitOptionalError(static_cast<Sink *>(sink)->location, unwrap(message));
      });
  return success(inferred);
}

bool relay_mlir::hostCompatibleTypes(TypeRange inferred, TypeRange actual) {
  return llvm::equal(inferred, actual, [](Type a, Type b) {
    return a == b || isa<relay::IncompleteType>(a) || isa<relay::IncompleteType>(b);
  });
}
