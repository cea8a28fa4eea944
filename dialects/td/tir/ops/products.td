#ifndef TIR_PRODUCTS_TD
#define TIR_PRODUCTS_TD

include "tir/TirDialect.td"

def Tir_DotBytesOp : Tir_Op<"dot_bytes", [Pure, SameOperandsAndResultType]> {
  let summary = "the sum of the products of the four bytes in two words";
  let description = [{
    The bytes of `lhs` are unsigned, those of `rhs` signed. The sum is exact: it lies between -130560 and 129540. On
    vectors, it is that of each lane. `lower-byte-dots` writes an instruction for it, and for the sum that it is added to,
    such as AVX512-VNNI's `vpdpbusd`. Unlike AVX2's `vpmaddubsw`, no instruction that it writes saturates.

    ```mlir
    %sum = tir.dot_bytes %lhs, %rhs : vector<16xi32>
    ```
  }];
  let arguments = (ins AnyTypeOf<[I32, VectorOfNonZeroRankOf<[I32]>]>:$lhs,
                   AnyTypeOf<[I32, VectorOfNonZeroRankOf<[I32]>]>:$rhs);
  let results = (outs AnyTypeOf<[I32, VectorOfNonZeroRankOf<[I32]>]>:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

#endif // TIR_PRODUCTS_TD
