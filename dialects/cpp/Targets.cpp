//===- Targets.cpp - what LLVM knows of CPUs ------------------------------===//

#include "mlir-c/Support.h"
#include "mlir/CAPI/Support.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>
#include <string>

using namespace llvm;

/// Whether a CPU with `features` added or taken away ("+a,-b") has all of `wanted` ("+c"). The
/// target of `triple` must have been initialised; one that was not has nothing.
extern "C" bool relayTargetHasFeatures(MlirStringRef triple, MlirStringRef cpu,
                                       MlirStringRef features, MlirStringRef wanted) {
  Triple parsed(unwrap(triple));
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(parsed, error);
  if (!target)
    return false;
  std::unique_ptr<MCSubtargetInfo> info(
      target->createMCSubtargetInfo(parsed, unwrap(cpu), unwrap(features)));
  return info && info->checkFeatures(unwrap(wanted).str());
}
