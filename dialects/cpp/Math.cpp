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

/// Replaces functions of f32 by polynomials, inside `op`: those that networks spend time in. The
/// others stay calls of libm, as do all of f64.
extern "C" bool relayApproximateMath(MlirOperation op) {
  RewritePatternSet patterns(unwrap(op)->getContext());
  populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
    return name == math::ExpOp::getOperationName() || name == math::TanhOp::getOperationName() ||
           name == math::ErfOp::getOperationName() || name == math::LogOp::getOperationName();
  });
  return succeeded(applyPatternsGreedily(unwrap(op), std::move(patterns)));
}
