"""Relay's operators of `image`. `cargo xtask docs` writes this module from the operators' declarations."""

from __future__ import annotations

from typing import Any, Optional

from ..expr import Expr, Ints, call

__all__ = [
    "affine_grid",
    "crop_and_resize",
    "dilation2d",
    "grid_sample",
    "resize1d",
    "resize2d",
    "resize3d",
]


def affine_grid(data: Any, target_shape: Ints) -> Expr:
    """Where the pixels of an image come from under an affine map.

    Data [n, 2, 3] are maps from the places of the result's pixels, from -1 to 1 along both axes, to those of another
    image. The result is [n, 2, rows, columns] for `target_shape` = [rows, columns]: an x and a y for each pixel.

    - C1: data are [n, 2, 3].
    - C2: `target_shape` holds two extents of at least 2.
    """
    return call("image.affine_grid", (data,), target_shape=target_shape)


def crop_and_resize(
    data: Any,
    boxes: Any,
    box_indices: Any,
    crop_size: Ints,
    method: Optional[Any] = None,
    extrapolation_value: Optional[float] = None,
) -> Expr:
    """Boxes of images, resized to one size.

    Data are [n, c, h, w]. `boxes` has y1, x1, y2, x2 for each box, in parts of height and width, and `box_indices` the
    image that it is of. The first and last pixels of the result are at the box's edges; a single one is in its middle.
    Places outside of the image have `extrapolation_value`. `method` is `bilinear` or `nearest_neighbor`.

    - C1: data are of rank 4, boxes are [m, 4] of the same element type, and `box_indices` m integers.
    - C2: `crop_size` holds two extents of at least 1.
    - C3: `method` is `bilinear` or `nearest_neighbor`.
    """
    return call(
        "image.crop_and_resize",
        (data, boxes, box_indices),
        crop_size=crop_size,
        method=method,
        extrapolation_value=extrapolation_value,
    )


def dilation2d(data: Any, weight: Any, strides: Ints, padding: Ints, dilations: Ints) -> Expr:
    """The greatest sum of an element of a window and its weight.

    Grayscale dilation: data [n, c, h, w] and weights [c, kh, kw] make [n, c, rows, columns], as a convolution of each
    channel does, with the greatest sum in the place of the sum of products. `padding` is the top, left, bottom and
    right one; padding is never the greatest.

    - C1: data are of rank 4, weights of rank 3, and they have one element type and the same channels.
    - C2: `strides` and `dilations` hold two numbers of at least 1, `padding` four that are not negative.
    - C3: a window fits into the padded data.
    """
    return call("image.dilation2d", (data, weight), strides=strides, padding=padding, dilations=dilations)


def grid_sample(
    data: Any,
    grid: Any,
    method: Optional[Any] = None,
    padding_mode: Optional[Any] = None,
    align_corners: Optional[Any] = None,
) -> Expr:
    """The pixels of an image at places that a grid says.

    Data are [n, c, h, w], `grid` is [n, 2, rows, columns]: an x and a y from -1 to 1 for each pixel of the result,
    which is [n, c, rows, columns]. With `align_corners`, -1 and 1 are the centers of the first and last pixel, else
    their outer edges. `method` is `bilinear` or `nearest`. Outside of the image, `padding_mode` `zeros` has zeros, and
    `border` the pixel at the border. ONNX: `GridSample`, with the coordinates in the last dimension.

    - C1: data and grid are of rank 4 and of one element type, and fit each other.
    - C2: `method` is `bilinear` or `nearest`.
    - C3: `padding_mode` is `zeros` or `border`.
    """
    return call(
        "image.grid_sample",
        (data, grid),
        method=method,
        padding_mode=padding_mode,
        align_corners=align_corners,
    )


def resize1d(
    data: Any,
    size: Any,
    layout: Optional[Any] = None,
    method: Optional[Any] = None,
    coordinate_transformation_mode: Optional[Any] = None,
    rounding_method: Optional[Any] = None,
) -> Expr:
    """A line at another size.

    Where an element of the result lies in the data, per dimension, `coordinate_transformation_mode` says, for the
    element x of n, of data with m elements:

    | mode | coordinate | |---|---| | `half_pixel` | (x + 1/2) m / n - 1/2 | | `pytorch_half_pixel` | the same; 0 if n =
    1 | | `tf_half_pixel_for_nn` | (x + 1/2) m / n | | `asymmetric` | x m / n | | `align_corners` | x (m - 1) / (n - 1);
    0 if n = 1 |

    Coordinates before the first element or after the last are moved to it. `method` is `nearest_neighbor`, the element
    at the coordinate rounded as `rounding_method` says, or `linear`, the elements around the coordinate weighted by how
    near they are; integers are interpolated as floats and then truncated. ONNX: `Resize`, `Upsample`.

    - C1: the rank is that of `layout`, which names N, C and the spatial dimensions.
    - C2: `size` holds one extent of at least 1 per spatial dimension.
    - C3: `method`, `coordinate_transformation_mode` and `rounding_method` (`round`, halves up; `round_prefer_floor`,
      halves down; `round_prefer_ceil`, halves up; `floor`; `ceil`) are known.
    - C4: the spatial dimensions of the data have at least one element each.
    """
    return call(
        "image.resize1d",
        (data,),
        size=size,
        layout=layout,
        method=method,
        coordinate_transformation_mode=coordinate_transformation_mode,
        rounding_method=rounding_method,
    )


def resize2d(
    data: Any,
    size: Any,
    layout: Optional[Any] = None,
    method: Optional[Any] = None,
    coordinate_transformation_mode: Optional[Any] = None,
    rounding_method: Optional[Any] = None,
) -> Expr:
    """An image at another size.

    Where an element of the result lies in the data, per dimension, `coordinate_transformation_mode` says, for the
    element x of n, of data with m elements:

    | mode | coordinate | |---|---| | `half_pixel` | (x + 1/2) m / n - 1/2 | | `pytorch_half_pixel` | the same; 0 if n =
    1 | | `tf_half_pixel_for_nn` | (x + 1/2) m / n | | `asymmetric` | x m / n | | `align_corners` | x (m - 1) / (n - 1);
    0 if n = 1 |

    Coordinates before the first element or after the last are moved to it. `method` is `nearest_neighbor`, the element
    at the coordinate rounded as `rounding_method` says, or `linear`, the elements around the coordinate weighted by how
    near they are; integers are interpolated as floats and then truncated. ONNX: `Resize`, `Upsample`.

    - C1: the rank is that of `layout`, which names N, C and the spatial dimensions.
    - C2: `size` holds one extent of at least 1 per spatial dimension.
    - C3: `method`, `coordinate_transformation_mode` and `rounding_method` (`round`, halves up; `round_prefer_floor`,
      halves down; `round_prefer_ceil`, halves up; `floor`; `ceil`) are known.
    - C4: the spatial dimensions of the data have at least one element each.
    """
    return call(
        "image.resize2d",
        (data,),
        size=size,
        layout=layout,
        method=method,
        coordinate_transformation_mode=coordinate_transformation_mode,
        rounding_method=rounding_method,
    )


def resize3d(
    data: Any,
    size: Any,
    layout: Optional[Any] = None,
    method: Optional[Any] = None,
    coordinate_transformation_mode: Optional[Any] = None,
    rounding_method: Optional[Any] = None,
) -> Expr:
    """A volume at another size.

    Where an element of the result lies in the data, per dimension, `coordinate_transformation_mode` says, for the
    element x of n, of data with m elements:

    | mode | coordinate | |---|---| | `half_pixel` | (x + 1/2) m / n - 1/2 | | `pytorch_half_pixel` | the same; 0 if n =
    1 | | `tf_half_pixel_for_nn` | (x + 1/2) m / n | | `asymmetric` | x m / n | | `align_corners` | x (m - 1) / (n - 1);
    0 if n = 1 |

    Coordinates before the first element or after the last are moved to it. `method` is `nearest_neighbor`, the element
    at the coordinate rounded as `rounding_method` says, or `linear`, the elements around the coordinate weighted by how
    near they are; integers are interpolated as floats and then truncated. ONNX: `Resize`, `Upsample`.

    - C1: the rank is that of `layout`, which names N, C and the spatial dimensions.
    - C2: `size` holds one extent of at least 1 per spatial dimension.
    - C3: `method`, `coordinate_transformation_mode` and `rounding_method` (`round`, halves up; `round_prefer_floor`,
      halves down; `round_prefer_ceil`, halves up; `floor`; `ceil`) are known.
    - C4: the spatial dimensions of the data have at least one element each.
    """
    return call(
        "image.resize3d",
        (data,),
        size=size,
        layout=layout,
        method=method,
        coordinate_transformation_mode=coordinate_transformation_mode,
        rounding_method=rounding_method,
    )
