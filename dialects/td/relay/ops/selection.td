#ifndef RELAY_SELECTION_TD
#define RELAY_SELECTION_TD

include "relay/RelayDialect.td"

def Relay_NonzeroOp : Relay_Op<"nonzero"> {
  let summary = "the subscripts of the elements that are not zero, and how many these are";
  let description = [{
    The first result has a row for each dimension and a column for each element, as many as `data` has. Its first columns
    are the subscripts of the elements that are not zero, in memory order; the others are undefined. The second result
    is the number of these elements. NaN is not zero. ONNX: `NonZero`, with `relay.dim_of` and `relay.prefix`.

    ```mlir
    %places, %count = relay.nonzero %x : (tensor<2x3xf32>) -> (tensor<2x6xi64>, tensor<i64>)
    ```
  }];
  let arguments = (ins Relay_Tensor:$data);
  let results = (outs Relay_Tensor:$places, Relay_Tensor:$count);
}

def Relay_PrefixOp : Relay_Op<"prefix"> {
  let summary = "the first elements of an axis, as many as a symbol says";
  let description = [{
    `extent` holds one dimension. Unlike the end of a `relay.strided_slice`, a form is not cut to the elements that are
    there: the bound of its `relay.dim_of` says that there are so many.

    - C1: `axis`, which counts from the end if negative, is within the rank.
    - C2: `extent` is one dimension, and no number that is negative or above that of the operand.
  }];
  let arguments = (ins Relay_Tensor:$data, I64Attr:$axis, Relay_Extents:$extent);
  let results = (outs Relay_Tensor:$result);
}

def Relay_AllClassNonMaxSuppressionOp : Relay_Op<"vision.all_class_non_max_suppression"> {
  let summary = "the boxes of each class that overlap no better one, and how many these are";
  let description = [{
    `boxes` is batch x boxes x 4, and `scores` batch x classes x boxes. Of each class the boxes are looked at by falling
    score, those of equal scores by their subscripts. One is selected if its score is above `score_threshold`, fewer than `max_output_boxes` of the class were, and it overlaps none of these: the area that two
    boxes share, by the area that they cover, is above `iou_threshold`. A box is y1, x1, y2, x2 of two opposite
    corners; with `center_point_box`, it is the x and y of its center, its width, and its height.

    The first result has a row for each selected box: its batch, class and subscript. The rows come first, and the
    others are undefined. The second result is the number of selected boxes, of shape [1] with `output_format` `onnx`, and else of rank 0. Without
    `most`, there is room for all boxes. ONNX: `NonMaxSuppression`, with `relay.dim_of` and `relay.prefix`.

    - C1: boxes and scores fit each other, and are of f32.
    - C2: the others are of rank 0: an i64, and two f32.
    - C3: `most`, if it is there, is one dimension: no more boxes of a class are selected.
    - C4: `output_format`, if it is there, is `onnx`.
  }];
  let arguments = (ins Relay_Tensor:$boxes, Relay_Tensor:$scores, Relay_Tensor:$max_output_boxes,
                   Relay_Tensor:$iou_threshold, Relay_Tensor:$score_threshold, OptionalAttr<Relay_Extents>:$most,
                   DefaultValuedAttr<BoolAttr, "false">:$center_point_box, OptionalAttr<StrAttr>:$output_format);
  let results = (outs Relay_Tensor:$selected, Relay_Tensor:$count);
}

#endif // RELAY_SELECTION_TD
