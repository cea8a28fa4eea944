//===- Math.cpp - upstream's approximations of math functions -------------===//
//
// Upstream offers them as patterns, and as a pass only in its tests.
//
//===----------------------------------------------------------------------===//

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

/// Replaces tanh of f32 by polynomials, inside `op`.
extern "C" bool relayApproximateMath(MlirOperation op) {
  RewritePatternSet patterns(unwrap(op)->getContext());
  populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
    return name == math::TanhOp::getOperationName();
  });
  return succeeded(applyPatternsGreedily(unwrap(op), std::move(patterns)));
}
