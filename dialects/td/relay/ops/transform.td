#ifndef RELAY_TRANSFORM_TD
#define RELAY_TRANSFORM_TD

include "relay/RelayDialect.td"

def Relay_ReshapeOp : Relay_Op<"reshape"> {
  let summary = "the elements under another shape";
  let description = [{
    The elements keep their order, row by row. `newshape` holds the dimensions; one of them may be
    -1: what is left. A 0 is a dimension without elements (TVM's `allowzero`). ONNX: `Reshape`.

    - C1: `newshape` holds one -1 at most, and no other negative number.
    - C2: both shapes have the same number of elements.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Extents:$newshape);
  let results = (outs Relay_Tensor:$result);
}

def Relay_ViewAsOp : Relay_Op<"view_as"> {
  let summary = "the same elements under a shape that a model computes";
  let description = [{
    As `relay.reshape`, but nothing is known of the number of elements of `newshape`: a `relay.dim_of` before has checked
    that it is that of the operand. ONNX: `Reshape`, with a shape that is computed when the model runs.

    - C1: `newshape` holds no negative number.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Extents:$newshape);
  let results = (outs Relay_Tensor:$result);
}

def Relay_TransposeOp : Relay_Op<"transpose"> {
  let summary = "axes in another order: dimension i of the result is axes[i] of the operand";
  let description = [{
    ONNX: `Transpose`.

    - C1: `axes` holds each axis from 0 to the rank once.
  }];
  let arguments = (ins Relay_Tensor:$data, DenseI64ArrayAttr:$axes);
  let results = (outs Relay_Tensor:$result);
}

def Relay_SqueezeOp : Relay_Op<"squeeze"> {
  let summary = "without the given dimensions, which are 1";
  let description = [{
    Axes count from the end if negative. If `axis` is empty, the data stays as it is. ONNX:
    `Squeeze`.

    - C1: the axes are within the rank, and each is given once.
    - C2: their dimensions are 1.
  }];
  let arguments = (ins Relay_Tensor:$data, DenseI64ArrayAttr:$axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_ExpandDimsOp : Relay_Op<"expand_dims"> {
  let summary = "with num_newaxis dimensions of 1 before dimension axis";
  let description = [{
    A negative `axis` counts from the end of the result for one new dimension: -1 is behind the last
    dimension. `num_newaxis` is 1 by default. ONNX: `Unsqueeze`.

    - C1: `axis` is from -rank - 1 to rank.
    - C2: `num_newaxis` is from 0 to 64.
  }];
  let arguments = (ins Relay_Tensor:$data, I64Attr:$axis, DefaultValuedAttr<I64Attr, "1">:$num_newaxis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_ConcatenateOp : Relay_Op<"concatenate"> {
  let summary = "operands one after the other along axis";
  let description = [{
    `axis` counts from the end if negative. ONNX: `Concat`.

    - C1: there is at least one operand.
    - C2: `axis` is within the rank.
    - C3: ranks are equal, and so are the dimensions but `axis`.
    - C4: the element types are equal.
  }];
  let arguments = (ins Variadic<Relay_Tensor>:$data, I64Attr:$axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_SplitOp : Relay_Op<"split"> {
  let summary = "parts along axis, cut before the given subscripts";
  let description = [{
    The parts lie between the subscripts: `indices` = [2, 5] makes parts of the elements 0 and 1, 2
    to 4, and the rest. `axis` counts from the end if negative. ONNX: `Split`.

    - C1: `axis` is within the rank.
    - C2: `indices` do not descend, and are from 0 to the extent.
  }];
  let arguments = (ins Relay_Tensor:$data, DenseI64ArrayAttr:$indices, I64Attr:$axis);
  let results = (outs Variadic<Relay_Tensor>:$results);
}

def Relay_StridedSliceOp : Relay_Op<"strided_slice"> {
  let summary = "elements begin, begin + stride, ... before end along some axes";
  let description = [{
    `begin`, `end` and `strides` hold a number for each of `axes`; the other dimensions stay. Bounds
    count from the end if negative and are cut to the dimension, as in numpy; so do axes. With a
    negative stride the slice goes down from `begin` to after `end`. A bound may be a form of open dimensions that is
    never negative. ONNX: `Slice`.

    - C1: the four lists are of the same length.
    - C2: the axes are within the rank, and each is given once.
    - C3: no stride is 0.
    - C4: no form may be negative.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Extents:$begin, Relay_Extents:$end, DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$axes);
  let results = (outs Relay_Tensor:$result);
}

def Relay_TakeOp : Relay_Op<"take"> {
  let summary = "slices of data along axis, chosen by indices";
  let description = [{
    The dimensions of `indices` replace dimension `axis`, which counts from the end if negative: result[i, j, k] =
    data[i, indices[j], k] for `axis` = 1. `mode` handles a subscript out of range: `clip`, the default, moves it to the
    nearest element; `wrap` takes it modulo the extent; `fast` leaves it undefined. ONNX: `Gather`.

    - C1: the indices are integers.
    - C2: `axis` is within the rank.
    - C3: `mode` is one of the three.
    - C4: if there are indices, there are elements along `axis`.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$indices, I64Attr:$axis, DefaultValuedAttr<StrAttr, "\"clip\"">:$mode);
  let results = (outs Relay_Tensor:$result);
}

def Relay_BroadcastToOp : Relay_Op<"broadcast_to"> {
  let summary = "data repeated to a shape";
  let description = [{
    Shapes are aligned at their last dimension; a dimension of 1, or one that is missing, is
    repeated. ONNX: `Expand`.

    - C1: no dimension in `shape` is negative.
    - C2: each dimension of the data is that of `shape`, or 1.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Extents:$shape);
  let results = (outs Relay_Tensor:$result);
}

def Relay_TileOp : Relay_Op<"tile"> {
  let summary = "data repeated reps[i] times along axis i";
  let description = [{
    ONNX: `Tile`.

    - C1: `reps` holds a number of at least 0 per dimension.
  }];
  let arguments = (ins Relay_Tensor:$data, DenseI64ArrayAttr:$reps);
  let results = (outs Relay_Tensor:$result);
}

def Relay_LayoutTransformOp : Relay_Op<"layout_transform"> {
  let summary = "the same tensor in another layout";
  let description = [{
    A layout names dimensions by letters. A lower-case letter with a factor is the inner part of the dimension with the
    same letter, a block: `NCHW16c`. `alter-op-layout` inserts this operator.

    - C1: both are layouts: no letter twice, each block with a factor and an outer part.
    - C2: both name the same dimensions; the data has the rank and the blocks of `src_layout`; the
      factors of `dst_layout` divide the extents.
  }];
  let arguments = (ins Relay_Tensor:$data, StrAttr:$src_layout, StrAttr:$dst_layout);
  let results = (outs Relay_Tensor:$result);
}

def Relay_StackOp : Relay_Op<"stack"> {
  let summary = "operands one after the other along a new axis";
  let description = [{
    - C1: there is at least one operand, and all have the same type.
    - C2: `axis` is one of the result, which has one dimension more than the operands; it counts from
      the end if negative.
  }];
  let arguments = (ins Variadic<Relay_Tensor>:$data, DefaultValuedAttr<I64Attr, "0">:$axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_GatherOp : Relay_Op<"gather"> {
  let summary = "elements of data along axis, chosen by indices: one for each index";
  let description = [{
    For `axis` = 1 of three: result[i, j, k] = data[i, indices[i, j, k], k]. A subscript is taken
    modulo the extent, so that -1 is the last one, and no element outside is read. ONNX:
    `GatherElements`.

    - C1: the indices are integers of the rank of `data`.
    - C2: `axis` is one of them; along it, data and indices have at least one element each.
    - C3: the other dimensions are equal.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$indices, I64Attr:$axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_FullOp : Relay_Op<"full"> {
  let summary = "a tensor of equal elements";
  let description = [{
    `dtype` is the type of the elements, to which the fill value is converted; without, they have
    its type.

    - C1: `fill_value` is of rank 0.
    - C2: no dimension in `shape` is negative.
    - C3: `dtype` is a number type.
  }];
  let arguments = (ins Relay_Tensor:$fill_value, Relay_Extents:$shape,
                   OptionalAttr<TypeAttr>:$dtype);
  let results = (outs Relay_Tensor:$result);
}

def Relay_ArangeOp : Relay_Op<"arange"> {
  let summary = "a number, the number and a step, the number and two steps, and so on";
  let description = [{
    `count` holds one dimension, which is that of the result. result[i] = start + i * step. TVM: `arange`, with an end in the
    place of a count. ONNX: `Range`.

    - C1: `start` and `step` are of rank 0 and of one element type.
    - C2: `count` is one dimension, and no negative number.
  }];
  let arguments = (ins Relay_Tensor:$start, Relay_Tensor:$step, Relay_Extents:$count);
  let results = (outs Relay_Tensor:$result);
}

def Relay_FullLikeOp : Relay_Op<"full_like"> {
  let summary = "equal elements, in a tensor of the type of data";
  let description = [{
    The fill value is converted to data's element type.

    - C1: `fill_value` is of rank 0.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$fill_value);
  let results = (outs Relay_Tensor:$result);
}

// A tensor made of nothing but its type.
class Relay_InitOp<string mnemonic, string doc> : Relay_Op<mnemonic> {
  let summary = doc;
  let description = [{
    - C2: no dimension in `shape` is negative.
    - C3: `dtype` is a number type.
  }];
  let arguments = (ins Relay_Extents:$shape, TypeAttr:$dtype);
  let results = (outs Relay_Tensor:$result);
}

def Relay_ZerosOp : Relay_InitOp<"zeros", "a tensor of zeros">;
def Relay_OnesOp : Relay_InitOp<"ones", "a tensor of ones">;
def Relay_ZerosLikeOp : Relay_UnaryOp<"zeros_like", "zeros, in a tensor of the type of data">;
def Relay_OnesLikeOp : Relay_UnaryOp<"ones_like", "ones, in a tensor of the type of data">;

def Relay_IotaOp : Relay_Op<"iota"> {
  let summary = "the subscript of each element along an axis";
  let description = [{
    The element at `[i0, i1, ...]` is the subscript `i` of the axis, as a number of type `dtype`. What it stands for in other
    frameworks is a range from 0 on, broadcast to a shape; the extents may be forms of open dimensions.

    - C1: `axis` is in range.
    - C2: no dimension in `shape` is negative.
    - C3: `dtype` is a number type.
  }];
  let arguments = (ins Relay_Extents:$shape, I64Attr:$axis, TypeAttr:$dtype);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_TRANSFORM_TD
