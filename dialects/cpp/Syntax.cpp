//===- Syntax.cpp - names in the text of te and tir ------------------------===//

#include "Syntax.h"

#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace relay_mlir;

/// Whether somebody gave a value this name: the printer's own are numbers, and `arg` with one.
static bool isGiven(StringRef name) {
  StringRef rest = name;
  rest.consume_front("arg");
  return !rest.empty() && !llvm::all_of(rest, [](char c) { return llvm::isDigit(c); });
}

StringRef relay_mlir::givenName(const OpAsmParser::Argument &argument) {
  StringRef name = argument.ssaName.name.drop_front();
  return isGiven(name) ? name : StringRef();
}

ArrayAttr relay_mlir::givenNames(Builder &builder, ArrayRef<OpAsmParser::Argument> arguments) {
  SmallVector<StringRef> names = llvm::map_to_vector(arguments, givenName);
  if (llvm::all_of(names, [](StringRef name) { return name.empty(); }))
    return nullptr;
  return builder.getStrArrayAttr(names);
}

StringRef relay_mlir::nameAt(std::optional<ArrayAttr> names, unsigned index) {
  if (!names || index >= names->size())
    return {};
  auto name = dyn_cast<StringAttr>((*names)[index]);
  return name ? name.getValue() : StringRef();
}

void relay_mlir::nameArguments(Region &region, std::optional<ArrayAttr> names,
                               OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    if (StringRef name = nameAt(names, argument.getArgNumber()); !name.empty())
      setName(argument, name);
}

ParseResult relay_mlir::parseResultName(OpAsmParser &parser, StringAttr &name) {
  StringRef given = parser.getResultName(0).first;
  if (isGiven(given))
    name = parser.getBuilder().getStringAttr(given);
  return success();
}

void relay_mlir::printResultName(OpAsmPrinter &, Operation *, StringAttr) {}

ParseResult relay_mlir::parseSubscripts(OpAsmParser &parser,
                                        SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values,
                                        AffineMapAttr &first) {
  NamedAttrList attributes;
  Attribute map;
  if (parser.parseAffineMapOfSSAIds(values, map, "first", attributes))
    return failure();
  first = cast<AffineMapAttr>(map);
  return success();
}

void relay_mlir::printSubscripts(OpAsmPrinter &printer, Operation *, OperandRange values,
                                 AffineMapAttr first) {
  printer << '[';
  printer.printAffineMapOfSSAIds(first, values);
  printer << ']';
}
