//===- Dialects.cpp - what TableGen cannot write of the dialects ----------===//
//
// The build writes a translation unit for each dialect and each op family.
//
//===----------------------------------------------------------------------===//

#include "Dialects.h"

#include "mlir/CAPI/IR.h"

using namespace mlir;
using namespace relay_mlir;

Operation *relay::RelayDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                                    Location location) {
  if (!isa<ElementsAttr>(value))
    return nullptr;
  return builder.create(location, builder.getStringAttr("relay.constant"), {}, type,
                        builder.getNamedAttr("value", value));
}

extern "C" void relayInsertDialects(MlirDialectRegistry registry) {
  unwrap(registry)->insert<relay::RelayDialect, te::TeDialect, tir::TirDialect>();
}
