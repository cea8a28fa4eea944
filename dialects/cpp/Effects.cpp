//===- Effects.cpp - what ops do beside giving results --------------------===//

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;

/// Whether an op could be erased if nobody read its results, by its memory effects and those of what is
/// inside. Terminators and symbols could not.
extern "C" bool relayWouldBeDead(MlirOperation op) { return wouldOpBeTriviallyDead(unwrap(op)); }

/// Whether an op has the effects of what is inside, and no others.
extern "C" bool relayHasRecursiveEffects(MlirOperation op) {
  return unwrap(op)->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
}

/// Computes each expression inside an op once: upstream's `cse`.
extern "C" void relayEliminateCommonSubexpressions(MlirOperation op) {
  IRRewriter rewriter(unwrap(op)->getContext());
  DominanceInfo dominance(unwrap(op));
  eliminateCommonSubExpressions(rewriter, dominance, unwrap(op));
}
