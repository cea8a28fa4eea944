#ifndef RELAY_DYNAMIC_TD
#define RELAY_DYNAMIC_TD

include "relay/RelayDialect.td"

// The common text of operators with a result shape from an operand's values.
class Relay_Static<string name, string rest = ""> {
  string text = "Like `" # name # "`, with values from an operand. `dynamic-to-static` turns it into that operator if "
      "the operand can be computed at compile time. Otherwise, it has no kernel." # rest # "\n\n";
}

def Relay_ShapeOfOp : Relay_Op<"shape_of"> {
  let summary = "the dimensions of data, as a vector of integers";
  let description = [{
    The elements are of `dtype`, i32 by default. With known dimensions, it is a constant.

    - C1: `dtype` is a type of integers.
  }];
  let arguments = (ins Relay_Tensor:$data, OptionalAttr<TypeAttr>:$dtype);
  let results = (outs Relay_Tensor:$result);
}

def Relay_DynReshapeOp : Relay_Op<"dyn.reshape"> {
  let summary = "the elements in a shape from an operand";
  let description = Relay_Static<"reshape", " In `newshape`, 0 keeps the dimension of the data, unless `allowzero` is "
      "set (false by default). -1 is the remaining extent, and -3 merges two dimensions of the data.">.text # [{
    - C1: `newshape` is a vector of integers with a known extent.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$newshape, DefaultValuedAttr<BoolAttr, "false">:$allowzero);
  let results = (outs Relay_Tensor:$result);
}

def Relay_DynSqueezeOp : Relay_Op<"dyn.squeeze"> {
  let summary = "without the dimensions of 1 that an operand names";
  let description = Relay_Static<"squeeze">.text # [{
    - C1: `axis` is a vector of integers with a known extent.
    - C2: there are no more axes than dimensions.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$axis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_DynExpandDimsOp : Relay_Op<"dyn.expand_dims"> {
  let summary = "with num_newaxis dimensions of 1 before the dimension that an operand names";
  let description = Relay_Static<"expand_dims">.text # [{
    - C1: `axis` is an integer of rank 0.
    - C2: `num_newaxis` is from 0 to 64.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$axis, DefaultValuedAttr<I64Attr, "1">:$num_newaxis);
  let results = (outs Relay_Tensor:$result);
}

def Relay_DynTileOp : Relay_Op<"dyn.tile"> {
  let summary = "data repeated along each axis by factors from an operand";
  let description = Relay_Static<"tile", " If data and `reps` have different numbers of dimensions, the shorter one "
      "gets leading dimensions of 1.">.text # [{
    - C1: `reps` is a vector of integers with a known extent.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$reps);
  let results = (outs Relay_Tensor:$result);
}

def Relay_DynBroadcastToOp : Relay_Op<"dyn.broadcast_to"> {
  let summary = "data repeated to a shape from an operand";
  let description = Relay_Static<"broadcast_to">.text # [{
    - C1: `shape` is a vector of integers with a known extent.
    - C2: it has no fewer dimensions than the data.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$shape);
  let results = (outs Relay_Tensor:$result);
}

// A tensor made of nothing but its type.
class Relay_DynInitOp<string name, string doc> : Relay_Op<"dyn." # name> {
  let summary = doc;
  let description = Relay_Static<name>.text # [{
    - C1: `shape` is a vector of integers with a known extent.
    - C2: `dtype` is a number type.
  }];
  let arguments = (ins Relay_Tensor:$shape, TypeAttr:$dtype);
  let results = (outs Relay_Tensor:$result);
}

def Relay_DynZerosOp : Relay_DynInitOp<"zeros", "a tensor of zeros, in a shape from an operand">;
def Relay_DynOnesOp : Relay_DynInitOp<"ones", "a tensor of ones, in a shape from an operand">;

def Relay_DynFullOp : Relay_Op<"dyn.full"> {
  let summary = "a tensor of equal elements, in a shape from an operand";
  let description = Relay_Static<"full">.text # [{
    - C1: `shape` is a vector of integers with a known extent.
    - C2: `dtype` is a number type.
    - C3: `fill_value` is of rank 0.
  }];
  let arguments = (ins Relay_Tensor:$fill_value, Relay_Tensor:$shape, OptionalAttr<TypeAttr>:$dtype);
  let results = (outs Relay_Tensor:$result);
}

def Relay_DynStridedSliceOp : Relay_Op<"dyn.strided_slice"> {
  let summary = "a slice with bounds from operands";
  let description = Relay_Static<"strided_slice", " The numbers belong to `axes`, or to the first dimensions without "
      "`axes`. The default `slice_mode` is `end`. With `size`, `end` has the numbers of elements, -1 for all "
      "remaining ones, and strides are 1.">.text # [{
    - C1: `begin`, `end` and `strides` are vectors of integers of one known extent.
    - C2: `axes`, if given, has the same length, is within the rank, and names each axis once. Without `axes`, there are
      no more numbers than dimensions.
    - C3: `slice_mode` is `end` or `size`.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$begin, Relay_Tensor:$end, Relay_Tensor:$strides,
                   DefaultValuedAttr<StrAttr, "\"end\"">:$slice_mode, OptionalAttr<DenseI64ArrayAttr>:$axes);
  let results = (outs Relay_Tensor:$result);
}

def Relay_DynNnPadOp : Relay_Op<"dyn.nn.pad"> {
  let summary = "data with elements before and after each dimension, with widths from an operand";
  let description = Relay_Static<"nn.pad">.text # [{
    - C1: `pad_width` is a matrix of integers, of two columns and a row for each dimension.
    - C2: `pad_value` is of rank 0 and of the data's element type.
    - C3: `pad_mode` is `constant`, `edge` or `reflect`.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$pad_width, Relay_Tensor:$pad_value,
                   DefaultValuedAttr<StrAttr, "\"constant\"">:$pad_mode);
  let results = (outs Relay_Tensor:$result);
}

def Relay_DynNnUpsamplingOp : Relay_Op<"dyn.nn.upsampling"> {
  let summary = "an image enlarged by factors from operands";
  let description = Relay_Static<"nn.upsampling">.text # [{
    - C1: the scales are floats of rank 0.
    - C2: the rank is that of `layout`, which names N, C and the spatial dimensions.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$scale_h, Relay_Tensor:$scale_w,
                   DefaultValuedAttr<StrAttr, "\"NCHW\"">:$layout,
                   DefaultValuedAttr<StrAttr, "\"nearest_neighbor\"">:$method,
                   DefaultValuedAttr<BoolAttr, "false">:$align_corners);
  let results = (outs Relay_Tensor:$result);
}

def Relay_DynNnUpsampling3dOp : Relay_Op<"dyn.nn.upsampling3d"> {
  let summary = "a volume enlarged by factors from operands";
  let description = Relay_Static<"nn.upsampling3d">.text # [{
    - C1: the scales are floats of rank 0.
    - C2: the rank is that of `layout`, which names N, C and the spatial dimensions.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$scale_d, Relay_Tensor:$scale_h, Relay_Tensor:$scale_w,
                   DefaultValuedAttr<StrAttr, "\"NCDHW\"">:$layout,
                   DefaultValuedAttr<StrAttr, "\"nearest_neighbor\"">:$method,
                   DefaultValuedAttr<StrAttr, "\"half_pixel\"">:$coordinate_transformation_mode);
  let results = (outs Relay_Tensor:$result);
}

def Relay_DynImageResize2dOp : Relay_Op<"dyn.image.resize2d"> {
  let summary = "an image at a size from an operand";
  let description = Relay_Static<"image.resize2d", " No `coordinate_transformation_mode` that there is reads the "
      "region `roi`.">.text # [{
    - C1: `size` is a vector of two integers.
    - C2: the rank is that of `layout`, which names N, C and the spatial dimensions.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$size, Relay_Tensor:$roi,
                   DefaultValuedAttr<StrAttr, "\"NCHW\"">:$layout,
                   DefaultValuedAttr<StrAttr, "\"linear\"">:$method,
                   DefaultValuedAttr<StrAttr, "\"half_pixel\"">:$coordinate_transformation_mode,
                   DefaultValuedAttr<StrAttr, "\"round_prefer_floor\"">:$rounding_method);
  let results = (outs Relay_Tensor:$result);
}

def Relay_DynOneHotOp : Relay_Op<"dyn.one_hot"> {
  let summary = "numbers in a line that has another one at a place, with a length from an operand";
  let description = Relay_Static<"one_hot">.text # [{
    - C1: indices are integers.
    - C2: on and off value are of rank 0, and `depth` is one integer.
    - C3: `axis` is -1 (the last one) or from 0 to the rank.
    - C4: `dtype` is an element type.
  }];
  let arguments = (ins Relay_Tensor:$indices, Relay_Tensor:$on_value, Relay_Tensor:$off_value, Relay_Tensor:$depth,
                   DefaultValuedAttr<I64Attr, "-1">:$axis, TypeAttr:$dtype);
  let results = (outs Relay_Tensor:$result);
}

def Relay_DynTopkOp : Relay_Op<"dyn.topk"> {
  let summary = "the first elements of an axis in sorted order, as many as an operand says";
  let description = Relay_Static<"topk">.text # [{
    - C1: the axis is within the rank.
    - C2: `dtype` is i32 or i64.
    - C3: `k` is one integer.
    - C4: `ret_type` is `both`, `values` or `indices`.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$k, DefaultValuedAttr<I64Attr, "-1">:$axis,
                   DefaultValuedAttr<StrAttr, "\"both\"">:$ret_type, DefaultValuedAttr<BoolAttr, "false">:$is_ascend,
                   TypeAttr:$dtype);
  let results = (outs Variadic<Relay_Tensor>:$results);
}

def Relay_DynSparseToDenseOp : Relay_Op<"dyn.sparse_to_dense"> {
  let summary = "a tensor that has given elements at given places, in a shape from an operand";
  let description = Relay_Static<"sparse_to_dense">.text # [{
    - C1: `output_shape` is a vector of integers of a known extent.
    - C2: subscripts are integers, and values and default are of one element type.
  }];
  let arguments = (ins Relay_Tensor:$sparse_indices, Relay_Tensor:$sparse_values, Relay_Tensor:$default_value,
                   Relay_Tensor:$output_shape);
  let results = (outs Relay_Tensor:$result);
}

def Relay_VmShapeOfOp : Relay_Op<"vm.shape_of"> {
  let summary = "the dimensions of data, as programs for a virtual machine ask for them";
  let description = [{
    As `relay.shape_of`.

    - C1: `dtype` is a type of integers.
  }];
  let arguments = (ins Relay_Tensor:$tensor, OptionalAttr<TypeAttr>:$dtype);
  let results = (outs Relay_Tensor:$result);
}

def Relay_VmReshapeTensorOp : Relay_Op<"vm.reshape_tensor"> {
  let summary = "the data in another shape, as programs for a virtual machine make it";
  let description = [{
    As `relay.reshape` to `newshape`. `shape` has the same numbers, and is not read.

    - C1: `newshape` has no negative dimension but one -1 at most.
    - C2: both shapes have as many elements.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$shape, DenseI64ArrayAttr:$newshape);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_DYNAMIC_TD
