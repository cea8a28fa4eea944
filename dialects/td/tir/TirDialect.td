#ifndef TIR_DIALECT_TD
#define TIR_DIALECT_TD

include "Host.td"
include "tir/Enums.td"

def Tir_Dialect : HostDialect {
  let name = "tir";
  let summary = "loop programs over buffers";
  let description = [{
    Buffers are `memref`, scalars `arith` and `math`. This dialect adds loops with a kind of execution, blocks of an
    iteration space, buffers with a scope, and compile-time constants.
  }];
  let cppNamespace = "::relay_mlir::tir";
  let useDefaultAttributePrinterParser = 1;
}

def Tir_MemorySpaceAttr : EnumAttr<Tir_Dialect, Tir_Scope, "scope"> {
  let cppClassName = "MemorySpaceAttr";
  let assemblyFormat = "`<` $value `>`";
  let summary = "the scope of a buffer, as the memory space of its type";
  let description = [{
    `memref<6x16xf32, #tir.scope<local>>` is a buffer in a thread's registers or on its stack. A buffer without a memory
    space is in memory that threads share; `#tir.scope<global>` is not written.
  }];
}

def Tir_KernelAttr : EnumAttr<Tir_Dialect, Tir_KernelKind, "kernel"> {
  let cppClassName = "KernelAttr";
  let assemblyFormat = "`<` $value `>`";
  let summary = "the kind of kernel that a function is";
  let description = [{
    `tir.kernel = #tir.kernel<generated>` marks a function of loops over buffers that this compiler wrote.

    `view` marks a function of operators that returns the bytes of its operand in another shape, so it needs no kernel.

    `external` marks the declaration of a kernel over buffers, its inputs and then its outputs. An external code
    generator writes its code, and executors call it like a generated kernel.
  }];
}

class Tir_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tir_Dialect, mnemonic, !listconcat([HostVerify], traits)>;

#endif // TIR_DIALECT_TD
