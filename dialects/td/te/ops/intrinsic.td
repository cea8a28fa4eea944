#ifndef TE_INTRINSIC_TD
#define TE_INTRINSIC_TD

include "te/TeDialect.td"

def Te_TensorIntrinOp : Te_Op<"tensor_intrin", [IsolatedFromAbove, SingleBlock, NoTerminator]> {
  let summary = "a piece of code and the tensor expression that it computes";
  let description = [{
    `description` has the operands as tensors and one `te.compute` of them, and yields its result. `implementation` has
    a memref for each operand and one for the result. It accesses them with `memref.load`, `memref.store`,
    `vector.load`, `vector.store`, `amx.tile_load` and `amx.tile_store`. For a reduction it is one update: it adds to
    the content of the result. With the attribute `whole` it is the complete reduction, and sets the result; then no
    outer loop may belong to the reduction.

    A dimension of the stage's tensor may be several adjacent dimensions of the operand: the parts of a split.

    ```mlir
    te.tensor_intrin @dot {
    ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
      %c = te.compute "c" () sum (%k: 4) {
        %x = tensor.extract %a[%k] : tensor<4xf32>
        %y = tensor.extract %b[%k] : tensor<4xf32>
        %p = arith.mulf %x, %y : f32
        te.yield %p : f32
      } : tensor<f32>
      te.yield %c : tensor<f32>
    } implementation {
    ^bb0(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<f32>):
      ...
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, UnitAttr:$whole);
  let regions = (region SizedRegion<1>:$description, SizedRegion<1>:$implementation);
  let assemblyFormat =
      "$sym_name attr-dict-with-keyword $description `implementation` $implementation";
}

#endif // TE_INTRINSIC_TD
