#ifndef RELAY_VOLUME_TD
#define RELAY_VOLUME_TD

include "relay/RelayDialect.td"

def Relay_NnContribConv3dWinogradWeightTransformOp : Relay_Op<"nn.contrib_conv3d_winograd_weight_transform"> {
  let summary = "the weight of a conv3d as Winograd's algorithm needs it";
  let description = [{
    [o, i, depth, height, width] becomes [alpha, alpha, alpha, o, i], if the depth is from 3 to 7, and else
    [alpha, alpha, depth, o, i]: height and width are transformed only. An alpha is `tile_size` + the kernel's extent - 1.

    - C1: the weight is of rank 5, and its last three dimensions are known and at least 1.
    - C2: `tile_size` is at least 2, and alpha at most 8.
  }];
  let arguments = (ins Relay_Tensor:$weight, I64Attr:$tile_size);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnContribConv3dWinogradWithoutWeightTransformOp : Relay_Op<
    "nn.contrib_conv3d_winograd_without_weight_transform"> {
  let summary = "conv3d by Winograd's algorithm, with a transformed weight";
  let description = [{
    The result of `relay.nn.conv3d` on data NCDHW, by what `relay.nn.contrib_conv3d_winograd_weight_transform` with the same
    `tile_size` made of a weight of `kernel_size`.

    - C1: data and weight are of rank 5 and of one element type, and the layouts are NCDHW and OIDHW.
    - C2: the weight is a transformed one of `kernel_size`, and has the data's channels as inputs.
    - C3: `kernel_size` holds three extents from 1 to 2^30, `strides` and `dilation` are 1, and `padding` holds six numbers from 0 to 2^30.
    - C4: a window fits into the padded data.
    - C5: `groups` is 1.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, I64Attr:$tile_size, DenseI64ArrayAttr:$kernel_size,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1, 1}">:$strides,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0, 0, 0}">:$padding,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1, 1}">:$dilation, DefaultValuedAttr<I64Attr, "1">:$groups,
                   DefaultValuedAttr<StrAttr, "\"NCDHW\"">:$data_layout, DefaultValuedAttr<StrAttr, "\"OIDHW\"">:$kernel_layout);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_VOLUME_TD
