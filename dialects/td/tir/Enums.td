#ifndef TIR_ENUMS_TD
#define TIR_ENUMS_TD

include "mlir/IR/EnumAttr.td"

// Enums are kept as 32-bit integers, which every reader of attributes understands, and written as keywords.
// `dialects/src/tir/enums.rs` and `dialects/src/te/enums.rs` name them in Rust.

class Tir_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::relay_mlir::tir";
}

def Tir_LoopKind : Tir_Enum<"LoopKind", "how a loop runs", [
  I32EnumAttrCase<"Serial", 0, "serial">,
  I32EnumAttrCase<"Parallel", 1, "parallel">,
  I32EnumAttrCase<"Vectorized", 2, "vectorized">,
  I32EnumAttrCase<"Unrolled", 3, "unrolled">,
  I32EnumAttrCase<"ThreadBinding", 4, "thread_binding">
]>;

def Tir_Thread : Tir_Enum<"Thread", "an axis of a grid of threads", [
  I32EnumAttrCase<"BlockX", 0, "blockIdx.x">,
  I32EnumAttrCase<"BlockY", 1, "blockIdx.y">,
  I32EnumAttrCase<"BlockZ", 2, "blockIdx.z">,
  I32EnumAttrCase<"ThreadX", 3, "threadIdx.x">,
  I32EnumAttrCase<"ThreadY", 4, "threadIdx.y">,
  I32EnumAttrCase<"ThreadZ", 5, "threadIdx.z">,
  I32EnumAttrCase<"Virtual", 6, "vthread">
]>;

def Tir_Scope : Tir_Enum<"Scope", "the memory that a buffer lies in", [
  I32EnumAttrCase<"Global", 0, "global">,
  I32EnumAttrCase<"Local", 1, "local">,
  I32EnumAttrCase<"Shared", 2, "shared">,
  I32EnumAttrCase<"Fragment", 3, "fragment">
]>;

def Tir_IterType : Tir_Enum<"IterType", "what an iteration variable of a block does", [
  I32EnumAttrCase<"Spatial", 0, "spatial">,
  I32EnumAttrCase<"Reduce", 1, "reduce">
]>;

def Tir_KernelKind : Tir_Enum<"KernelKind", "who makes a kernel", [
  I32EnumAttrCase<"Generated", 0, "generated">,
  I32EnumAttrCase<"View", 1, "view">,
  I32EnumAttrCase<"External", 2, "external">
]>;

#endif // TIR_ENUMS_TD
