#ifndef TIR_DIALECT_TD
#define TIR_DIALECT_TD

include "Host.td"
include "tir/Enums.td"

def Tir_Dialect : HostDialect {
  let name = "tir";
  let summary = "loop programs over buffers";
  let description = [{
    Buffers are `memref`, scalars `arith` and `math`; this dialect adds loops that know how they
    will run, blocks of an iteration space, buffers with a scope, and compile-time constants.
  }];
  let cppNamespace = "::relay_mlir::tir";
  let useDefaultAttributePrinterParser = 1;
}

def Tir_MemorySpaceAttr : EnumAttr<Tir_Dialect, Tir_Scope, "scope"> {
  let cppClassName = "MemorySpaceAttr";
  let assemblyFormat = "`<` $value `>`";
  let summary = "the scope of a buffer, as the memory space of its type";
  let description = [{
    `memref<6x16xf32, #tir.scope<local>>` is a buffer in registers or on the stack of a thread. One without a
    memory space is in memory that threads share, and is written without `#tir.scope<global>`.
  }];
}

def Tir_KernelAttr : EnumAttr<Tir_Dialect, Tir_KernelKind, "kernel"> {
  let cppClassName = "KernelAttr";
  let assemblyFormat = "`<` $value `>`";
  let summary = "the kind of kernel that a function is";
  let description = [{
    `tir.kernel = #tir.kernel<generated>` stands on a function of loops over buffers that this compiler wrote;
    `view` on a function of operators whose result has the bytes of its operand, so that no kernel is needed;
    `external` on the declaration of a kernel over buffers, its inputs and then its outputs, whose code comes from
    outside: nothing runs these yet, and executors say so.
  }];
}

class Tir_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tir_Dialect, mnemonic, !listconcat([HostVerify], traits)>;

#endif // TIR_DIALECT_TD
