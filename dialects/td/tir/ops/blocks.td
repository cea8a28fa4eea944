#ifndef TIR_BLOCKS_TD
#define TIR_BLOCKS_TD

include "tir/TirDialect.td"

def Tir_BlockOp : Tir_Op<"block", [SingleBlock, NoTerminator, RecursiveMemoryEffects,
                                   DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a computation at one point of an iteration space";
  let description = [{
    The arguments of `body` are its iteration variables; `bindings` are their values, functions of
    the loops around. `iter_types` says of each variable whether it is `spatial`, so that each of its
    values computes elements of its own, or `reduce`, so that its values add to the same ones.
    `init`, which sees the same variables, runs before the body where all reduce variables are 0: it sets
    what the body adds to. `axes` are the variables' names, for people. TVM: `tir.Block`, whose read and
    write regions follow here from the loads and stores.

    ```mlir
    tir.block "sum" (%vi = %i spatial, %vk = %k reduce) {
      %x = memref.load %a[%vi, %vk] : memref<4x8xf32>
      %old = memref.load %b[%vi] : memref<4xf32>
      %new = arith.addf %old, %x : f32
      memref.store %new, %b[%vi] : memref<4xf32>
    } init {
      memref.store %zero, %b[%vi] : memref<4xf32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<Index>:$bindings,
                   TypedArrayAttrBase<Tir_IterType, "iteration types">:$iter_types,
                   OptionalAttr<StrArrayAttr>:$axes);
  let regions = (region SizedRegion<1>:$body, AnyRegion:$init);
  let hasCustomAssemblyFormat = 1;
}

#endif // TIR_BLOCKS_TD
