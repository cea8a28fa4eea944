#ifndef TE_DIALECT_TD
#define TE_DIALECT_TD

include "Host.td"
include "te/Enums.td"
include "tir/Enums.td"

def Te_Dialect : HostDialect {
  let name = "te";
  let summary = "tensor expressions and their schedules";
  let description = [{
    `te.compute` defines each element of a tensor. `te.schedule` defines the loops that compute it. The two are
    separate: a schedule never changes a value.
  }];
  let cppNamespace = "::relay_mlir::te";
  let useDefaultTypePrinterParser = 1;
}

def Te_StageType : TypeDef<Te_Dialect, "Stage"> {
  let mnemonic = "stage";
  let summary = "handle of the loops that compute one tensor";
}

def Te_AxisType : TypeDef<Te_Dialect, "Axis"> {
  let mnemonic = "axis";
  let summary = "handle of one loop of a stage";
}

class Te_Op<string mnemonic, list<Trait> traits = []>
    : Op<Te_Dialect, mnemonic, !listconcat([HostVerify], traits)>;

/// The loops of the stages: primitives change them, and handles are taken of what they are at that point. Both have an
/// effect on them, so that no pass drops a primitive before `lower-te` has checked it.
def Te_Loops : Resource<"::relay_mlir::te::Loops">;

def Te_ChangesLoops : MemoryEffects<[MemWrite<Te_Loops>]>;

#endif // TE_DIALECT_TD
