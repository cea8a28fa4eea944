#ifndef RELAY_GRADIENTS_TD
#define RELAY_GRADIENTS_TD

include "relay/RelayDialect.td"

class Relay_PoolGradOp<string mnemonic, string doc, string text, list<dag> more> : Relay_Op<mnemonic> {
  let summary = doc;
  let description = text # [{ The first operand is the gradient of the pool's result, the second its data. The other attributes are those
    of the pool.

    - C1: `layout` names N, C and two spatial dimensions; the data has its rank.
    - C2: `pool_size` holds two numbers from 1 to 2^30.
    - C3: `strides` and `dilation` hold numbers of each dimension, from 1 to 2^30, and `padding` four from 0 to 2^30.
    - C4: a window fits into the padded data.
    - C5: the gradient has the type of the pool's result.
    - C6: `dilation` is 1.
  }];
  defvar common = (ins Relay_Tensor:$out_grad, Relay_Tensor:$data, DenseI64ArrayAttr:$pool_size,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$dilation,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$padding,
                   DefaultValuedAttr<StrAttr, "\"NCHW\"">:$layout,
                   DefaultValuedAttr<BoolAttr, "false">:$ceil_mode);
  let arguments = !foldl(common, more, all, one, !con(all, one));
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnMaxPool2dGradOp : Relay_PoolGradOp<"nn.max_pool2d_grad", "the gradient of max_pool2d with respect to its data",
    "The gradient of a window goes to the first of its largest elements.", []>;

def Relay_NnAvgPool2dGradOp : Relay_PoolGradOp<"nn.avg_pool2d_grad", "the gradient of avg_pool2d with respect to its data",
    "The gradient of a window is shared by the elements that the pool counts.",
    [(ins DefaultValuedAttr<BoolAttr, "false">:$count_include_pad)]>;

def Relay_NnConv2dBackwardWeightOp : Relay_Op<"nn.conv2d_backward_weight"> {
  let summary = "the gradient of a convolution with respect to its weight";
  let description = [{
    `grad` [n, o, oh, ow] is the gradient of the convolution's result, and `data` [n, i, h, w] its data. The result
    is [o, i / groups, kh, kw] for `kernel_size` = [kh, kw]. The other attributes are those of `relay.nn.conv2d`; `data_layout` is that of
    the gradient, `kernel_layout` that of the data, and `out_layout` that of the result.

    - C1: the layouts are NCHW, NCHW and OIHW.
    - C2: gradient and data are of rank 4 and of one element type, and have one batch.
    - C3: `kernel_size`, `strides` and `dilation` hold numbers of each dimension, from 1 to 2^30, and `padding` four from 0 to 2^30.
    - C4: a window fits into the padded data.
    - C5: `groups` divides both numbers of channels.
    - C6: the convolution has a result of the gradient's shape.
  }];
  let arguments = (ins Relay_Tensor:$grad, Relay_Tensor:$data, DenseI64ArrayAttr:$kernel_size,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$padding,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$dilation, DefaultValuedAttr<I64Attr, "1">:$groups,
                   DefaultValuedAttr<StrAttr, "\"NCHW\"">:$data_layout, DefaultValuedAttr<StrAttr, "\"NCHW\"">:$kernel_layout,
                   DefaultValuedAttr<StrAttr, "\"OIHW\"">:$out_layout);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_GRADIENTS_TD
