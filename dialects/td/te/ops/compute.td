#ifndef TE_COMPUTE_TD
#define TE_COMPUTE_TD

include "te/TeDialect.td"

def Te_ComputeOp : Te_Op<"compute", [RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames", "getAsmResultNames"]>]> {
  let summary = "tensors given by a scalar expression of their indices";
  let description = [{
    The text has the spatial axes, one for each dimension of the results, and, after the reducer, the reduce axes, each
    with its extent. The region `body` has one `index` argument for each axis, in this order, and yields one scalar per
    result. It captures tensors from above and reads them with `tensor.extract`. `axes` are the axes' names, for people
    and for the loops.

    `role`, written after `as`, is the purpose of the stage. Schedules choose a template by the role, not by the stage's
    name. The computation decides for a stage without a role.

    `reducer` combines the values along reduce axes: `sum`, `prod`, `max`, `min`, `all`, `any`, or `custom`. For
    `custom`, the region `combiner` takes the accumulated values and the new ones and yields the combined ones, and
    `identity` has the initial values. With several results this is a tuple reduction such as argmax. The combiner must
    be associative and commutative.

    An extent is a number, or the text of a form of symbols for an open dimension: `(%i: "n", %j: 16)`. `te.extent` is the
    value of such a form, for the arithmetic in the region.

    - C1: all results have the same shape, and every open dimension is named
    - C2: the block arguments are one `index` per result dimension and per reduce extent, and no extent
      is negative
    - C3: the yielded types are the element types of the results
    - C4: there is a `reducer` exactly if there are reduce axes
    - C5: `custom` has a combiner region and one identity per result

    ```mlir
    %matmul = te.compute "matmul" (%i: 32, %j: 16) sum (%k: 64) {
      %x = tensor.extract %a[%i, %k] : tensor<32x64xf32>
      %y = tensor.extract %b[%k, %j] : tensor<64x16xf32>
      %p = arith.mulf %x, %y : f32
      te.yield %p : f32
    } : tensor<32x16xf32>

    %doubled = te.compute "doubled" (%i: 32, %j: 16) {
      %x = tensor.extract %matmul[%i, %j] : tensor<32x16xf32>
      %y = arith.addf %x, %x : f32
      te.yield %y : f32
    } : tensor<32x16xf32>
    ```
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<StrArrayAttr>:$axes, ArrayAttr:$reduce_extents,
                   OptionalAttr<Te_Reducer>:$reducer, OptionalAttr<ArrayAttr>:$identity,
                   OptionalAttr<Te_Role>:$role);
  let results = (outs Variadic<AnyTensor>:$results);
  let regions = (region SizedRegion<1>:$body, MaxSizedRegion<1>:$combiner);
  let hasCustomAssemblyFormat = 1;
}

def Te_ExtentOp : Te_Op<"extent", [Pure]> {
  let summary = "the value of a form of symbols";
  let description = [{
    The symbols are those that types name. Their values are known when the model runs.

    - C1: `form` is a form of symbols

    ```mlir
    %0 = te.extent "2*n + 1"
    ```
  }];
  let arguments = (ins StrAttr:$form);
  let results = (outs Index:$value);
  let assemblyFormat = "$form attr-dict";
}

def Te_YieldOp : Te_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "ends the regions of `te.compute`";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "$operands attr-dict `:` type($operands)";
}

def Te_ExternOp : Te_Op<"extern", [Pure, SingleBlock, NoTerminator,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "tensors that a loop program fills";
  let description = [{
    The region has a memref for each input, and then one for each result, which it fills with `tir` loops, loads and
    stores. Results may have different shapes. A schedule does not change the op. Its inputs and results are complete
    tensors in memory.

    - C1: the region's arguments are memrefs of the inputs' and results' shapes and element types

    ```mlir
    %b = te.extern "reverse" (%a) {
    ^bb0(%in: memref<8xf32>, %out: memref<8xf32>):
      ...
    } : (tensor<8xf32>) -> tensor<8xf32>
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyTensor>:$inputs);
  let results = (outs Variadic<AnyTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat =
      "$name `(` $inputs `)` attr-dict-with-keyword $body `:` functional-type($inputs, $results)";
}

def Te_ScanOp : Te_Op<"scan", [RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "tensors with time as the first dimension: each step follows from earlier steps";
  let description = [{
    `init` has the first steps of each state. For the later steps, the region has one tensor per state, then one `index`
    per dimension of a state, the time first. It yields one scalar per state, and reads the states at earlier times with
    `tensor.extract`.

    - C1: states have one shape, and `init` the same but for the first dimension, where it is shorter
    - C2: the block arguments are one tensor per state and one `index` per dimension
    - C3: the yielded types are the element types of the states
    - C4: states are read at `time - n`, where n is from 1 to the number of steps in `init`

    ```mlir
    // Running sums of columns.
    %s = te.scan "sums" (%first) {
    ^bb0(%state: tensor<16x8xf32>, %t: index, %i: index):
      %last = arith.subi %t, %c1 : index
      %x = tensor.extract %state[%last, %i] : tensor<16x8xf32>
      %y = tensor.extract %a[%t, %i] : tensor<16x8xf32>
      %z = arith.addf %x, %y : f32
      te.yield %z : f32
    } : (tensor<1x8xf32>) -> tensor<16x8xf32>
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyTensor>:$init);
  let results = (outs Variadic<AnyTensor>:$states);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat =
      "$name `(` $init `)` attr-dict-with-keyword $body `:` functional-type($init, $states)";
}

#endif // TE_COMPUTE_TD
