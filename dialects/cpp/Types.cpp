//===- Types.cpp - types by their parts, whatever they are ----------------===//

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;

/// The name of a kind of types: `builtin.tuple`, `relay.adt`.
extern "C" MlirStringRef relayTypeName(MlirType type) {
  return wrap(unwrap(type).getAbstractType().getName());
}

/// The attributes and the types that a type is made of, in order, without what those are made of.
extern "C" void relayTypeParts(MlirType type, void *sink,
                               void (*pushAttribute)(void *sink, MlirAttribute attribute),
                               void (*pushType)(void *sink, MlirType type)) {
  unwrap(type).walkImmediateSubElements(
      [&](Attribute attribute) { pushAttribute(sink, wrap(attribute)); },
      [&](Type part) { pushType(sink, wrap(part)); });
}

/// A type of the same kind that is made of other types, as many as before.
extern "C" MlirType relayTypeWithParts(MlirType type, const MlirType *parts, intptr_t count) {
  SmallVector<Attribute> attributes;
  unwrap(type).walkImmediateSubElements([&](Attribute each) { attributes.push_back(each); },
                                        [](Type) {});
  SmallVector<Type> types;
  for (intptr_t index = 0; index < count; ++index)
    types.push_back(unwrap(parts[index]));
  return wrap(unwrap(type).replaceImmediateSubElements(attributes, types));
}

