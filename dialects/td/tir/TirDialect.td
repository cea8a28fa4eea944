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
}

class Tir_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tir_Dialect, mnemonic, !listconcat([HostVerify], traits)>;

#endif // TIR_DIALECT_TD
