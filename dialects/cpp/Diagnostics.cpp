//===- Diagnostics.cpp - errors with notes ---------------------------------===//

#include "mlir/IR/Diagnostics.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;

/// Reports an error and, at other places, what it does not go together with.
extern "C" void relayEmitErrorWithNotes(MlirLocation place, MlirStringRef message, intptr_t count,
                                        const MlirLocation *places, const MlirStringRef *notes) {
  InFlightDiagnostic error = emitError(unwrap(place)) << unwrap(message);
  for (intptr_t index = 0; index < count; ++index)
    error.attachNote(unwrap(places[index])) << unwrap(notes[index]);
}
