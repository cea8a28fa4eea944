#ifndef RELAY_BATCH_SPACE_TD
#define RELAY_BATCH_SPACE_TD

include "relay/RelayDialect.td"

def Relay_NnSpaceToBatchNDOp : Relay_Op<"nn.space_to_batch_nd"> {
  let summary = "moves the positions in blocks of space into separate batches";
  let description = [{
    The dimensions after the first one are spatial. Their number is the length of `block_shape`, [1, 1] by default.
    `paddings` has the numbers of elements before and after each of them; the elements are `pad_value`, 0 by default.
    Then space is cut into blocks of `block_shape`. For n batches, position [r, s] of each block [b0, b1] goes into the
    batches (r * b1 + s) * n to (r * b1 + s) * n + n - 1 of the result: data [n, h, w, c] becomes [n * b0 * b1, h / b0,
    w / b1, c]. A convolution of the result is a dilated convolution of the data (`flatten-atrous-conv`).

    - C1: the data has a dimension for the batch and one for each number in `block_shape`, which is at least 1.
    - C2: `paddings` holds two numbers of at least 0 for each number in `block_shape`.
    - C3: the blocks divide the padded dimensions.
    - C4: `pad_value` is a value of the element type.
  }];
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$block_shape,
                   DenseI64ArrayAttr:$paddings, DefaultValuedAttr<F64Attr, "0.0">:$pad_value);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnBatchToSpaceNDOp : Relay_Op<"nn.batch_to_space_nd"> {
  let summary = "moves batches to positions in blocks of space: the inverse of nn.space_to_batch_nd";
  let description = [{
    Data [n * b0 * b1, h, w, c] becomes [n, h * b0, w * b1, c] for a `block_shape` of [b0, b1], [1, 1] by default. The
    elements at [y, x] of the batches (r * b1 + s) * n to (r * b1 + s) * n + n - 1 go to [y * b0 + r, x * b1 + s]. Then
    `crops` elements before and after each spatial dimension are dropped.

    - C1: the data has a dimension for the batch and one for each number in `block_shape`, which is at least 1.
    - C2: `crops` holds two numbers of at least 0 for each number in `block_shape`.
    - C3: the product of `block_shape` divides the batch.
    - C4: `crops` drops no more elements of a dimension than it has.
  }];
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$block_shape,
                   DenseI64ArrayAttr:$crops);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_BATCH_SPACE_TD
