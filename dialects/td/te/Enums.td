#ifndef TE_ENUMS_TD
#define TE_ENUMS_TD

include "mlir/IR/EnumAttr.td"

class Te_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::relay_mlir::te";
}

def Te_Reducer : Te_Enum<"Reducer", "how values along reduce axes are combined", [
  I32EnumAttrCase<"Sum", 0, "sum">,
  I32EnumAttrCase<"Prod", 1, "prod">,
  I32EnumAttrCase<"Max", 2, "max">,
  I32EnumAttrCase<"Min", 3, "min">,
  I32EnumAttrCase<"All", 4, "all">,
  I32EnumAttrCase<"Any", 5, "any">,
  I32EnumAttrCase<"Custom", 6, "custom">
]>;

def Te_Pragma : Te_Enum<"Pragma", "what passes on loops are to do with one", [
  I32EnumAttrCase<"AutoUnrollMaxStep", 0, "auto_unroll_max_step">,
  I32EnumAttrCase<"UnrollExplicit", 1, "unroll_explicit">,
  I32EnumAttrCase<"LoopPartitionHint", 2, "loop_partition_hint">
]>;

#endif // TE_ENUMS_TD
