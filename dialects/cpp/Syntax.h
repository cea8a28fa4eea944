//===- Syntax.h - how ops of te and tir are written -------------------------===//
//
// What the assembly formats in td/ cannot say: names of axes, loops and buffers
// that are read from the names of values and written as such.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_MLIR_SYNTAX_H
#define RELAY_MLIR_SYNTAX_H

#include "mlir/IR/OpImplementation.h"

namespace relay_mlir {

/// Reads nothing: an op's name is that of its result, if that is more than a number.
mlir::ParseResult parseResultName(mlir::OpAsmParser &parser, mlir::StringAttr &name);
void printResultName(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::StringAttr name);

namespace te {

/// As many results, all of them axes, as the text has names for.
mlir::ParseResult parseAsManyAsNamed(mlir::OpAsmParser &parser,
                                     llvm::SmallVectorImpl<mlir::Type> &types);
void printAsManyAsNamed(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::TypeRange types);

/// Names the results of a schedule primitive after what they stand for.
void nameHandles(mlir::Operation *op, mlir::OpAsmSetValueNameFn setName);

} // namespace te
} // namespace relay_mlir

#endif // RELAY_MLIR_SYNTAX_H
