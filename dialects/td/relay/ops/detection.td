#ifndef RELAY_DETECTION_TD
#define RELAY_DETECTION_TD

include "relay/RelayDialect.td"

// What the descriptions of operators that compare boxes say of it.
class Relay_Boxes {
  string overlap = "The *overlap* of two boxes is the area that they share / the area that they cover together.";
}

def Relay_VisionGetValidCountsOp : Relay_Op<"vision.get_valid_counts"> {
  let summary = "the boxes with a score above a threshold, and how many these are";
  let description = [{
    Data [b, n, m] have a row of m numbers for each box. A row stays if number `score_index` is above `score_threshold`, and
    number `id_index` is not negative; a negative `id_index` says that rows have no such number. The first result [b] counts
    the rows that stay. The second has these rows first, in their order, and then rows of -1. The third [b, n] has
    the places where these rows were, and then -1.

    - C1: data are of rank 3, and the threshold is of rank 0 and of their element type.
    - C2: `score_index` is a place of a row, and `id_index` is one or negative.

    ```mlir
    %count, %rows, %places = relay.vision.get_valid_counts %x, %t {id_index = -1 : i64, score_index = 0 : i64}
      : (tensor<1x6x5xf32>, tensor<f32>) -> (tensor<1xi32>, tensor<1x6x5xf32>, tensor<1x6xi32>)
    ```
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$score_threshold, DefaultValuedAttr<I64Attr, "0">:$id_index,
                   DefaultValuedAttr<I64Attr, "1">:$score_index);
  let results = (outs Relay_Tensor:$count, Relay_Tensor:$rows, Relay_Tensor:$places);
}

def Relay_VisionNonMaxSuppressionOp : Relay_Op<"vision.non_max_suppression"> {
  let summary = "boxes without those that overlap a better one";
  let description = [{
    Data [b, n, m] have a row of m numbers for each box, and `valid_count` [b] says how many rows count. These are looked at by
    falling score (number `score_index`), only the first `top_k` if that is positive. A box is dropped if it overlaps one
    before it that is kept by `iou_threshold` or more, and if there are already `max_output_size` boxes, unless that is
    negative. }] # Relay_Boxes<>.overlap # [{ Four numbers from `coord_start` on are x and y of two opposite corners.

    Only boxes of one class (number `id_index`) are compared, or all with `force_suppress` or a negative `id_index`. A box of a
    negative class drops none. Boxes with a score of 0 or less are not compared: they are kept while there is room. With an
    `iou_threshold` of 0 or less, all rows that count are kept, in their order.

    With `return_indices`, the results are [b, n] and [b, 1]: the elements of `indices` at the places of the boxes that are kept,
    without negative ones, then -1; and how many these are. Else the result is of the data's type: the rows by falling score, with -1
    for those that are dropped or do not count. `invalid_to_bottom` puts rows whose first number is not negative before the others.

    - C1: data are of rank 3, and `valid_count`, `indices`, `max_output_size` and `iou_threshold` fit: integers [b], [b, n] and [], and a
      float [].
    - C2: `score_index` and the coordinates are places of a row, and `id_index` is one or negative.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$valid_count, Relay_Tensor:$indices, Relay_Tensor:$max_output_size,
                   Relay_Tensor:$iou_threshold, DefaultValuedAttr<BoolAttr, "false">:$force_suppress,
                   DefaultValuedAttr<I64Attr, "-1">:$top_k, DefaultValuedAttr<I64Attr, "2">:$coord_start,
                   DefaultValuedAttr<I64Attr, "1">:$score_index, DefaultValuedAttr<I64Attr, "0">:$id_index,
                   DefaultValuedAttr<BoolAttr, "true">:$return_indices,
                   DefaultValuedAttr<BoolAttr, "false">:$invalid_to_bottom);
  let results = (outs Variadic<Relay_Tensor>:$results);
}

def Relay_VisionRegularNonMaxSuppressionOp : Relay_Op<"vision.regular_non_max_suppression"> {
  let summary = "the best boxes of all classes, without those that overlap a better one of their class";
  let description = [{
    `boxes` [b, n, 4] are y1, x1, y2, x2, and `scores` [b, n, c] has a score of each of c classes for each box. The last `num_classes` of these
    count; those before are the background. Of each class, boxes with a score of at least `score_threshold` are looked at by falling
    score, and one is dropped if it overlaps one that is kept by more than `iou_threshold`. At most `max_detections_per_class` are
    kept. }] # Relay_Boxes<>.overlap # [{ A box without an area overlaps none.

    The results are the `max_detections` boxes of all classes with the highest scores: boxes [b, d, 4], classes [b, d],
    scores [b, d], and their number [b]. What is missing is 0. TFLite: the custom operator for detections.

    - C1: boxes and scores are of f32 and fit each other.
    - C2: `max_detections_per_class` and `max_detections` are at least 1.
    - C3: `num_classes` is at least 1, and there are so many.
  }];
  let arguments = (ins Relay_Tensor:$boxes, Relay_Tensor:$scores, I64Attr:$max_detections_per_class, I64Attr:$max_detections,
                   I64Attr:$num_classes, F64Attr:$iou_threshold, F64Attr:$score_threshold);
  let results = (outs Relay_Tensor:$kept, Relay_Tensor:$classes, Relay_Tensor:$kept_scores, Relay_Tensor:$count);
}

def Relay_VisionMultiboxPriorOp : Relay_Op<"vision.multibox_prior"> {
  let summary = "boxes of some sizes and ratios around each pixel";
  let description = [{
    The data [b, c, h, w] say only how many pixels there are. Each has a box for each of `sizes` with the first ratio, and one for each further one of
    `ratios` with the first size: [1, h * w * boxes, 4], as x1, y1, x2, y2 in parts of width and height. A box of size s and
    ratio r has the height s / sqrt(r) and the width s * sqrt(r) * h / w; the boxes with the first ratio take it to be 1. Pixels are `steps` (y, x) apart,
    or 1/h and 1/w where a step is not positive, and a center lies `offsets` behind the edge. With `clip`, places are moved into the image.

    - C1: data are of rank 4, and height and width are numbers of at least 1.
    - C2: there are sizes, and ratios above 0.
    - C3: `steps` and `offsets` hold two numbers.
  }];
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<DenseF64ArrayAttr, "{1.0}">:$sizes,
                   DefaultValuedAttr<DenseF64ArrayAttr, "{1.0}">:$ratios, DefaultValuedAttr<DenseF64ArrayAttr, "{-1.0, -1.0}">:$steps,
                   DefaultValuedAttr<DenseF64ArrayAttr, "{0.5, 0.5}">:$offsets, DefaultValuedAttr<BoolAttr, "false">:$clip);
  let results = (outs Relay_Tensor:$result);
}

def Relay_VisionMultiboxTransformLocOp : Relay_Op<"vision.multibox_transform_loc"> {
  let summary = "the class, the score and the place of each box that a detector predicts";
  let description = [{
    `cls_prob` [b, c, n] are probabilities of c classes, class 0 being the background; `loc_pred` [b, 4 * n] moves and scales the boxes
    `anchor` [1, n, 4]. Of each box the most probable class is taken, without the background unless `keep_background`. A class below
    `threshold` counts as background.

    The first result [b, n, 6] has a row for each box that is no background: the class (counted from the first one behind the background, or from it), the
    probability, and x1, y1, x2, y2, which `clip` moves into the image. Rows of -1 follow. The second result [b] counts the rows. The
    predicted numbers are the shift of the center, in widths and heights, and the logarithms of the scales, each times one of `variances`.

    - C1: the operands are of one element type and fit each other.
    - C2: `variances` holds four numbers.
  }];
  let arguments = (ins Relay_Tensor:$cls_prob, Relay_Tensor:$loc_pred, Relay_Tensor:$anchor, DefaultValuedAttr<BoolAttr, "true">:$clip,
                   DefaultValuedAttr<F64Attr, "0.01">:$threshold,
                   DefaultValuedAttr<DenseF64ArrayAttr, "{0.1, 0.1, 0.2, 0.2}">:$variances,
                   DefaultValuedAttr<BoolAttr, "false">:$keep_background);
  let results = (outs Relay_Tensor:$rows, Relay_Tensor:$count);
}

def Relay_VisionProposalOp : Relay_Op<"vision.proposal"> {
  let summary = "the regions that a network proposes";
  let description = [{
    `cls_prob` [b, 2 * k, h, w] are the probabilities that there is nothing, and then that there is something, around k boxes at each pixel;
    `bbox_pred` [b, 4 * k, h, w] moves and scales these. `im_info` [b, 3] are the height and the width of the image, and its scale. The k boxes are
    those of each of `ratios` with each of `scales`, around a square of `feature_stride` pixels, which is also how far they are apart.

    Boxes are cut to the image. Those smaller than `rpn_min_size` times the scale, or around pixels that are not of the image, count as the least
    probable. Of the `rpn_pre_nms_top_n` most probable ones (of all, if that is not positive) those are dropped that overlap one before by more than
    `threshold`. }] # Relay_Boxes<>.overlap # [{ The first `rpn_post_nms_top_n` are the result, of which each sample has so many rows:
    the number of the sample, and x1, y1, x2, y2. If there are fewer, they come again and again. With `iou_loss`, the predictions are added to the corners.

    - C1: the operands are of one element type, with known height and width, and fit each other, `scales` and `ratios`.
    - C2: `feature_stride` and `rpn_post_nms_top_n` are at least 1, and `scales` and `ratios` above 0.
  }];
  let arguments = (ins Relay_Tensor:$cls_prob, Relay_Tensor:$bbox_pred, Relay_Tensor:$im_info,
                   DefaultValuedAttr<DenseF64ArrayAttr, "{4.0, 8.0, 16.0, 32.0}">:$scales,
                   DefaultValuedAttr<DenseF64ArrayAttr, "{0.5, 1.0, 2.0}">:$ratios, DefaultValuedAttr<I64Attr, "16">:$feature_stride,
                   DefaultValuedAttr<F64Attr, "0.7">:$threshold, DefaultValuedAttr<I64Attr, "6000">:$rpn_pre_nms_top_n,
                   DefaultValuedAttr<I64Attr, "300">:$rpn_post_nms_top_n, DefaultValuedAttr<I64Attr, "16">:$rpn_min_size,
                   DefaultValuedAttr<BoolAttr, "false">:$iou_loss);
  let results = (outs Relay_Tensor:$proposals);
}

#endif // RELAY_DETECTION_TD
