#ifndef RELAY_SHAPING_TD
#define RELAY_SHAPING_TD

include "relay/RelayDialect.td"

def Relay_ReverseOp : Relay_Op<"reverse"> {
  let summary = "the elements along axis from the last one to the first";
  let description = [{
    `axis` counts from the end if negative. ONNX writes it as a `Slice` with a step of -1.

    - C1: `axis` is within the rank.
  }];
  let arguments = (ins Relay_Tensor:$data, I64Attr:$axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_RepeatOp : Relay_Op<"repeat"> {
  let summary = "each slice along axis as often as repeats says, one after the other";
  let description = [{
    `axis` counts from the end if negative. Of [1, 2] with two `repeats` it makes [1, 1, 2, 2].

    - C1: `axis` is within the rank.
    - C2: `repeats` is at least 1.
  }];
  let arguments = (ins Relay_Tensor:$data, I64Attr:$repeats, I64Attr:$axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_OneHotOp : Relay_Op<"one_hot"> {
  let summary = "on_value at the places that indices say along a new axis, off_value at all others";
  let description = [{
    The new dimension `depth` is before dimension `axis`; -1 is behind the last one. An index that is negative or not below
    `depth` has `off_value` everywhere. The numbers are converted to `dtype`. ONNX: `OneHot`.

    - C1: `indices` are integers.
    - C2: `on_value` and `off_value` are of rank 0.
    - C3: `axis` is from -1 to the rank.
    - C4: `depth` is at least 1.
    - C5: `dtype` is a number type.
  }];
  let arguments = (ins Relay_Tensor:$indices, Relay_Tensor:$on_value, Relay_Tensor:$off_value, I64Attr:$depth,
                   DefaultValuedAttr<I64Attr, "-1">:$axis, TypeAttr:$dtype);
  let results = (outs Relay_Tensor:$result);
}

def Relay_GatherNdOp : Relay_Op<"gather_nd"> {
  let summary = "the slices of data at lists of subscripts, which are the columns of indices";
  let description = [{
    Indices [m, y0, y1, ...] say a list of m subscripts for each place of the result, which is [y0, y1, ...] and behind it
    the dimensions of `data` that have no subscript. The first `batch_dims` of the y are also the first dimensions of
    `data`, and the subscripts are those of the dimensions behind. Negative subscripts count from the end, and all wrap.
    ONNX: `GatherND`, with the lists in the last dimension.

    - C1: `indices` are integers, of rank 1 at least.
    - C2: data have `batch_dims` and `m` dimensions at least, of which the first are those of the places.
    - C3: no dimension that has a subscript is without elements, unless there are no places.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$indices, DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let results = (outs Relay_Tensor:$result);
}

def Relay_ReverseSequenceOp : Relay_Op<"reverse_sequence"> {
  let summary = "the first elements of each sequence in reverse order";
  let description = [{
    `seq_lengths` has a number for each place of `batch_axis`. Of the elements along `seq_axis`, so many are reversed, and the
    others stay. ONNX: `ReverseSequence`.

    - C1: the axes are within the rank, and differ.
    - C2: `seq_lengths` are integers, one for each place of `batch_axis`.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$seq_lengths, DefaultValuedAttr<I64Attr, "1">:$seq_axis,
                   DefaultValuedAttr<I64Attr, "0">:$batch_axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_SequenceMaskOp : Relay_Op<"sequence_mask"> {
  let summary = "a number in the place of the elements behind each sequence";
  let description = [{
    `axis` is 0 or 1: the one of the first two dimensions that is time. The other one is the batch, for each place of which
    `valid_length` has a number: elements from there on are `mask_value`.

    - C1: `axis` is 0 or 1, and the rank is at least 2.
    - C2: `valid_length` are integers, one for each place of the batch.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$valid_length, DefaultValuedAttr<F64Attr, "0.0">:$mask_value,
                   DefaultValuedAttr<I64Attr, "0">:$axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_SliceLikeOp : Relay_Op<"slice_like"> {
  let summary = "the first elements along axes, as many as another tensor has there";
  let description = [{
    `axes` count from the end if negative; without any, they are all axes. The elements of `shape_like` are not read.

    - C1: `axes` are within both ranks; without any, the ranks are equal.
    - C2: `shape_like` has no more elements along these axes.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$shape_like, DenseI64ArrayAttr:$axes);
  let results = (outs Relay_Tensor:$result);
}

def Relay_ReshapeLikeOp : Relay_Op<"reshape_like"> {
  let summary = "the elements under the shape of another tensor";
  let description = [{
    The dimensions of `data` from `lhs_begin` to before `lhs_end` become those of `shape_like` from `rhs_begin` to before
    `rhs_end`. An end that is left out is the rank; negative numbers count from the end. The elements of `shape_like` are not
    read.

    - C1: the numbers are within the ranks, and no end is before its begin.
    - C2: both shapes have the same number of elements.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$shape_like, DefaultValuedAttr<I64Attr, "0">:$lhs_begin,
                   OptionalAttr<I64Attr>:$lhs_end, DefaultValuedAttr<I64Attr, "0">:$rhs_begin,
                   OptionalAttr<I64Attr>:$rhs_end);
  let results = (outs Relay_Tensor:$result);
}

def Relay_BroadcastToLikeOp : Relay_Op<"broadcast_to_like"> {
  let summary = "data repeated to the shape of another tensor";
  let description = [{
    The elements of `broadcast_type` are not read.

    - C1: the shape broadcasts to the other one, as with `relay.broadcast_to`.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$broadcast_type);
  let results = (outs Relay_Tensor:$result);
}

def Relay_CastLikeOp : Relay_Op<"cast_like"> {
  let summary = "data as elements of the type of another tensor";
  let description = [{
    As `relay.cast`. The elements of `dtype_like` are not read. ONNX: `CastLike`.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$dtype_like);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NdarraySizeOp : Relay_Op<"ndarray_size"> {
  let summary = "the number of elements, of rank 0";
  let description = [{
    No element is read. ONNX: `Size`.

    - C1: `dtype` is a number type.
  }];
  let arguments = (ins Relay_Tensor:$data, TypeAttr:$dtype);
  let results = (outs Relay_Tensor:$result);
}

def Relay_TriluOp : Relay_Op<"trilu"> {
  let summary = "the upper or lower triangle of matrices, and zeros beside it";
  let description = [{
    The upper one has the elements from the diagonal `k` on, the lower one those up to it. Diagonal 0 begins with the first
    element, those above are positive. ONNX: `Trilu`.

    - C1: data are of rank 2 at least.
    - C2: `k` is an integer of rank 0.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$k, DefaultValuedAttr<BoolAttr, "true">:$upper);
  let results = (outs Relay_Tensor:$result);
}

def Relay_UnravelIndexOp : Relay_Op<"unravel_index"> {
  let summary = "the subscripts of elements that are given by their number in row-major order";
  let description = [{
    `shape` has the extents. The result is [rank, n] for n numbers.

    - C1: both operands are integers of one type; `data` has rank 0 or 1, `shape` rank 1 of known length.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$shape);
  let results = (outs Relay_Tensor:$result);
}

def Relay_MatrixSetDiagOp : Relay_Op<"matrix_set_diag"> {
  let summary = "matrices with other diagonals";
  let description = [{
    The diagonals from `k1` to `k2` are those of `diagonal`: [..., n] if there is one, else [..., k2 - k1 + 1, n] from the
    highest one on. Diagonal 0 begins with the first element, those above are positive. n is the length of the longest of them. In a
    row of `diagonal`, a shorter one is on the right or on the left: `super_diag_right_align` says it of those above diagonal 0,
    `sub_diag_right_align` of those below.

    - C1: `input` is of rank 2 at least, and both operands have one element type.
    - C2: `k1` is at most `k2`, and the diagonals are in the matrices.
    - C3: `diagonal` has the batches of `input` and the extents that belong to the diagonals.
  }];
  let arguments = (ins Relay_Tensor:$input, Relay_Tensor:$diagonal, DefaultValuedAttr<I64Attr, "0">:$k1,
                   DefaultValuedAttr<I64Attr, "0">:$k2, DefaultValuedAttr<BoolAttr, "true">:$super_diag_right_align,
                   DefaultValuedAttr<BoolAttr, "false">:$sub_diag_right_align);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnDilateOp : Relay_Op<"nn.dilate"> {
  let summary = "elements apart from each other, and a number between them";
  let description = [{
    Along each axis, the elements are `strides` apart, and `dilation_value` is between two of them.

    - C1: there is a stride of at least 1 for each dimension.
  }];
  let arguments = (ins Relay_Tensor:$x, DenseI64ArrayAttr:$strides, DefaultValuedAttr<F64Attr, "0.0">:$dilation_value);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnMirrorPadOp : Relay_Op<"nn.mirror_pad"> {
  let summary = "padding with the elements at the edge, as in a mirror";
  let description = [{
    `pad_width` holds the widths before and behind for each dimension. With `SYMMETRIC` the edge itself is repeated, with
    `REFLECT` it is not.

    - C1: `pad_width` holds two numbers for each dimension, which are not negative.
    - C2: `mode` is `SYMMETRIC` or `REFLECT`.
    - C3: no width is more than the elements that the mirror shows.
  }];
  let arguments = (ins Relay_Tensor:$data, DenseI64ArrayAttr:$pad_width, DefaultValuedAttr<StrAttr, "\"SYMMETRIC\"">:$mode);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnSpaceToDepthOp : Relay_Op<"nn.space_to_depth"> {
  let summary = "blocks of space put into the channels";
  let description = [{
    Data [n, c, h, w] becomes [n, c * b^2, h / b, w / b] with blocks of b = `block_size`. The channels are in the order of row
    in block, column in block, channel. ONNX: `SpaceToDepth`.

    - C1: the data is of rank 4.
    - C2: `block_size` is at least 1, and divides height and width.
  }];
  let arguments = (ins Relay_Tensor:$data, I64Attr:$block_size);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnFifoBufferOp : Relay_Op<"nn.fifo_buffer"> {
  let summary = "a buffer without its first elements along axis, and data behind the others";
  let description = [{
    As many of the first elements leave as data come: the result has the shape of the buffer.

    - C1: `axis` is within the rank.
    - C2: both operands have one element type, and one shape but for `axis`, along which the buffer has as many elements at
      least.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$buffer, I64Attr:$axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_SlidingWindowOp : Relay_Op<"sliding_window"> {
  let summary = "the windows of a tensor, which is not repeated in memory by its readers";
  let description = [{
    Windows of `window_shape` move over the dimensions from `axis` on, by `strides`. The result has the dimensions before
    `axis`, the numbers of windows, and `window_shape`.

    - C1: `axis` is within the rank.
    - C2: `window_shape` and `strides` have one number of at least 1 for each dimension from `axis` on.
    - C3: a window fits into the data.
  }];
  let arguments = (ins Relay_Tensor:$data, I64Attr:$axis, DenseI64ArrayAttr:$window_shape, DenseI64ArrayAttr:$strides);
  let results = (outs Relay_Tensor:$result);
}

def Relay_MeshgridOp : Relay_Op<"meshgrid"> {
  let summary = "of each list of coordinates, those of all points of the grid";
  let description = [{
    Each result has a dimension for each operand. With `ij` they are in the operands' order; with `xy`, the first two are
    exchanged.

    - C1: the operands are of rank 1 or 0, and of one element type, and there is at least one.
    - C2: `indexing` is `ij` or `xy`.
  }];
  let arguments = (ins Variadic<Relay_Tensor>:$data, DefaultValuedAttr<StrAttr, "\"ij\"">:$indexing);
  let results = (outs Variadic<Relay_Tensor>:$result);
}

def Relay_VisionYoloReorgOp : Relay_Op<"vision.yolo_reorg"> {
  let summary = "an image with a quarter of the rows and columns, as YOLO orders them";
  let description = [{
    Data [n, c, h, w] becomes [n, c * s^2, h / s, w / s] with s = `stride`. The elements are those of Darknet's `reorg` layer: of the
    result's number in row-major order of [c, h, w], it finds a place in [c / s^2, h * s, w * s], and reads the element with that
    number.

    - C1: the data is of rank 4 and of known extents.
    - C2: `stride` is at least 1, its square divides the channels, and it divides height and width.
  }];
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<I64Attr, "1">:$stride);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_SHAPING_TD
