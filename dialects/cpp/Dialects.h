//===- Dialects.h - the dialects' C++ classes, as TableGen wrote them -----===//

#ifndef RELAY_MLIR_DIALECTS_H
#define RELAY_MLIR_DIALECTS_H

#include "HostHooks.h"
#include "Syntax.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "te/Enums.h.inc"
#include "tir/Enums.h.inc"

namespace relay_mlir::te {
/// What primitives of a schedule change and handles are taken of: the loops of its stages.
struct Loops : public mlir::SideEffects::Resource::Base<Loops> {
  llvm::StringRef getName() final { return "loops of stages"; }
};
} // namespace relay_mlir::te

#include "relay/Dialect.h.inc"
#include "te/Dialect.h.inc"
#include "tir/Dialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "relay/Types.h.inc"
#define GET_TYPEDEF_CLASSES
#include "te/Types.h.inc"
#define GET_ATTRDEF_CLASSES
#include "tir/Attributes.h.inc"

#endif // RELAY_MLIR_DIALECTS_H
