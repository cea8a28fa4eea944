//===- Attributes.cpp - what the C API cannot ask of attributes -----------===//

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

/// The bytes of `dense_resource<...>`; empty if the blob is not there.
extern "C" MlirStringRef relayResourceData(MlirAttribute attribute) {
  AsmResourceBlob *blob = cast<DenseResourceElementsAttr>(unwrap(attribute)).getRawHandle().getBlob();
  if (!blob)
    return MlirStringRef{nullptr, 0};
  return MlirStringRef{blob->getData().data(), blob->getData().size()};
}
