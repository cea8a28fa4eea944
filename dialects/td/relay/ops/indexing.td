#ifndef RELAY_INDEXING_TD
#define RELAY_INDEXING_TD

include "relay/RelayDialect.td"

def Relay_AdvIndexOp : Relay_Op<"adv_index"> {
  let summary = "elements at places that lists of subscripts say, as numpy takes them";
  let description = [{
    The first operand are the data. Each further one has the subscripts of one dimension, from the first on, and they broadcast to one shape. The result has
    this shape, followed by the dimensions that no operand subscripts. Subscripts count from the end if negative, and are taken modulo the extent.

    - C1: there are subscripts, which are integers, and no more than dimensions.
    - C2: they broadcast.

    ```mlir
    %0 = relay.adv_index %x, %i, %j : (tensor<5x6x7xf32>, tensor<2x1xi64>, tensor<3xi64>) -> tensor<2x3x7xf32>
    ```
  }];
  let arguments = (ins Relay_Tensor:$data, Variadic<Relay_Tensor>:$indices);
  let results = (outs Relay_Tensor:$result);
}

def Relay_StridedSetOp : Relay_Op<"strided_set"> {
  let summary = "the data with other elements in a slice";
  let description = [{
    The slice begins at `begin`, ends before `end`, and has each `strides`th element of each dimension. The operands have a number for each of the first dimensions, and
    others are whole. Places count from the end if negative. `v` has the rank of the data, and the elements of the slice, in its order: those of a
    negative stride begin at the last place. A stride of 0 is one of 1. What is no place of `v` is taken modulo its extent.

    - C1: `v` has the element type and the rank of the data.
    - C2: `begin`, `end` and `strides` are vectors of integers of known extents, none longer than the rank.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$v, Relay_Tensor:$begin, Relay_Tensor:$end, Relay_Tensor:$strides);
  let results = (outs Relay_Tensor:$result);
}

def Relay_ContribReverseReshapeOp : Relay_Op<"contrib_reverse_reshape"> {
  let summary = "the data in another shape, whose numbers stand for dimensions from the last on";
  let description = [{
    `newshape` is read from its end, and its numbers stand for dimensions of the data from the last on. A positive number is an extent, 0 is the
    extent of the data's dimension, -1 what is left, -2 all further dimensions, and -3 the product of two. `allowzero` makes 0 an extent.

    - C1: the codes stand for dimensions that are there, and at most one number is -1.
    - C2: both shapes have as many elements.

    ```mlir
    %0 = relay.contrib_reverse_reshape %x {newshape = array<i64: 4, 0, 2>} : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
    ```
  }];
  let arguments = (ins Relay_Tensor:$data, DenseI64ArrayAttr:$newshape, DefaultValuedAttr<BoolAttr, "false">:$allowzero);
  let results = (outs Relay_Tensor:$result);
}

def Relay_UniqueOp : Relay_Op<"unique"> {
  let summary = "the different elements of a list";
  let description = [{
    With `sorted`, the elements come in rising order, and else as they come first. The results are: the different elements; where each of them is first; for each
    element of the data, which of the different ones it is; how many different ones there are, of shape [1]; and, with `return_counts`, how often each of them is there. The
    first, second and last are as long as the data: behind the different elements they are 0. NaN is different from all elements.
    ONNX: `Unique`.

    - C1: data are of rank 1.
  }];
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<BoolAttr, "true">:$sorted,
                   DefaultValuedAttr<BoolAttr, "false">:$return_counts);
  let results = (outs Variadic<Relay_Tensor>:$results);
}

def Relay_SparseReshapeOp : Relay_Op<"sparse_reshape"> {
  let summary = "the places of elements of a sparse tensor in another shape";
  let description = [{
    `sparse_indices` [n, r] are the subscripts of n elements in a tensor of shape `prev_shape` [r]. The results are their subscripts [n, s] in
    the shape `new_shape` [s], one of which may be -1 for what is left, and this shape.

    - C1: the operands are of integers and fit each other, and r and s are known.
    - C2: both shapes are of one element type.
  }];
  let arguments = (ins Relay_Tensor:$sparse_indices, Relay_Tensor:$prev_shape, Relay_Tensor:$new_shape);
  let results = (outs Relay_Tensor:$indices, Relay_Tensor:$shape);
}

def Relay_ArgwhereOp : Relay_Op<"argwhere"> {
  let summary = "the subscripts of the elements that are not zero";
  let description = [{
    The result has a row of i32 for each such element, in memory order. How many these are is known when the model runs. `dynamic-to-static` makes
    `relay.nonzero` of it, whose number `relay.dim_of` names. NaN is not zero.

    - C1: data are of rank 1 or more.

    ```mlir
    %0 = relay.argwhere %x : (tensor<2x3xf32>) -> tensor<?x2xi32>
    ```
  }];
  let arguments = (ins Relay_Tensor:$condition);
  let results = (outs Relay_Tensor:$result);
}

def Relay_SparseFillEmptyRowsOp : Relay_Op<"sparse_fill_empty_rows"> {
  let summary = "a sparse tensor with an element in each row that had none";
  let description = [{
    `sparse_indices` [n, r] are the subscripts of n elements in a tensor of shape `dense_shape` [r], in rising order of rows, and
    `sparse_values` [n] the elements. A row without any gets the element `default_value` in its first place. The results are subscripts and elements
    of the tensor that it becomes, and a number for each row: 1 if it had no elements, else 0. How many elements there are is known when the model
    runs: `dynamic-to-static` names their number, if `dense_shape` can be computed at compile time.

    - C1: subscripts and `dense_shape` are of i64 and fit each other, and r is known and at least 1.
    - C2: there are as many values as subscripts, and the default is one of their type.
  }];
  let arguments = (ins Relay_Tensor:$sparse_indices, Relay_Tensor:$sparse_values, Relay_Tensor:$dense_shape,
                   Relay_Tensor:$default_value);
  let results = (outs Relay_Tensor:$indices, Relay_Tensor:$values, Relay_Tensor:$is_empty);
}

#endif // RELAY_INDEXING_TD
