#ifndef TIR_BLOCKS_TD
#define TIR_BLOCKS_TD

include "tir/TirDialect.td"

def Tir_BlockOp : Tir_Op<"block", [SingleBlock, NoTerminator, RecursiveMemoryEffects]> {
  let summary = "a computation at one point of an iteration space";
  let description = [{
    The arguments of `body` are its iteration variables; `bindings` are their values, functions of
    the loops around. `iter_types` says of each variable whether it is `spatial`, so that each of its
    values computes elements of its own, or `reduce`, so that its values add to the same ones.
    `init`, with the same arguments, runs before the body where all reduce variables are 0: it sets
    what the body adds to. TVM: `tir.Block`, whose read and write regions follow here from the loads
    and stores.

    ```mlir
    tir.block "sum" (%i, %k) ["spatial", "reduce"] {
    ^bb0(%vi: index, %vk: index):
      %x = memref.load %a[%vi, %vk] : memref<4x8xf32>
      %old = memref.load %b[%vi] : memref<4xf32>
      %new = arith.addf %old, %x : f32
      memref.store %new, %b[%vi] : memref<4xf32>
    } init {
    ^bb0(%vi: index, %vk: index):
      memref.store %zero, %b[%vi] : memref<4xf32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<Index>:$bindings, StrArrayAttr:$iter_types);
  let regions = (region SizedRegion<1>:$body, AnyRegion:$init);
  let assemblyFormat =
      "$name `(` $bindings `)` $iter_types attr-dict-with-keyword $body (`init` $init^)?";
}

#endif // TIR_BLOCKS_TD
