//===- Attributes.cpp - what the C API cannot ask of attributes and text --===//

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

/// The bytes of `dense_resource<...>`; empty if the blob is not there.
extern "C" MlirStringRef relayResourceData(MlirAttribute attribute) {
  AsmResourceBlob *blob = cast<DenseResourceElementsAttr>(unwrap(attribute)).getRawHandle().getBlob();
  return blob ? MlirStringRef{blob->getData().data(), blob->getData().size()} : MlirStringRef{};
}

/// A module from text or bytecode that locations say to be of a file of that name; null if it is not valid.
extern "C" MlirModule relayParse(MlirContext context, MlirStringRef source, MlirStringRef name) {
  auto module = parseSourceString<ModuleOp>(unwrap(source), unwrap(context), unwrap(name));
  return wrap(module.release());
}
