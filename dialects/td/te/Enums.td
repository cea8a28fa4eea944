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

def Te_Role : Te_Enum<"Role", "the role of a stage, by which schedules choose a template", [
  I32EnumAttrCase<"Pad", 0, "pad">,
  I32EnumAttrCase<"Widen", 1, "widen">,
  I32EnumAttrCase<"Conv", 2, "conv">,
  I32EnumAttrCase<"DepthwiseConv", 3, "depthwise_conv">,
  I32EnumAttrCase<"PackedConv", 4, "packed_conv">,
  I32EnumAttrCase<"PackedDepthwiseConv", 5, "packed_depthwise_conv">,
  I32EnumAttrCase<"Matmul", 6, "matmul">,
  I32EnumAttrCase<"PackedDense", 7, "packed_dense">,
  I32EnumAttrCase<"Pool", 8, "pool">,
  I32EnumAttrCase<"WinogradDataColumns", 9, "winograd_data_columns">,
  I32EnumAttrCase<"WinogradData", 10, "winograd_data">,
  I32EnumAttrCase<"WinogradProduct", 11, "winograd_product">,
  I32EnumAttrCase<"WinogradResultColumns", 12, "winograd_result_columns">,
  I32EnumAttrCase<"WinogradResult", 13, "winograd_result">,
  I32EnumAttrCase<"Words", 14, "words">,
  I32EnumAttrCase<"BlockSums", 15, "block_sums">,
  I32EnumAttrCase<"DenseBlocks", 16, "dense_blocks">
]>;

def Te_Cache : Te_Enum<"Cache", "a cache of the core that runs a loop", [
  I32EnumAttrCase<"First", 0, "l1">,
  I32EnumAttrCase<"Second", 1, "l2">
]>;

#endif // TE_ENUMS_TD
