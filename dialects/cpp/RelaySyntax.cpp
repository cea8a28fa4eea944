//===- RelaySyntax.cpp - how functions and matches of relay are written ----===//

#include "Syntax.h"

#include "Dialects.h"

#define GET_OP_CLASSES
#include "relay/adt.h.inc"
#define GET_OP_CLASSES
#include "relay/function.h.inc"

using namespace mlir;
using namespace relay_mlir;

//===----------------------------------------------------------------------===//
// relay.fn
//===----------------------------------------------------------------------===//

ParseResult relay::FnOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  SmallVector<OpAsmParser::Argument> parameters;
  OpAsmParser::Argument self;
  bool recursive = succeeded(parser.parseOptionalKeyword("rec"));
  SmallVector<Type, 1> results;
  if ((recursive && parser.parseArgument(self)) ||
      parser.parseArgumentList(parameters, OpAsmParser::Delimiter::Paren, /*allowType=*/true) ||
      parser.parseArrowTypeList(results) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  auto inputs =
      llvm::map_to_vector(parameters, [](OpAsmParser::Argument &each) { return each.type; });
  result.addTypes(builder.getFunctionType(inputs, results));
  if (recursive) {
    self.type = result.types.front();
    parameters.insert(parameters.begin(), self);
    result.addAttribute(getRecursiveAttrName(result.name), builder.getUnitAttr());
  }
  if (ArrayAttr names = givenNames(builder, parameters))
    result.addAttribute(getNamesAttrName(result.name), names);
  return parser.parseRegion(*result.addRegion(), parameters);
}

void relay::FnOp::print(OpAsmPrinter &printer) {
  ArrayRef<BlockArgument> parameters = getBody().getArguments();
  if (getRecursive()) {
    printer << " rec " << parameters.front();
    parameters = parameters.drop_front();
  }
  printer << '(';
  llvm::interleaveComma(parameters, printer, [&](BlockArgument parameter) {
    printer.printRegionArgument(parameter);
  });
  auto type = dyn_cast<FunctionType>(getFunction().getType());
  printer << ')';
  if (type)
    printer.printArrowTypeList(type.getResults());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getRecursiveAttrName(), getNamesAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

void relay::FnOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameArguments(region, getNames(), setName);
}

//===----------------------------------------------------------------------===//
// relay.match
//===----------------------------------------------------------------------===//

// A pattern is kept as an attribute: a unit for any value, a string for a name, and a list for what has
// parts: a constructor, or a unit for a tuple, and then the patterns of the parts.

static ParseResult parsePattern(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::Argument> &names,
                                Attribute &pattern);

/// Patterns in parentheses, after what they are parts of.
static ParseResult parseParts(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::Argument> &names,
                              Attribute whole, Attribute &pattern) {
  SmallVector<Attribute> parts{whole};
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&] {
        return parsePattern(parser, names, parts.emplace_back());
      }))
    return failure();
  pattern = parser.getBuilder().getArrayAttr(parts);
  return success();
}

static ParseResult parsePattern(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::Argument> &names,
                                Attribute &pattern) {
  Builder &builder = parser.getBuilder();
  if (succeeded(parser.parseOptionalKeyword("_"))) {
    pattern = builder.getUnitAttr();
    return success();
  }
  OpAsmParser::Argument name;
  OptionalParseResult isName = parser.parseOptionalArgument(name, /*allowType=*/true);
  if (isName.has_value()) {
    if (failed(*isName))
      return failure();
    pattern = builder.getStringAttr(givenName(name));
    names.push_back(name);
    return success();
  }
  SymbolRefAttr constructor;
  OptionalParseResult isConstructor = parser.parseOptionalAttribute(constructor);
  if (isConstructor.has_value())
    return failed(*isConstructor) ? failure() : parseParts(parser, names, constructor, pattern);
  return parseParts(parser, names, builder.getUnitAttr(), pattern);
}

ParseResult relay::MatchOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  if (succeeded(parser.parseOptionalKeyword("partial")))
    result.addAttribute(getPartialAttrName(result.name), builder.getUnitAttr());
  OpAsmParser::UnresolvedOperand value;
  Type from, to;
  if (parser.parseOperand(value) || parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseColonType(from) || parser.parseArrow() || parser.parseType(to) ||
      parser.resolveOperand(value, from, result.operands))
    return failure();
  result.addTypes(to);
  SmallVector<Attribute> patterns;
  while (succeeded(parser.parseOptionalKeyword("case"))) {
    SmallVector<OpAsmParser::Argument> names;
    if (parsePattern(parser, names, patterns.emplace_back()) ||
        parser.parseRegion(*result.addRegion(), names))
      return failure();
  }
  result.addAttribute(getPatternsAttrName(result.name), builder.getArrayAttr(patterns));
  return success();
}

/// Prints a pattern, with the next arguments of its arm for its names.
static void printPattern(OpAsmPrinter &printer, Attribute pattern,
                         ArrayRef<BlockArgument> &arguments) {
  if (isa<StringAttr>(pattern) && !arguments.empty()) {
    printer.printRegionArgument(arguments.front());
    arguments = arguments.drop_front();
    return;
  }
  auto parts = dyn_cast<ArrayAttr>(pattern);
  if (!parts || parts.empty()) {
    printer << '_';
    return;
  }
  if (auto constructor = dyn_cast<SymbolRefAttr>(parts[0]))
    printer << constructor;
  printer << '(';
  llvm::interleaveComma(parts.getValue().drop_front(), printer, [&](Attribute part) {
    printPattern(printer, part, arguments);
  });
  printer << ')';
}

void relay::MatchOp::print(OpAsmPrinter &printer) {
  if (getPartial())
    printer << " partial";
  printer << ' ' << getValue();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getPatternsAttrName(), getPartialAttrName()});
  printer << " : " << getValue().getType() << " -> " << getResult().getType();
  for (auto [pattern, arm] : llvm::zip(getPatterns(), getArms())) {
    printer.printNewline();
    printer << "case ";
    ArrayRef<BlockArgument> arguments = arm.getArguments();
    printPattern(printer, pattern, arguments);
    printer << ' ';
    printer.printRegion(arm, /*printEntryBlockArgs=*/false);
  }
}

/// The names in a pattern, from left to right.
static void collectNames(Attribute pattern, SmallVectorImpl<StringRef> &names) {
  if (auto name = dyn_cast<StringAttr>(pattern))
    names.push_back(name.getValue());
  else if (auto parts = dyn_cast<ArrayAttr>(pattern))
    for (Attribute part : parts)
      collectNames(part, names);
}

void relay::MatchOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  unsigned arm = region.getRegionNumber();
  SmallVector<StringRef> names;
  if (arm < getPatterns().size())
    collectNames(getPatterns()[arm], names);
  for (auto [argument, name] : llvm::zip(region.getArguments(), names))
    if (!name.empty())
      setName(argument, name);
}
