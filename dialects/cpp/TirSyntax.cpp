//===- TirSyntax.cpp - how ops of tir are written ---------------------------===//

#include "Syntax.h"

#include "Dialects.h"

#define GET_OP_CLASSES
#include "tir/blocks.h.inc"
#define GET_OP_CLASSES
#include "tir/buffers.h.inc"
#define GET_OP_CLASSES
#include "tir/loops.h.inc"

using namespace mlir;
using namespace relay_mlir;

//===----------------------------------------------------------------------===//
// tir.for
//===----------------------------------------------------------------------===//

/// A number or a value.
static ParseResult parseBound(OpAsmParser &parser,
                              SmallVectorImpl<OpAsmParser::UnresolvedOperand> &values,
                              SmallVectorImpl<int64_t> &numbers) {
  OptionalParseResult number = parser.parseOptionalInteger(numbers.emplace_back());
  if (number.has_value())
    return *number;
  numbers.back() = ShapedType::kDynamic;
  return parser.parseOperand(values.emplace_back());
}

ParseResult tir::ForOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  OpAsmParser::Argument variable;
  variable.type = builder.getIndexType();
  SmallVector<OpAsmParser::UnresolvedOperand, 2> values;
  SmallVector<int64_t, 2> numbers;
  if (parser.parseArgument(variable) || parser.parseEqual() ||
      parseBound(parser, values, numbers) || parser.parseKeyword("to") ||
      parseBound(parser, values, numbers) ||
      parser.resolveOperands(values, builder.getIndexType(), result.operands))
    return failure();

  StringRef keyword;
  LoopKind kind = LoopKind::Serial;
  if (succeeded(parser.parseOptionalKeyword(
          &keyword, {"serial", "parallel", "vectorized", "unrolled", "thread_binding"})))
    kind = *symbolizeLoopKind(keyword);
  if (kind == LoopKind::ThreadBinding) {
    FailureOr<Thread> thread = FieldParser<Thread>::parse(parser);
    if (failed(thread))
      return failure();
    result.addAttribute(getThreadAttrName(result.name),
                        ThreadAttr::get(builder.getContext(), *thread));
  }
  result.addAttribute(getStaticBoundsAttrName(result.name), builder.getDenseI64ArrayAttr(numbers));
  result.addAttribute(getKindAttrName(result.name), LoopKindAttr::get(builder.getContext(), kind));
  if (StringRef name = givenName(variable); !name.empty())
    result.addAttribute(getNameAttrName(result.name), builder.getStringAttr(name));
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  SMLoc place = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword(&keyword)))
    return parser.emitError(place) << "'" << keyword << "' is no kind of loop; expected serial, "
                                   << "parallel, vectorized, unrolled or thread_binding";
  return parser.parseRegion(*result.addRegion(), variable);
}

void tir::ForOp::print(OpAsmPrinter &printer) {
  unsigned next = 0;
  auto bound = [&](unsigned side) {
    int64_t number = getStaticBounds()[side];
    if (ShapedType::isDynamic(number))
      printer << getDynamicBounds()[next++];
    else
      printer << number;
  };
  printer << ' ' << getBody().getArgument(0) << " = ";
  bound(0);
  printer << " to ";
  bound(1);
  if (getKind() != LoopKind::Serial)
    printer << ' ' << stringifyLoopKind(getKind());
  if (std::optional<Thread> thread = getThread())
    printer << ' ' << stringifyThread(*thread);
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getStaticBoundsAttrName(), getKindAttrName(), getThreadAttrName(), getNameAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

void tir::ForOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  if (StringAttr name = getNameAttr(); name && region.getNumArguments() == 1)
    setName(region.getArgument(0), name.getValue());
}

//===----------------------------------------------------------------------===//
// tir.block and tir.alloc_buffer
//===----------------------------------------------------------------------===//

ParseResult tir::BlockOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  StringAttr name;
  SmallVector<OpAsmParser::Argument> variables;
  SmallVector<OpAsmParser::UnresolvedOperand> bindings;
  SmallVector<Attribute> types;
  auto variable = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = variables.emplace_back();
    argument.type = builder.getIndexType();
    if (parser.parseArgument(argument) || parser.parseEqual() ||
        parser.parseOperand(bindings.emplace_back()))
      return failure();
    FailureOr<IterType> type = FieldParser<IterType>::parse(parser);
    if (succeeded(type))
      types.push_back(IterTypeAttr::get(builder.getContext(), *type));
    return LogicalResult(type);
  };
  if (parser.parseAttribute(name, "name", result.attributes) ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, variable) ||
      parser.resolveOperands(bindings, builder.getIndexType(), result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  result.addAttribute(getIterTypesAttrName(result.name), builder.getArrayAttr(types));
  if (ArrayAttr names = givenNames(builder, variables))
    result.addAttribute(getAxesAttrName(result.name), names);
  Region *body = result.addRegion(), *init = result.addRegion();
  if (parser.parseRegion(*body, variables))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("init")))
    return parser.parseRegion(*init, variables);
  return success();
}

void tir::BlockOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getNameAttr() << " (";
  llvm::interleaveComma(llvm::zip(getBody().getArguments(), getBindings(), getIterTypes()), printer,
                        [&](auto all) {
                          auto [variable, binding, type] = all;
                          printer << variable << " = " << binding << ' '
                                  << stringifyIterType(cast<IterTypeAttr>(type).getValue());
                        });
  printer << ')';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getNameAttrName(), getIterTypesAttrName(), getAxesAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  if (!getInit().empty()) {
    printer << " init ";
    printer.printRegion(getInit(), /*printEntryBlockArgs=*/false);
  }
}

void tir::BlockOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  nameArguments(region, getAxes(), setName);
}

void tir::AllocBufferOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (StringAttr name = getNameAttr())
    setName(getBuffer(), name.getValue());
}
