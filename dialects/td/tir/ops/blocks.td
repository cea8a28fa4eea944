#ifndef TIR_BLOCKS_TD
#define TIR_BLOCKS_TD

include "tir/TirDialect.td"

def Tir_BlockOp : Tir_Op<"block", [SingleBlock, NoTerminator, RecursiveMemoryEffects,
                                   DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a computation at one point of an iteration space";
  let description = [{
    The arguments of `body` are its iteration variables. `bindings` are their values, functions of the outer loops.
    `iter_types` gives the kind of each variable: each value of a `spatial` one computes separate elements, and the
    values of a `reduce` one update the same elements. `init` sees the same variables. It runs before the body, if all
    reduce variables are 0, and initialises the reduction. `axes` are the variables' names, for people.

    In the body, `tir.where` is the condition of the block, and `tir.reads` and `tir.writes` are its accessed regions. A
    block without `tir.where` runs at every point. For a block without `tir.reads` and `tir.writes`, its loads and
    stores define the regions. TVM: `tir.BlockRealize` for the bindings and the condition, `tir.Block` for the rest.

    - C1: there is one binding for each iteration type, and for each argument, of type `index`, of both regions
    - C2: a block with an `init` has a reduce variable
    - C3: a block with `tir.reads` has one for each buffer that it loads from; with an `init`, a buffer of its
      `tir.writes` needs none
    - C4: a block with `tir.writes` has one for each buffer that it stores to

    ```mlir
    tir.block "sum" (%vi = %i spatial, %vk = %k reduce) {
      tir.where %inside
      tir.reads %a[%vi, %vk] : memref<4x8xf32>
      tir.writes %b[%vi] : memref<4xf32>
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

def Tir_WhereOp : Tir_Op<"where", [HasParent<"BlockOp">]> {
  let summary = "the condition under which a block runs, its init too";
  let description = [{
    It is a condition on the outer loops, for example of an imperfect split. TVM: `T.where`.

    - C1: the condition is a value from outside of the block
    - C2: a block has one `tir.where` at most
  }];
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
}

class Tir_Touches<string mnemonic, string doc> : Tir_Op<mnemonic, [HasParent<"BlockOp">]> {
  let summary = doc;
  let description = [{
    The region is a box. Its first subscripts are affine expressions of the block's variables and of outer values.
    `extents` are the numbers of subscripts from there on, 1 by default. If a box extends beyond the buffer, the region
    is its part inside: the block has conditions of its own. Several ops may describe one buffer. A region may be larger
    than the accessed elements, but not smaller.

    - C1: there is a subscript, and an extent, for each dimension of the buffer; extents are positive, and no larger
      than the dimension
    - C2: the buffer is from outside of the block

    ```mlir
    tir.reads %data[%vy + %vr, 0] extents [1, 8] : memref<10x8xf32>
    ```
  }];
  let arguments = (ins AnyMemRef:$buffer, Variadic<Index>:$values, AffineMapAttr:$first,
                   OptionalAttr<DenseI64ArrayAttr>:$extents);
  let assemblyFormat =
      "$buffer `` custom<Subscripts>($values, $first) (`extents` $extents^)? attr-dict `:` type($buffer)";
}

def Tir_ReadsOp : Tir_Touches<"reads", "a region of a buffer that a block reads">;
def Tir_WritesOp : Tir_Touches<"writes", "a region of a buffer that a block writes">;

#endif // TIR_BLOCKS_TD
