#ifndef RELAY_BLOCKS_TD
#define RELAY_BLOCKS_TD

include "relay/RelayDialect.td"

// Weights of few bits: the numbers of a block of a row share a scale and a zero point.

def Relay_NnDenseBlocksOp : Relay_Op<"nn.dense_blocks"> {
  let summary = "data x transpose(weight), with a weight of few bits and a scale for each of its blocks";
  let description = [{
    result[m, u] = sum over k of data[m, k] * w[u, k], where w[u, k] = (q[u, k] - zero_points[u, k/b]) * scales[u, k/b].
    The unsigned numbers q have `bits` bits. The weight is of bytes, [units, blocks, bytes of a block]; a byte holds whole
    numbers, the first one in its lowest bits. A block has b numbers, all that its bytes hold. What is left of the last one
    is not read. ONNX Runtime: `MatMulNBits`.

    - C1: the data is of rank 2, the weight of rank 3 and of unsigned bytes.
    - C2: scales are floats of shape [units, blocks]; zero points are of that shape, too, or of rank 0.
    - C3: `bits` is 2, 4 or 8, and a block has whole 32-bit words.
    - C4: the blocks are as many as the data's columns need.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, Relay_Tensor:$scales, Relay_Tensor:$zero_points,
                   I64Attr:$bits);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnDequantizeBlocksOp : Relay_Op<"nn.dequantize_blocks"> {
  let summary = "the numbers that a weight of few bits stands for";
  let description = [{
    result[u, k] = (q[u, k] - zero_points[u, k/b]) * scales[u, k/b], of a weight as `nn.dense_blocks` has it, for the first
    `columns` numbers of a row. `qnn-legalize` makes `nn.dense_blocks` of a product with it; elsewhere, a known one is computed
    at compile time. ONNX: `DequantizeLinear` with `block_size`.

    - C1: the weight is of rank 3 and of unsigned bytes.
    - C2: scales are floats of shape [units, blocks]; zero points are of that shape, too, or of rank 0.
    - C3: `bits` is 2, 4 or 8, and a block has whole 32-bit words.
    - C4: the blocks are as many as `columns` need.
  }];
  let arguments = (ins Relay_Tensor:$weight, Relay_Tensor:$scales, Relay_Tensor:$zero_points, I64Attr:$bits, I64Attr:$columns);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnContribDenseBlocksPackOp : Relay_Op<"nn.contrib_dense_blocks_pack"> {
  let summary = "dense_blocks with the weight packed to [units/l, words, l]";
  let description = [{
    Like `nn.dense_blocks`, with a weight of 32-bit words [units/l, words of a row, l]. The word of 32/`bits` neighbours of a row
    has its number 4p + j in the bits from 8j + `bits` p on, so that a shift and a mask make four bytes of it. Scales and zero
    points lie in blocks of l units likewise. `alter-op-layout` makes it of `nn.dense_blocks`.

    - C1: the data is of rank 2, the weight of rank 3 and of 32-bit integers.
    - C2: scales are floats of shape [units/l, blocks, l]; zero points are of that shape, too, or of rank 0.
    - C3: `bits` is 2, 4 or 8, and a block has whole words.
    - C4: the words are as many as the data's columns need.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, Relay_Tensor:$scales, Relay_Tensor:$zero_points,
                   I64Attr:$bits);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnContribQuantizeBlocksOp : Relay_Op<"nn.contrib_quantize_blocks"> {
  let summary = "rows of numbers as integers of several bytes, with a scale for each block";
  let description = [{
    data[m, k] is nearly scales[m, k/b] * q[m, k], where the greatest |q| of a block of `block` numbers is the greatest one of
    `digits` signed bytes: 127 for one, 8355711 for three, which is as exact as f32 is for a block's greatest number. q is the
    sum of 256^(digits - 1 - d) * digit d. The results are the digits of four neighbours as the bytes of a word,
    [digits, m, k/4], the scales, and the sum of each block's q, both as f32 and of shape [m, blocks]. `alter-op-layout` makes
    it for `nn.contrib_dense_digits_pack`.

    - C1: the data is of rank 2, and its columns are whole blocks.
    - C2: `block` is a multiple of 4, `digits` is 1, 2 or 3.
  }];
  let arguments = (ins Relay_Tensor:$data, I64Attr:$block, I64Attr:$digits);
  let results = (outs Relay_Tensor:$words, Relay_Tensor:$scales, Relay_Tensor:$sums);
}

def Relay_NnContribDenseDigitsPackOp : Relay_Op<"nn.contrib_dense_digits_pack"> {
  let summary = "contrib_dense_blocks_pack of quantised data: products of bytes, summed up in integers for each block";
  let description = [{
    `nn.contrib_dense_blocks_pack` of what `nn.contrib_quantize_blocks` made: its three results, then weight, scales and zero
    points. Products of a block are exact; blocks are summed up in f32. `alter-op-layout` makes it where the processor
    multiplies bytes.

    - C1: the words are of rank 3, and the weight is of rank 3; both are of 32-bit integers.
    - C2: scales are floats of shape [units/l, blocks, l]; zero points are of that shape, too, or of rank 0.
    - C3: `bits` is 2, 4 or 8, and a block has whole words.
    - C4: scales and sums of the data are f32 of shape [m, blocks].
  }];
  let arguments = (ins Relay_Tensor:$words, Relay_Tensor:$data_scales, Relay_Tensor:$data_sums, Relay_Tensor:$weight,
                   Relay_Tensor:$scales, Relay_Tensor:$zero_points, I64Attr:$bits);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_BLOCKS_TD
