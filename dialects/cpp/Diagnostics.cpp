//===- Diagnostics.cpp - errors and warnings, and remarks ----------------===//

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;

/// Reports an error or a warning and, at other places, what it does not go together with.
extern "C" void relayEmit(bool isError, MlirLocation place, MlirStringRef message, intptr_t count,
                          const MlirLocation *places, const MlirStringRef *notes) {
  InFlightDiagnostic report = isError ? emitError(unwrap(place)) : emitWarning(unwrap(place));
  report << unwrap(message);
  for (intptr_t index = 0; index < count; ++index)
    report.attachNote(unwrap(places[index])) << unwrap(notes[index]);
}

/// Reports what a pass did, if somebody has asked for remarks of this category.
extern "C" void relayEmitRemark(MlirLocation place, MlirStringRef category, MlirStringRef name,
                                MlirStringRef message) {
  // A remark may be kept to the end of the context, with its names as references.
  auto keep = [&](MlirStringRef text) {
    return StringAttr::get(unwrap(place)->getContext(), unwrap(text)).getValue();
  };
  auto options = remark::RemarkOpts::name(keep(name)).category(keep(category));
  remark::passed(unwrap(place), options) << unwrap(message);
}
