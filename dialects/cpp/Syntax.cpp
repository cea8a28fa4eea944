//===- Syntax.cpp - how ops of te and tir are written -----------------------===//

#include "Syntax.h"

#include "Dialects.h"
#include "llvm/ADT/StringExtras.h"

#define GET_OP_CLASSES
#include "te/compute.h.inc"
#define GET_OP_CLASSES
#include "te/schedule.h.inc"
#define GET_OP_CLASSES
#include "tir/blocks.h.inc"
#define GET_OP_CLASSES
#include "tir/buffers.h.inc"
#define GET_OP_CLASSES
#include "tir/loops.h.inc"

using namespace mlir;
using namespace relay_mlir;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Whether somebody gave a value this name: the printer's own are numbers, and `arg` with one.
static bool isGiven(StringRef name) {
  StringRef rest = name;
  rest.consume_front("arg");
  return !rest.empty() && !llvm::all_of(rest, [](char c) { return llvm::isDigit(c); });
}

/// The name of an argument in the text, without the sign; empty if nobody gave it.
static StringRef givenName(const OpAsmParser::Argument &argument) {
  StringRef name = argument.ssaName.name.drop_front();
  return isGiven(name) ? name : StringRef();
}

/// The names as an attribute; none if nobody gave any.
static ArrayAttr givenNames(Builder &builder, ArrayRef<OpAsmParser::Argument> arguments) {
  SmallVector<StringRef> names = llvm::map_to_vector(arguments, givenName);
  if (llvm::all_of(names, [](StringRef name) { return name.empty(); }))
    return nullptr;
  return builder.getStrArrayAttr(names);
}

/// Name `index` of a list that may be short or not there.
static StringRef nameAt(std::optional<ArrayAttr> names, unsigned index) {
  if (!names || index >= names->size())
    return {};
  auto name = dyn_cast<StringAttr>((*names)[index]);
  return name ? name.getValue() : StringRef();
}

static void nameArguments(Region &region, std::optional<ArrayAttr> names,
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

//===----------------------------------------------------------------------===//
// te.compute
//===----------------------------------------------------------------------===//

/// `(%i: 4, %j: 8)`
static ParseResult parseAxes(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::Argument> &axes,
                             SmallVectorImpl<int64_t> &extents) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() {
    OpAsmParser::Argument &axis = axes.emplace_back();
    axis.type = parser.getBuilder().getIndexType();
    return failure(parser.parseArgument(axis) || parser.parseColon() ||
                   parser.parseInteger(extents.emplace_back()));
  });
}

static void printAxes(OpAsmPrinter &printer, ArrayRef<BlockArgument> axes,
                      ArrayRef<int64_t> extents) {
  printer << '(';
  llvm::interleaveComma(llvm::zip(axes, extents), printer, [&](auto pair) {
    printer << std::get<0>(pair) << ": " << std::get<1>(pair);
  });
  printer << ')';
}

/// The shape of the results must be that of the axes, which is written for people.
static ParseResult checkExtents(OpAsmParser &parser, SMLoc place, ArrayRef<int64_t> extents,
                                ArrayRef<Type> results) {
  for (Type type : results) {
    auto shaped = dyn_cast<RankedTensorType>(type);
    if (!shaped || shaped.getShape() != extents)
      return parser.emitError(place) << "the spatial axes are not the dimensions of " << type
                                     << ": one axis for each, with its extent (C2)";
  }
  return success();
}

ParseResult te::ComputeOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> axes;
  SmallVector<int64_t> extents, reduceExtents;
  SMLoc place;
  Builder &builder = parser.getBuilder();
  if (parser.parseAttribute(name, "name", result.attributes) || parser.getCurrentLocation(&place) ||
      parseAxes(parser, axes, extents))
    return failure();

  StringRef keyword;
  if (succeeded(parser.parseOptionalKeyword(
          &keyword, {"sum", "prod", "max", "min", "all", "any", "custom"}))) {
    result.addAttribute(getReducerAttrName(result.name),
                        ReducerAttr::get(builder.getContext(), *symbolizeReducer(keyword)));
    if (parseAxes(parser, axes, reduceExtents))
      return failure();
  }
  ArrayAttr identity;
  if (succeeded(parser.parseOptionalKeyword("identity")) &&
      parser.parseAttribute(identity, getIdentityAttrName(result.name), result.attributes))
    return failure();
  result.addAttribute(getReduceExtentsAttrName(result.name),
                      builder.getDenseI64ArrayAttr(reduceExtents));
  if (ArrayAttr names = givenNames(builder, axes))
    result.addAttribute(getAxesAttrName(result.name), names);

  Region *body = result.addRegion(), *combiner = result.addRegion();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*body, axes))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("combiner")) && parser.parseRegion(*combiner))
    return failure();
  return failure(parser.parseColonTypeList(result.types) ||
                 checkExtents(parser, place, extents, result.types));
}

void te::ComputeOp::print(OpAsmPrinter &printer) {
  auto shaped = dyn_cast<ShapedType>(getResult(0).getType());
  ArrayRef<int64_t> shape = shaped.getShape();
  ArrayRef<BlockArgument> axes = getBody().getArguments();
  printer << ' ' << getNameAttr() << ' ';
  printAxes(printer, axes.take_front(shape.size()), shape);
  if (std::optional<Reducer> reducer = getReducer()) {
    printer << ' ' << stringifyReducer(*reducer) << ' ';
    printAxes(printer, axes.drop_front(shape.size()), getReduceExtents());
  }
  if (ArrayAttr identity = getIdentityAttr())
    printer << " identity " << identity;
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getNameAttrName(), getAxesAttrName(), getReduceExtentsAttrName(),
                            getReducerAttrName(), getIdentityAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  if (!getCombiner().empty()) {
    printer << " combiner ";
    printer.printRegion(getCombiner());
  }
  printer << " : " << getResultTypes();
}

void te::ComputeOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  if (&region == &getBody())
    nameArguments(region, getAxes(), setName);
}

void te::ComputeOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (!getResults().empty() && !getName().empty())
    setName(getResult(0), getName());
}

//===----------------------------------------------------------------------===//
// Handles of te.schedule
//===----------------------------------------------------------------------===//

ParseResult te::parseAsManyAsNamed(OpAsmParser &parser, SmallVectorImpl<Type> &types) {
  types.assign(parser.getNumResults(), te::AxisType::get(parser.getContext()));
  return success();
}

void te::printAsManyAsNamed(OpAsmPrinter &, Operation *, TypeRange) {}

/// The name of what computes a tensor, or of the argument that it is.
static std::string tensorName(Value tensor) {
  if (Operation *op = tensor.getDefiningOp())
    if (auto name = op->getAttrOfType<StringAttr>("name"))
      return name.str();
  return {};
}

static std::string withSuffix(const std::string &name, StringRef suffix) {
  return name.empty() ? name : (name + "." + suffix).str();
}

/// The name of a stage's handle; empty if nothing names it.
static std::string stageName(Value handle) {
  Operation *op = handle.getDefiningOp();
  if (auto stage = dyn_cast_or_null<te::StageOp>(op))
    return tensorName(stage.getTensor());
  if (auto write = dyn_cast_or_null<te::CacheWriteOp>(op))
    return withSuffix(stageName(write.getStage()), tir::stringifyScope(write.getScope()));
  if (auto read = dyn_cast_or_null<te::CacheReadOp>(op))
    return withSuffix(tensorName(read.getTensor()), tir::stringifyScope(read.getScope()));
  if (auto factored = dyn_cast_or_null<te::RfactorOp>(op))
    return withSuffix(stageName(factored.getStage()), "rf");
  if (auto group = dyn_cast_or_null<te::CreateGroupOp>(op))
    return withSuffix(stageName(group.getOutput()), "group");
  return {};
}

static std::string axisName(Value handle);

namespace {
/// The names of a stage's axes; empty ones where nothing names them.
struct AxisNames {
  SmallVector<std::string> spatial, reduce;
};
} // namespace

static AxisNames axesOfStage(Value stage) {
  AxisNames names;
  Operation *op = stage.getDefiningOp();
  if (auto named = dyn_cast_or_null<te::StageOp>(op)) {
    auto type = dyn_cast<RankedTensorType>(named.getTensor().getType());
    unsigned rank = type ? type.getRank() : 0;
    auto compute = named.getTensor().getDefiningOp<te::ComputeOp>();
    std::optional<ArrayAttr> axes = compute ? compute.getAxes() : std::nullopt;
    for (unsigned index = 0; index < rank; ++index)
      names.spatial.push_back(nameAt(axes, index).str());
    for (unsigned index = rank; axes && index < axes->size(); ++index)
      names.reduce.push_back(nameAt(axes, index).str());
  } else if (auto write = dyn_cast_or_null<te::CacheWriteOp>(op)) {
    names = axesOfStage(write.getStage());
  } else if (auto read = dyn_cast_or_null<te::CacheReadOp>(op)) {
    if (auto shape = dyn_cast<RankedTensorType>(read.getTensor().getType()))
      for (int64_t dim = 0; dim < shape.getRank(); ++dim)
        names.spatial.push_back("ax" + std::to_string(dim));
  } else if (auto factored = dyn_cast_or_null<te::RfactorOp>(op)) {
    names = axesOfStage(factored.getStage());
    int64_t rank = names.spatial.size(), at = factored.getFactorAxis();
    at = std::clamp<int64_t>(at < 0 ? at + rank + 1 : at, 0, rank);
    names.spatial.insert(names.spatial.begin() + at, axisName(factored.getAxis()));
    // Which reduce loops are left is the business of the schedule so far.
    names.reduce.clear();
  }
  return names;
}

/// The name of an axis' handle; empty if nothing names it.
static std::string axisName(Value handle) {
  Operation *op = handle.getDefiningOp();
  if (!op)
    return {};
  unsigned number = cast<OpResult>(handle).getResultNumber();
  if (auto axes = dyn_cast<te::AxesOp>(op)) {
    AxisNames names = axesOfStage(axes.getStage());
    if (number < names.spatial.size())
      return names.spatial[number];
    number -= names.spatial.size();
    return number < names.reduce.size() ? names.reduce[number] : "k";
  }
  if (auto split = dyn_cast<te::SplitOp>(op))
    return withSuffix(axisName(split.getAxis()), number == 0 ? "outer" : "inner");
  if (auto tile = dyn_cast<te::TileOp>(op))
    return withSuffix(axisName(op->getOperand(number % 2)), number < 2 ? "outer" : "inner");
  if (auto fuse = dyn_cast<te::FuseOp>(op)) {
    std::string all;
    for (Value axis : fuse.getAxes()) {
      std::string name = axisName(axis);
      if (name.empty())
        return {};
      all += name + ".";
    }
    return all + "fused";
  }
  return {};
}

void te::nameHandles(Operation *op, OpAsmSetValueNameFn setName) {
  for (OpResult result : op->getResults()) {
    bool isStage = isa<te::StageType>(result.getType());
    std::string name = isStage ? withSuffix(stageName(result), "stage") : axisName(result);
    if (!name.empty())
      setName(result, name);
  }
}

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
    SMLoc place = parser.getCurrentLocation();
    if (parser.parseKeyword(&keyword))
      return failure();
    std::optional<Thread> thread = symbolizeThread(keyword);
    if (!thread)
      return parser.emitError(place) << "'" << keyword << "' is no axis of a grid of threads";
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
    StringRef keyword;
    SMLoc place;
    if (parser.parseArgument(argument) || parser.parseEqual() ||
        parser.parseOperand(bindings.emplace_back()) || parser.getCurrentLocation(&place) ||
        parser.parseKeyword(&keyword))
      return failure();
    std::optional<IterType> type = symbolizeIterType(keyword);
    if (!type)
      return parser.emitError(place) << "'" << keyword << "' is neither spatial nor reduce";
    types.push_back(IterTypeAttr::get(builder.getContext(), *type));
    return success();
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
