//===- Math.cpp - upstream's approximations of math functions -------------===//
//
// Upstream offers them as patterns, and as a pass only in its tests.
//
//===----------------------------------------------------------------------===//

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

/// Replaces the functions of f32 that are named by polynomials, inside `op`.
extern "C" bool relayApproximateMath(MlirOperation op, const MlirStringRef *names, intptr_t count) {
  RewritePatternSet patterns(unwrap(op)->getContext());
  ArrayRef<MlirStringRef> wanted(names, count);
  populateMathPolynomialApproximationPatterns(patterns, [&](StringRef name) {
    return llvm::any_of(wanted, [&](MlirStringRef one) { return unwrap(one) == name; });
  });
  return succeeded(applyPatternsGreedily(unwrap(op), std::move(patterns)));
}
