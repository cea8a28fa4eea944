//===- Dialects.cpp - what TableGen cannot write of the dialects ----------===//
//
// The build writes a translation unit for each dialect and each op family.
//
//===----------------------------------------------------------------------===//

#include "Dialects.h"

#include "mlir/CAPI/IR.h"

using namespace mlir;

Operation *relay_mlir::relay::RelayDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                                                Type type, Location location) {
  if (!isa<ElementsAttr>(value))
    return nullptr;
  OperationState state(location, "relay.constant");
  state.addAttribute("value", value);
  state.addTypes(type);
  return builder.create(state);
}

extern "C" void relayInsertDialects(MlirDialectRegistry registry) {
  unwrap(registry)
      ->insert<relay_mlir::relay::RelayDialect, relay_mlir::te::TeDialect,
               relay_mlir::tir::TirDialect>();
}
