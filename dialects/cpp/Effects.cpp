//===- Effects.cpp - what ops do beside giving results --------------------===//

#include "mlir/CAPI/IR.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

/// Whether an op could be erased if nobody read its results, by its memory effects and those of what is
/// inside. Terminators and symbols could not.
extern "C" bool relayWouldBeDead(MlirOperation op) { return wouldOpBeTriviallyDead(unwrap(op)); }

/// Whether an op has the effects of what is inside, and no others.
extern "C" bool relayHasRecursiveEffects(MlirOperation op) {
  return unwrap(op)->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
}
