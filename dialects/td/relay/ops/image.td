#ifndef RELAY_IMAGE_TD
#define RELAY_IMAGE_TD

include "relay/RelayDialect.td"

// Data resampled to the extents `size` along its spatial dimensions.
class Relay_ImageResizeOp<string mnemonic, string doc, string defaultLayout> : Relay_Op<mnemonic> {
  let summary = doc;
  let description = [{
    Where an element of the result lies in the data, per dimension, `coordinate_transformation_mode`
    says, for the element x of n, of data with m elements:

    | mode | coordinate |
    |---|---|
    | `half_pixel` | (x + 1/2) m / n - 1/2 |
    | `pytorch_half_pixel` | the same; 0 if n = 1 |
    | `tf_half_pixel_for_nn` | (x + 1/2) m / n |
    | `asymmetric` | x m / n |
    | `align_corners` | x (m - 1) / (n - 1); 0 if n = 1 |

    Coordinates before the first element or after the last are moved to it. `method` is
    `nearest_neighbor`, the element at the coordinate rounded as `rounding_method` says, or
    `linear`, the elements around the coordinate weighted by how near they are; integers are
    interpolated as floats and then truncated. ONNX: `Resize`, `Upsample`.

    - C1: the rank is that of `layout`, which names N, C and the spatial dimensions.
    - C2: `size` holds one extent of at least 1 per spatial dimension.
    - C3: `method`, `coordinate_transformation_mode` and `rounding_method` (`round`, halves up;
      `round_prefer_floor`, halves down; `round_prefer_ceil`, halves up; `floor`; `ceil`) are known.
    - C4: the spatial dimensions of the data have at least one element each.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Extents:$size,
                   DefaultValuedAttr<StrAttr, "\"" # defaultLayout # "\"">:$layout,
                   DefaultValuedAttr<StrAttr, "\"linear\"">:$method,
                   DefaultValuedAttr<StrAttr, "\"half_pixel\"">:$coordinate_transformation_mode,
                   DefaultValuedAttr<StrAttr, "\"round_prefer_floor\"">:$rounding_method);
  let results = (outs Relay_Tensor:$result);
}

def Relay_ImageResize1dOp
    : Relay_ImageResizeOp<"image.resize1d", "a line at another size", "NCW">;
def Relay_ImageResize2dOp
    : Relay_ImageResizeOp<"image.resize2d", "an image at another size", "NCHW">;
def Relay_ImageResize3dOp
    : Relay_ImageResizeOp<"image.resize3d", "a volume at another size", "NCDHW">;

def Relay_NnUpsamplingOp : Relay_Op<"nn.upsampling"> {
  let summary = "an image enlarged by a factor in each dimension";
  let description = [{
    As `image.resize2d` to the height times `scale_h` and the width times `scale_w`, rounded, halves
    to even. The coordinates are `align_corners`, with `round` for the nearest element, if that
    attribute is set, else `asymmetric`, with `floor`.

    - C1: the rank is that of `layout`.
    - C2: the scales are positive and leave at least one element.
    - C3: `method` is `nearest_neighbor` or `bilinear`.
    - C4: the spatial dimensions of the data have at least one element each.
  }];
  let arguments = (ins Relay_Tensor:$data, F64Attr:$scale_h, F64Attr:$scale_w,
                   DefaultValuedAttr<StrAttr, "\"NCHW\"">:$layout,
                   DefaultValuedAttr<StrAttr, "\"nearest_neighbor\"">:$method,
                   DefaultValuedAttr<BoolAttr, "false">:$align_corners);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnUpsampling3dOp : Relay_Op<"nn.upsampling3d"> {
  let summary = "a volume enlarged by a factor in each dimension";
  let description = [{
    As `image.resize3d` to each extent times its scale, rounded, halves to even. The nearest element
    is that at the coordinate rounded by `round` for `align_corners`, else by `floor`.

    - C1: the rank is that of `layout`.
    - C2: the scales are positive and leave at least one element.
    - C3: `method` is `nearest_neighbor` or `trilinear`, and `coordinate_transformation_mode` one of
      those of `image.resize3d`.
    - C4: the spatial dimensions of the data have at least one element each.
  }];
  let arguments = (ins Relay_Tensor:$data, F64Attr:$scale_d, F64Attr:$scale_h, F64Attr:$scale_w,
                   DefaultValuedAttr<StrAttr, "\"NCDHW\"">:$layout,
                   DefaultValuedAttr<StrAttr, "\"nearest_neighbor\"">:$method,
                   DefaultValuedAttr<StrAttr, "\"half_pixel\"">:$coordinate_transformation_mode);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_IMAGE_TD
