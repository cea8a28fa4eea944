#ifndef TE_COMPUTE_TD
#define TE_COMPUTE_TD

include "te/TeDialect.td"

def Te_ComputeOp : Te_Op<"compute", [Pure, SingleBlock]> {
  let summary = "tensors given by a scalar expression of their indices";
  let description = [{
    The region `body` has one `index` argument per dimension of the result, then one per entry of
    `reduce_extents`. It yields one scalar per result. Tensors are captured from above and read
    with `tensor.extract`.

    With reduce axes, the yielded values are combined by `reducer`: `sum`, `prod`, `max`, `min`,
    `all`, `any`, or `custom`. For `custom` the region `combiner` takes the accumulated values and
    the new ones and yields the combined ones, and `identity` holds the start values; with several
    results this is a tuple reduction such as argmax. The combiner must be associative and
    commutative.

    - C1: all results have the same static shape
    - C2: the block arguments are one `index` per result dimension and per reduce extent
    - C3: the yielded types are the element types of the results
    - C4: `reducer` is one of the names above exactly if there are reduce axes
    - C5: `custom` has a combiner region and one identity per result

    ```mlir
    // matmul
    %c = te.compute "c" reduce [64] "sum" {
    ^bb0(%i: index, %j: index, %k: index):
      %x = tensor.extract %a[%i, %k] : tensor<32x64xf32>
      %y = tensor.extract %b[%k, %j] : tensor<64x16xf32>
      %p = arith.mulf %x, %y : f32
      te.yield %p : f32
    } : tensor<32x16xf32>
    ```
  }];
  let arguments = (ins StrAttr:$name, DenseI64ArrayAttr:$reduce_extents, StrAttr:$reducer,
                   OptionalAttr<ArrayAttr>:$identity, OptionalAttr<StrAttr>:$tag);
  let results = (outs Variadic<AnyTensor>:$results);
  let regions = (region SizedRegion<1>:$body, MaxSizedRegion<1>:$combiner);
  let assemblyFormat = [{
    $name `reduce` $reduce_extents $reducer attr-dict-with-keyword $body
    (`combiner` $combiner^)? `:` type($results)
  }];
}

def Te_YieldOp : Te_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "ends the regions of `te.compute`";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "$operands attr-dict `:` type($operands)";
}

#endif // TE_COMPUTE_TD
