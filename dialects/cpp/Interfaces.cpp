//===- Interfaces.cpp - what upstream's passes ask of ops ------------------===//

#include "Dialects.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

#define GET_OP_CLASSES
#include "tir/loops.h.inc"

using namespace mlir;
using namespace relay_mlir;

SmallVector<Region *> tir::ForOp::getLoopRegions() { return {&getBody()}; }

std::optional<SmallVector<Value>> tir::ForOp::getLoopInductionVars() {
  return SmallVector<Value>{getBody().getArgument(0)};
}

/// The lower bound, then the upper one.
static SmallVector<OpFoldResult> boundsOf(tir::ForOp loop) {
  Builder builder(loop.getContext());
  return getMixedValues(loop.getStaticBounds(), loop.getDynamicBounds(), builder);
}

std::optional<SmallVector<OpFoldResult>> tir::ForOp::getLoopLowerBounds() {
  return SmallVector<OpFoldResult>{boundsOf(*this)[0]};
}

std::optional<SmallVector<OpFoldResult>> tir::ForOp::getLoopUpperBounds() {
  return SmallVector<OpFoldResult>{boundsOf(*this)[1]};
}

std::optional<SmallVector<OpFoldResult>> tir::ForOp::getLoopSteps() {
  return SmallVector<OpFoldResult>{Builder(getContext()).getIndexAttr(1)};
}
