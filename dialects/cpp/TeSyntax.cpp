//===- TeSyntax.cpp - how ops of te are written -----------------------------===//

#include "Syntax.h"

#include "Dialects.h"

#define GET_OP_CLASSES
#include "te/compute.h.inc"
#define GET_OP_CLASSES
#include "te/schedule.h.inc"

using namespace mlir;
using namespace relay_mlir;

//===----------------------------------------------------------------------===//
// te.compute
//===----------------------------------------------------------------------===//

/// `(%i: 4, %j: "n")`
static ParseResult parseAxes(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::Argument> &axes,
                             SmallVectorImpl<Attribute> &extents) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() {
    OpAsmParser::Argument &axis = axes.emplace_back();
    axis.type = parser.getBuilder().getIndexType();
    return failure(parser.parseArgument(axis) || parser.parseColon() ||
                   parser.parseAttribute(extents.emplace_back()));
  });
}

static void printAxes(OpAsmPrinter &printer, ArrayRef<BlockArgument> axes,
                      ArrayRef<Attribute> extents) {
  printer << '(';
  llvm::interleaveComma(llvm::zip(axes, extents), printer, [&](auto pair) {
    printer << std::get<0>(pair) << ": ";
    printer.printAttributeWithoutType(std::get<1>(pair));
  });
  printer << ')';
}

/// The extents of a tensor: numbers, and the texts in its encoding.
static SmallVector<Attribute> extentsOf(RankedTensorType type) {
  auto open = dyn_cast_or_null<ArrayAttr>(type.getEncoding());
  ArrayRef<Attribute> texts = open ? open.getValue() : ArrayRef<Attribute>();
  return llvm::map_to_vector(type.getShape(), [&](int64_t extent) -> Attribute {
    if (texts.empty() || !ShapedType::isDynamic(extent))
      return Builder(type.getContext()).getI64IntegerAttr(extent);
    Attribute text = texts.front();
    texts = texts.drop_front();
    return text;
  });
}

/// The shape of the results must be that of the axes, which is written for people.
static ParseResult checkExtents(OpAsmParser &parser, SMLoc place, ArrayRef<Attribute> extents,
                                ArrayRef<Type> results) {
  for (Type type : results) {
    auto shaped = dyn_cast<RankedTensorType>(type);
    if (!shaped || ArrayRef<Attribute>(extentsOf(shaped)) != extents)
      return parser.emitError(place) << "the spatial axes are not the dimensions of " << type
                                     << ": one axis for each, with its extent (C2)";
  }
  return success();
}

ParseResult te::ComputeOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> axes;
  SmallVector<Attribute> extents, reduceExtents;
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
  if (succeeded(parser.parseOptionalKeyword("as"))) {
    FailureOr<Role> role = FieldParser<Role>::parse(parser);
    if (failed(role))
      return failure();
    result.addAttribute(getRoleAttrName(result.name), RoleAttr::get(builder.getContext(), *role));
  }
  result.addAttribute(getReduceExtentsAttrName(result.name),
                      builder.getArrayAttr(reduceExtents));
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
  SmallVector<Attribute> shape = extentsOf(cast<RankedTensorType>(getResult(0).getType()));
  ArrayRef<BlockArgument> axes = getBody().getArguments();
  printer << ' ' << getNameAttr() << ' ';
  printAxes(printer, axes.take_front(shape.size()), shape);
  if (std::optional<Reducer> reducer = getReducer()) {
    printer << ' ' << stringifyReducer(*reducer) << ' ';
    printAxes(printer, axes.drop_front(shape.size()), getReduceExtents().getValue());
  }
  if (ArrayAttr identity = getIdentityAttr())
    printer << " identity " << identity;
  if (std::optional<Role> role = getRole())
    printer << " as " << stringifyRole(*role);
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getNameAttrName(), getAxesAttrName(), getReduceExtentsAttrName(),
                            getReducerAttrName(), getIdentityAttrName(), getRoleAttrName()});
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

/// Names the tensors that an op computes as the op is called.
static void nameTensors(ResultRange tensors, StringRef name, OpAsmSetValueNameFn setName) {
  if (!tensors.empty() && !name.empty())
    setName(tensors[0], name);
}

void te::ComputeOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameTensors(getResults(), getName(), setName);
}
void te::ScanOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameTensors(getStates(), getName(), setName);
}
void te::ExternOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameTensors(getResults(), getName(), setName);
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
