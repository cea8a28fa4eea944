#ifndef RELAY_BITS_TD
#define RELAY_BITS_TD

include "relay/RelayDialect.td"

// What the descriptions of operators on few bits say of them.
class Relay_FewBits {
  string text = " Only the lowest bits of the operands count. With `unipolar`, a bit of a weight that is not set counts as -1, and else as 0: a weight w of n bits "
      "is 2 w - (2^n - 1), or w. Sums are of `out_dtype`, i16 by default, and wrap. `pack_dtype` says something to kernels on packed bits.\n\n";
}

def Relay_NnBitpackOp : Relay_Op<"nn.bitpack"> {
  let summary = "the bits of numbers, packed into words";
  let description = [{
    The lowest `bits` bits of the data are packed along `pack_axis`: those of the first of as many numbers as a word of `pack_type` has bits become the
    highest ones. A new axis `bit_axis` has a word for each of the bits, the lowest first.

    - C1: `bits` is from 1 to 8.
    - C2: `pack_axis` is within the rank, and `bit_axis` from 0 to the rank.
    - C3: `pack_type` is an unsigned integer, and its number of bits divides the extent of `pack_axis`.
  }];
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<I64Attr, "1">:$bits, DefaultValuedAttr<I64Attr, "1">:$pack_axis,
                   DefaultValuedAttr<I64Attr, "-1">:$bit_axis, TypeAttr:$pack_type,
                   DefaultValuedAttr<StrAttr, "\"BitPack\"">:$name);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnBitserialDenseOp : Relay_Op<"nn.bitserial_dense"> {
  let summary = "a product of matrices of numbers of few bits";
  let description = "As `relay.nn.dense`: data [..., k] and weight [units, k] make [..., units]." # Relay_FewBits<>.text # [{
    - C1: data and weight are of integers and fit each other; the weight is of rank 2.
    - C2: `data_bits` and `weight_bits` are from 1 to 8.
    - C5: `out_dtype` is an integer type.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, DefaultValuedAttr<I64Attr, "1">:$data_bits,
                   DefaultValuedAttr<I64Attr, "1">:$weight_bits, OptionalAttr<TypeAttr>:$pack_dtype,
                   OptionalAttr<TypeAttr>:$out_dtype, DefaultValuedAttr<BoolAttr, "true">:$unipolar);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnBitserialConv2dOp : Relay_Op<"nn.bitserial_conv2d"> {
  let summary = "a convolution of numbers of few bits";
  let description = "As `relay.nn.conv2d`, with one group and no dilation." # Relay_FewBits<>.text # [{
    - C1: data and weight are of integers, of rank 4, and fit each other.
    - C2: `activation_bits` and `weight_bits` are from 1 to 8.
    - C3: `strides` hold numbers of each dimension, from 1 to 2^30, and `padding` four from 0 to 2^30.
    - C4: a window fits into the padded data.
    - C5: `out_dtype` is an integer type.
    - C6: the layouts are NCHW and OIHW, or NHWC and HWIO.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$padding,
                   DefaultValuedAttr<I64Attr, "1">:$activation_bits, DefaultValuedAttr<I64Attr, "1">:$weight_bits,
                   DefaultValuedAttr<StrAttr, "\"NCHW\"">:$data_layout, DefaultValuedAttr<StrAttr, "\"OIHW\"">:$kernel_layout,
                   OptionalAttr<TypeAttr>:$pack_dtype, OptionalAttr<TypeAttr>:$out_dtype,
                   DefaultValuedAttr<BoolAttr, "true">:$unipolar);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnContribConv2dGemmWeightTransformOp : Relay_Op<"nn.contrib_conv2d_gemm_weight_transform"> {
  let summary = "the weight of a convolution in tiles of a matrix";
  let description = [{
    The weight [kh, kw, i, o] is a matrix of k = kh * kw * i rows and n = o columns, filled up with zeros to multiples of 4 `tile_K` rows and of `tile_N`
    columns. The result has its tiles: [n / tile_N, k / tile_K, tile_K, tile_N], and of integers of 8 bits
    [n / tile_N, k / tile_K, tile_N, tile_K].

    - C1: the weight is of rank 4 and of known extents.
    - C2: `tile_N` and `tile_K` are from 1 to 2^30.
  }];
  let arguments = (ins Relay_Tensor:$weight, I64Attr:$tile_N, I64Attr:$tile_K);
  let results = (outs Relay_Tensor:$result);
}

def Relay_NnContribConv2dGemmWithoutWeightTransformOp : Relay_Op<"nn.contrib_conv2d_gemm_without_weight_transform"> {
  let summary = "a convolution by a weight in tiles of a matrix";
  let description = [{
    The convolution of data NHWC by what `relay.nn.contrib_conv2d_gemm_weight_transform` made of a weight of `channels` outputs and `kernel_size`.
    Sums are of `out_dtype`, or else of the data's element type.

    - C1: data and weight are of rank 4 and of one element type, and the layouts are NHWC and HWIO.
    - C2: the tiles hold the weight.
    - C3: `kernel_size`, `strides` and `dilation` hold numbers of each dimension, from 1 to 2^30, and `padding` four from 0 to 2^30.
    - C4: a window fits into the padded data.
    - C5: `groups` is 1.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$weight, DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$strides,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$padding,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$dilation, DefaultValuedAttr<I64Attr, "1">:$groups,
                   I64Attr:$channels, DenseI64ArrayAttr:$kernel_size,
                   DefaultValuedAttr<StrAttr, "\"NHWC\"">:$data_layout, DefaultValuedAttr<StrAttr, "\"HWIO\"">:$kernel_layout,
                   OptionalAttr<TypeAttr>:$out_dtype);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_BITS_TD
