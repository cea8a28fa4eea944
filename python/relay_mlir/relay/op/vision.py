"""Relay's operators of `vision`. `cargo xtask docs` writes this module from the operators' declarations."""

from __future__ import annotations

from typing import Any, Optional

from ..expr import Expr, Floats, Ints, call

__all__ = [
    "all_class_non_max_suppression",
    "get_valid_counts",
    "multibox_prior",
    "multibox_transform_loc",
    "non_max_suppression",
    "proposal",
    "regular_non_max_suppression",
    "roi_align",
    "roi_pool",
    "yolo_reorg",
]


def all_class_non_max_suppression(
    boxes: Any,
    scores: Any,
    max_output_boxes: Any,
    iou_threshold: Any,
    score_threshold: Any,
    most: Optional[Any] = None,
    center_point_box: Optional[Any] = None,
    output_format: Optional[Any] = None,
) -> Expr:
    """The boxes of each class that overlap no better one, and how many these are.

    `boxes` is batch x boxes x 4, and `scores` batch x classes x boxes. Of each class the boxes are looked at by falling
    score, those of equal scores by their subscripts. One is selected if its score is above `score_threshold`, fewer
    than `max_output_boxes` of the class were, and it overlaps none of these: the area that two boxes share, by the area
    that they cover, is above `iou_threshold`. A box is y1, x1, y2, x2 of two opposite corners; with `center_point_box`,
    it is the x and y of its center, its width, and its height.

    The first result has a row for each selected box: its batch, class and subscript. The rows come first, and the
    others are undefined. The second result is the number of selected boxes, of shape [1] with `output_format` `onnx`,
    and else of rank 0. Without `most`, there is room for all boxes. ONNX: `NonMaxSuppression`, with `relay.dim_of` and
    `relay.prefix`.

    - C1: boxes and scores fit each other, and are of f32.
    - C2: the others are of rank 0: an i64, and two f32.
    - C3: `most`, if it is there, is one dimension: no more boxes of a class are selected.
    - C4: `output_format`, if it is there, is `onnx`.
    """
    return call(
        "vision.all_class_non_max_suppression",
        (boxes, scores, max_output_boxes, iou_threshold, score_threshold),
        results=2,
        most=most,
        center_point_box=center_point_box,
        output_format=output_format,
    )


def get_valid_counts(
    data: Any,
    score_threshold: Any,
    id_index: Optional[int] = None,
    score_index: Optional[int] = None,
) -> Expr:
    """The boxes with a score above a threshold, and how many these are.

    Data [b, n, m] have a row of m numbers for each box. A row stays if number `score_index` is above `score_threshold`,
    and number `id_index` is not negative; a negative `id_index` says that rows have no such number. The first result
    [b] counts the rows that stay. The second has these rows first, in their order, and then rows of -1. The third [b,
    n] has the places where these rows were, and then -1.

    - C1: data are of rank 3, and the threshold is of rank 0 and of their element type.
    - C2: `score_index` is a place of a row, and `id_index` is one or negative.

    ```mlir %count, %rows, %places = relay.vision.get_valid_counts %x, %t {id_index = -1 : i64, score_index = 0 : i64} :
    (tensor<1x6x5xf32>, tensor<f32>) -> (tensor<1xi32>, tensor<1x6x5xf32>, tensor<1x6xi32>) ```
    """
    return call(
        "vision.get_valid_counts",
        (data, score_threshold),
        results=3,
        id_index=id_index,
        score_index=score_index,
    )


def multibox_prior(
    data: Any,
    sizes: Optional[Floats] = None,
    ratios: Optional[Floats] = None,
    steps: Optional[Floats] = None,
    offsets: Optional[Floats] = None,
    clip: Optional[Any] = None,
) -> Expr:
    """Boxes of some sizes and ratios around each pixel.

    The data [b, c, h, w] say only how many pixels there are. Each has a box for each of `sizes` with the first ratio,
    and one for each further one of `ratios` with the first size: [1, h * w * boxes, 4], as x1, y1, x2, y2 in parts of
    width and height. A box of size s and ratio r has the height s / sqrt(r) and the width s * sqrt(r) * h / w; the
    boxes with the first ratio take it to be 1. Pixels are `steps` (y, x) apart, or 1/h and 1/w where a step is not
    positive, and a center lies `offsets` behind the edge. With `clip`, places are moved into the image.

    - C1: data are of rank 4, and height and width are numbers of at least 1.
    - C2: there are sizes, and ratios above 0.
    - C3: `steps` and `offsets` hold two numbers.
    """
    return call("vision.multibox_prior", (data,), sizes=sizes, ratios=ratios, steps=steps, offsets=offsets, clip=clip)


def multibox_transform_loc(
    cls_prob: Any,
    loc_pred: Any,
    anchor: Any,
    clip: Optional[Any] = None,
    threshold: Optional[float] = None,
    variances: Optional[Floats] = None,
    keep_background: Optional[Any] = None,
) -> Expr:
    """The class, the score and the place of each box that a detector predicts.

    `cls_prob` [b, c, n] are probabilities of c classes, class 0 being the background; `loc_pred` [b, 4 * n] moves and
    scales the boxes `anchor` [1, n, 4]. Of each box the most probable class is taken, without the background unless
    `keep_background`. A class below `threshold` counts as background.

    The first result [b, n, 6] has a row for each box that is no background: the class (counted from the first one
    behind the background, or from it), the probability, and x1, y1, x2, y2, which `clip` moves into the image. Rows of
    -1 follow. The second result [b] counts the rows. The predicted numbers are the shift of the center, in widths and
    heights, and the logarithms of the scales, each times one of `variances`.

    - C1: the operands are of one element type and fit each other.
    - C2: `variances` holds four numbers.
    """
    return call(
        "vision.multibox_transform_loc",
        (cls_prob, loc_pred, anchor),
        results=2,
        clip=clip,
        threshold=threshold,
        variances=variances,
        keep_background=keep_background,
    )


def non_max_suppression(
    data: Any,
    valid_count: Any,
    indices: Any,
    max_output_size: Any,
    iou_threshold: Any,
    force_suppress: Optional[Any] = None,
    top_k: Optional[int] = None,
    coord_start: Optional[int] = None,
    score_index: Optional[int] = None,
    id_index: Optional[int] = None,
    return_indices: Optional[Any] = None,
    invalid_to_bottom: Optional[Any] = None,
) -> Expr:
    """Boxes without those that overlap a better one.

    Data [b, n, m] have a row of m numbers for each box, and `valid_count` [b] says how many rows count. These are
    looked at by falling score (number `score_index`), only the first `top_k` if that is positive. A box is dropped if
    it overlaps one before it that is kept by `iou_threshold` or more, and if there are already `max_output_size` boxes,
    unless that is negative. The *overlap* of two boxes is the area that they share / the area that they cover together.
    Four numbers from `coord_start` on are x and y of two opposite corners.

    Only boxes of one class (number `id_index`) are compared, or all with `force_suppress` or a negative `id_index`. A
    box of a negative class drops none. Boxes with a score of 0 or less are not compared: they are kept while there is
    room. With an `iou_threshold` of 0 or less, all rows that count are kept, in their order.

    With `return_indices`, the results are [b, n] and [b, 1]: the elements of `indices` at the places of the boxes that
    are kept, without negative ones, then -1; and how many these are. Else the result is of the data's type: the rows by
    falling score, with -1 for those that are dropped or do not count. `invalid_to_bottom` puts rows whose first number
    is not negative before the others.

    - C1: data are of rank 3, and `valid_count`, `indices`, `max_output_size` and `iou_threshold` fit: integers [b], [b,
      n] and [], and a float [].
    - C2: `score_index` and the coordinates are places of a row, and `id_index` is one or negative.
    """
    return call(
        "vision.non_max_suppression",
        (data, valid_count, indices, max_output_size, iou_threshold),
        results=0,
        force_suppress=force_suppress,
        top_k=top_k,
        coord_start=coord_start,
        score_index=score_index,
        id_index=id_index,
        return_indices=return_indices,
        invalid_to_bottom=invalid_to_bottom,
    )


def proposal(
    cls_prob: Any,
    bbox_pred: Any,
    im_info: Any,
    scales: Optional[Floats] = None,
    ratios: Optional[Floats] = None,
    feature_stride: Optional[int] = None,
    threshold: Optional[float] = None,
    rpn_pre_nms_top_n: Optional[int] = None,
    rpn_post_nms_top_n: Optional[int] = None,
    rpn_min_size: Optional[int] = None,
    iou_loss: Optional[Any] = None,
) -> Expr:
    """The regions that a network proposes.

    `cls_prob` [b, 2 * k, h, w] are the probabilities that there is nothing, and then that there is something, around k
    boxes at each pixel; `bbox_pred` [b, 4 * k, h, w] moves and scales these. `im_info` [b, 3] are the height and the
    width of the image, and its scale. The k boxes are those of each of `ratios` with each of `scales`, around a square
    of `feature_stride` pixels, which is also how far they are apart.

    Boxes are cut to the image. Those smaller than `rpn_min_size` times the scale, or around pixels that are not of the
    image, count as the least probable. Of the `rpn_pre_nms_top_n` most probable ones (of all, if that is not positive)
    those are dropped that overlap one before by more than `threshold`. The *overlap* of two boxes is the area that they
    share / the area that they cover together. The first `rpn_post_nms_top_n` are the result, of which each sample has
    so many rows: the number of the sample, and x1, y1, x2, y2. If there are fewer, they come again and again. With
    `iou_loss`, the predictions are added to the corners.

    - C1: the operands are of one element type, with known height and width, and fit each other, `scales` and `ratios`.
    - C2: `feature_stride` and `rpn_post_nms_top_n` are at least 1, and `scales` and `ratios` above 0.
    """
    return call(
        "vision.proposal",
        (cls_prob, bbox_pred, im_info),
        scales=scales,
        ratios=ratios,
        feature_stride=feature_stride,
        threshold=threshold,
        rpn_pre_nms_top_n=rpn_pre_nms_top_n,
        rpn_post_nms_top_n=rpn_post_nms_top_n,
        rpn_min_size=rpn_min_size,
        iou_loss=iou_loss,
    )


def regular_non_max_suppression(
    boxes: Any,
    scores: Any,
    max_detections_per_class: int,
    max_detections: int,
    num_classes: int,
    iou_threshold: float,
    score_threshold: float,
) -> Expr:
    """The best boxes of all classes, without those that overlap a better one of their class.

    `boxes` [b, n, 4] are y1, x1, y2, x2, and `scores` [b, n, c] has a score of each of c classes for each box. The last
    `num_classes` of these count; those before are the background. Of each class, boxes with a score of at least
    `score_threshold` are looked at by falling score, and one is dropped if it overlaps one that is kept by more than
    `iou_threshold`. At most `max_detections_per_class` are kept. The *overlap* of two boxes is the area that they share
    / the area that they cover together. A box without an area overlaps none.

    The results are the `max_detections` boxes of all classes with the highest scores: boxes [b, d, 4], classes [b, d],
    scores [b, d], and their number [b]. What is missing is 0. TFLite: the custom operator for detections.

    - C1: boxes and scores are of f32 and fit each other.
    - C2: `max_detections_per_class` and `max_detections` are at least 1.
    - C3: `num_classes` is at least 1, and there are so many.
    """
    return call(
        "vision.regular_non_max_suppression",
        (boxes, scores),
        results=4,
        max_detections_per_class=max_detections_per_class,
        max_detections=max_detections,
        num_classes=num_classes,
        iou_threshold=iou_threshold,
        score_threshold=score_threshold,
    )


def roi_align(
    data: Any,
    rois: Any,
    pooled_size: Ints,
    spatial_scale: float,
    sample_ratio: Optional[int] = None,
    layout: Optional[Any] = None,
    mode: Optional[Any] = None,
) -> Expr:
    """The means or greatest samples of the cells of regions.

    Data are [n, c, h, w], and `rois` [m, 5]: the number of a sample, and x1, y1, x2, y2, which times `spatial_scale`
    are places in the image. A region is at least one pixel wide and high. It is divided into `pooled_size` cells, and a
    cell into `sample_ratio` times as many parts, or, if that is not positive, as many as it is pixels wide and high,
    rounded up. A cell is the mean (`mode` `avg`) or the maximum (`max`) of the image in the middle of its parts,
    between the four pixels around. A place more than a pixel outside of the image is 0. ONNX: `RoiAlign`.

    - C1: data are of rank 4, rois are [m, 5] of the same element type.
    - C2: `pooled_size` holds two extents of at least 1.
    - C3: `layout` is NCHW or NHWC.
    - C4: `mode` is `avg` or `max`.
    """
    return call(
        "vision.roi_align",
        (data, rois),
        pooled_size=pooled_size,
        spatial_scale=spatial_scale,
        sample_ratio=sample_ratio,
        layout=layout,
        mode=mode,
    )


def roi_pool(data: Any, rois: Any, pooled_size: Ints, spatial_scale: float) -> Expr:
    """The greatest elements of the cells of regions.

    Data are [n, c, h, w]. A region of `rois` is the number of its image, and the x and y of its first and last pixel,
    which are multiplied by `spatial_scale` and rounded. It is split into `pooled_size` = [rows, columns] cells, which
    overlap where pixels do not split evenly; a cell without pixels of the image is 0. ONNX: `MaxRoiPool`.

    - C1: data are of rank 4, rois are [m, 5] of the same element type.
    - C2: `pooled_size` holds two extents of at least 1.
    """
    return call("vision.roi_pool", (data, rois), pooled_size=pooled_size, spatial_scale=spatial_scale)


def yolo_reorg(data: Any, stride: Optional[int] = None) -> Expr:
    """An image with a quarter of the rows and columns, as YOLO orders them.

    Data [n, c, h, w] becomes [n, c * s^2, h / s, w / s] with s = `stride`. The elements are those of Darknet's `reorg`
    layer: of the result's number in row-major order of [c, h, w], it finds a place in [c / s^2, h * s, w * s], and
    reads the element with that number.

    - C1: the data is of rank 4 and of known extents.
    - C2: `stride` is at least 1, its square divides the channels, and it divides height and width.
    """
    return call("vision.yolo_reorg", (data,), stride=stride)
