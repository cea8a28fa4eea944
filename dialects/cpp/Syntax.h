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

/// The name of an argument in the text, without the sign; empty if nobody gave it.
llvm::StringRef givenName(const mlir::OpAsmParser::Argument &argument);

/// The names as an attribute; none if nobody gave any.
mlir::ArrayAttr givenNames(mlir::Builder &builder,
                           llvm::ArrayRef<mlir::OpAsmParser::Argument> arguments);

/// Name `index` of a list that may be short or not there.
llvm::StringRef nameAt(std::optional<mlir::ArrayAttr> names, unsigned index);

/// Has a region's arguments printed by their names.
void nameArguments(mlir::Region &region, std::optional<mlir::ArrayAttr> names,
                   mlir::OpAsmSetValueNameFn setName);

/// Reads nothing: an op's name is that of its result, if that is more than a number.
mlir::ParseResult parseResultName(mlir::OpAsmParser &parser, mlir::StringAttr &name);
void printResultName(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::StringAttr name);

/// Affine expressions of values: `[%i + 1, %j * 4]`.
mlir::ParseResult parseSubscripts(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &values, mlir::AffineMapAttr &first);
void printSubscripts(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::OperandRange values,
                     mlir::AffineMapAttr first);

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
