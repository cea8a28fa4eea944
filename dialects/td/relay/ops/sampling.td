#ifndef RELAY_SAMPLING_TD
#define RELAY_SAMPLING_TD

include "relay/RelayDialect.td"

def Relay_ImageAffineGridOp : Relay_Op<"image.affine_grid"> {
  let summary = "where the pixels of an image come from under an affine map";
  let description = [{
    Data [n, 2, 3] are maps from the places of the result's pixels, from -1 to 1 along both axes, to those of another image. The
    result is [n, 2, rows, columns] for `target_shape` = [rows, columns]: an x and a y for each pixel.

    - C1: data are [n, 2, 3].
    - C2: `target_shape` holds two extents of at least 2.
  }];
  let arguments = (ins Relay_Tensor:$data, DenseI64ArrayAttr:$target_shape);
  let results = (outs Relay_Tensor:$result);
}

def Relay_ImageGridSampleOp : Relay_Op<"image.grid_sample"> {
  let summary = "the pixels of an image at places that a grid says";
  let description = [{
    Data are [n, c, h, w], `grid` is [n, 2, rows, columns]: an x and a y from -1 to 1 for each pixel of the result, which is
    [n, c, rows, columns]. With `align_corners`, -1 and 1 are the centers of the first and last pixel, else their outer edges.
    `method` is `bilinear` or `nearest`. Outside of the image, `padding_mode` `zeros` has zeros, and `border` the pixel at the
    border. ONNX: `GridSample`, with the coordinates in the last dimension.

    - C1: data and grid are of rank 4 and of one element type, and fit each other.
    - C2: `method` is `bilinear` or `nearest`.
    - C3: `padding_mode` is `zeros` or `border`.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$grid, DefaultValuedAttr<StrAttr, "\"bilinear\"">:$method,
                   DefaultValuedAttr<StrAttr, "\"zeros\"">:$padding_mode, DefaultValuedAttr<BoolAttr, "true">:$align_corners);
  let results = (outs Relay_Tensor:$result);
}

def Relay_ImageCropAndResizeOp : Relay_Op<"image.crop_and_resize"> {
  let summary = "boxes of images, resized to one size";
  let description = [{
    Data are [n, c, h, w]. `boxes` has y1, x1, y2, x2 for each box, in parts of height and width, and `box_indices` the image that
    it is of. The first and last pixels of the result are at the box's edges; a single one is in its middle. Places outside of the
    image have `extrapolation_value`. `method` is `bilinear` or `nearest_neighbor`.

    - C1: data are of rank 4, boxes are [m, 4] of the same element type, and `box_indices` m integers.
    - C2: `crop_size` holds two extents of at least 1.
    - C3: `method` is `bilinear` or `nearest_neighbor`.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$boxes, Relay_Tensor:$box_indices, DenseI64ArrayAttr:$crop_size,
                   DefaultValuedAttr<StrAttr, "\"bilinear\"">:$method, DefaultValuedAttr<F64Attr, "0.0">:$extrapolation_value);
  let results = (outs Relay_Tensor:$result);
}

def Relay_ImageDilation2dOp : Relay_Op<"image.dilation2d"> {
  let summary = "the greatest sum of an element of a window and its weight";
  let description = [{
    Grayscale dilation: data [n, c, h, w] and weights [c, kh, kw] make [n, c, rows, columns], as a convolution of each channel
    does, with the greatest sum in the place of the sum of products. `padding` is the top, left, bottom and right one; padding is
    never the greatest.

    - C1: data are of rank 4, weights of rank 3, and they have one element type and the same channels.
    - C2: `strides` and `dilations` hold two numbers of at least 1, `padding` four that are not negative.
    - C3: a window fits into the padded data.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding,
                   DenseI64ArrayAttr:$dilations);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnCorrelationOp : Relay_Op<"nn.correlation"> {
  let summary = "how alike the patches of two images are, at each displacement";
  let description = [{
    The layer of FlowNet (Fischer et al. 2015). Both images are padded by `padding` zeros on all sides. A patch has `kernel_size`
    rows and columns; patches of the first image are `stride1` apart. Each is compared with those of the second image that are up to
    `max_displacement` away, in steps of `stride2`; each displacement is a channel of the result. Patches are compared by the mean
    of the products of their elements in all channels, or of the sizes of their differences without `is_multiply`.

    - C1: both operands are of one type of rank 4 with known channels, rows and columns.
    - C2: `kernel_size` is odd, the strides are at least 1, and the other numbers are not negative.
    - C3: the padded image holds a patch with its displacements.
  }];
  let arguments = (ins Relay_Tensor:$data1, Relay_Tensor:$data2, DefaultValuedAttr<I64Attr, "1">:$kernel_size,
                   DefaultValuedAttr<I64Attr, "1">:$max_displacement, DefaultValuedAttr<I64Attr, "1">:$stride1,
                   DefaultValuedAttr<I64Attr, "1">:$stride2, DefaultValuedAttr<I64Attr, "0">:$padding,
                   DefaultValuedAttr<BoolAttr, "true">:$is_multiply);
  let results = (outs Relay_Tensor:$result);
}

def Relay_VisionRoiPoolOp : Relay_Op<"vision.roi_pool"> {
  let summary = "the greatest elements of the cells of regions";
  let description = [{
    Data are [n, c, h, w]. A region of `rois` is the number of its image, and the x and y of its first and last pixel, which are
    multiplied by `spatial_scale` and rounded. It is split into `pooled_size` = [rows, columns] cells, which overlap where pixels do
    not split evenly; a cell without pixels of the image is 0. ONNX: `MaxRoiPool`.

    - C1: data are of rank 4, rois are [m, 5] of the same element type.
    - C2: `pooled_size` holds two extents of at least 1.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$rois, DenseI64ArrayAttr:$pooled_size, F64Attr:$spatial_scale);
  let results = (outs Relay_Tensor:$result);
}

def Relay_VisionRoiAlignOp : Relay_Op<"vision.roi_align"> {
  let summary = "the means or greatest samples of the cells of regions";
  let description = [{
    Data are [n, c, h, w], and `rois` [m, 5]: the number of a sample, and x1, y1, x2, y2, which times `spatial_scale` are places in the image. A
    region is at least one pixel wide and high. It is divided into `pooled_size` cells, and a cell into `sample_ratio` times as many parts, or, if that
    is not positive, as many as it is pixels wide and high, rounded up. A cell is the mean (`mode` `avg`) or the maximum (`max`) of the image in the
    middle of its parts, between the four pixels around. A place more than a pixel outside of the image is 0. ONNX: `RoiAlign`.

    - C1: data are of rank 4, rois are [m, 5] of the same element type.
    - C2: `pooled_size` holds two extents of at least 1.
    - C3: `layout` is NCHW or NHWC.
    - C4: `mode` is `avg` or `max`.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$rois, DenseI64ArrayAttr:$pooled_size, F64Attr:$spatial_scale,
                   DefaultValuedAttr<I64Attr, "-1">:$sample_ratio, DefaultValuedAttr<StrAttr, "\"NCHW\"">:$layout,
                   DefaultValuedAttr<StrAttr, "\"avg\"">:$mode);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnDeformableConv2dOp : Relay_Op<"nn.deformable_conv2d"> {
  let summary = "a convolution whose windows' elements lie where offsets say";
  let description = [{
    The result is that of `relay.nn.conv2d`, whose attributes have the same meanings, but each element of a window is read at a place that is moved by an offset. `offset`
    has a y and an x for each element of a window and each of `deformable_groups` groups of channels, for each place of the result: with the layout
    NCHW, it is [n, 2 * groups * kh * kw, oh, ow]. The image is 0 outside, and between its pixels the mean of the four around, by
    their distance; beyond the last row or column it is as there (Dai et al., Deformable Convolutional Networks, 2017).

    - C1: the layouts are NCHW and OIHW, or NHWC and HWIO.
    - C2: data, offset and weight are of rank 4 and of one element type, and fit each other.
    - C3: `strides` and `dilation` hold numbers of each dimension, from 1 to 2^30, and `padding` four from 0 to 2^30.
    - C4: a window fits into the padded data.
    - C5: `groups` and `deformable_groups` divide the channels.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$offset, Relay_Tensor:$weight,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$padding,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$dilation,
                   DefaultValuedAttr<I64Attr, "1">:$deformable_groups, DefaultValuedAttr<I64Attr, "1">:$groups,
                   DefaultValuedAttr<StrAttr, "\"NCHW\"">:$data_layout, DefaultValuedAttr<StrAttr, "\"OIHW\"">:$kernel_layout);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_SAMPLING_TD
