//===- Targets.cpp - what LLVM knows of CPUs ------------------------------===//

#include "mlir-c/Support.h"
#include "mlir/CAPI/Support.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>
#include <string>

using namespace llvm;

/// Null if the target of the triple was not initialised.
static std::unique_ptr<MCSubtargetInfo> subtarget(MlirStringRef triple, StringRef cpu,
                                                  StringRef features) {
  Triple parsed(unwrap(triple));
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(parsed, error);
  if (!target)
    return nullptr;
  return std::unique_ptr<MCSubtargetInfo>(target->createMCSubtargetInfo(parsed, cpu, features));
}

/// Whether a CPU with `features` added or taken away ("+a,-b") has all of `wanted` ("+c"). The
/// target of `triple` must have been initialised; one that was not has nothing.
extern "C" bool relayTargetHasFeatures(MlirStringRef triple, MlirStringRef cpu,
                                       MlirStringRef features, MlirStringRef wanted) {
  std::unique_ptr<MCSubtargetInfo> info = subtarget(triple, unwrap(cpu), unwrap(features));
  return info && info->checkFeatures(unwrap(wanted).str());
}

/// Whether there is a CPU of that name; of a target that was not initialised, as above.
extern "C" bool relayTargetHasCpu(MlirStringRef triple, MlirStringRef cpu) {
  std::unique_ptr<MCSubtargetInfo> info = subtarget(triple, "", "");
  return info && info->isCPUStringValid(unwrap(cpu));
}

/// Whether there is a feature of that name, which may begin with a sign.
extern "C" bool relayTargetHasFeature(MlirStringRef triple, MlirStringRef feature) {
  std::unique_ptr<MCSubtargetInfo> info = subtarget(triple, "", "");
  StringRef name = SubtargetFeatures::StripFlag(unwrap(feature));
  return info && llvm::any_of(info->getAllProcessorFeatures(),
                              [&](const SubtargetFeatureKV &known) { return name == known.Key; });
}

/// Names the CPUs, or the features, of a target, a line each; of one that was not initialised, as above.
extern "C" void relayTargetNames(MlirStringRef triple, bool features, MlirStringCallback callback,
                                 void *sink) {
  std::unique_ptr<MCSubtargetInfo> info = subtarget(triple, "", "");
  auto give = [&](const auto &all) {
    for (const auto &known : all)
      callback(wrap(StringRef(known.Key).str() + "\n"), sink);
  };
  if (info && features)
    give(info->getAllProcessorFeatures());
  else if (info)
    give(info->getAllProcessorDescriptions());
}
