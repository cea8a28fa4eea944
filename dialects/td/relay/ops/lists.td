#ifndef RELAY_LISTS_TD
#define RELAY_LISTS_TD

include "relay/RelayDialect.td"

// Sums or products of the elements up to each one.
class Relay_CumulativeOp<string mnemonic, string doc> : Relay_Op<mnemonic> {
  let summary = doc;
  let description = [{
    `axis` counts from the end if negative. The numbers are converted to `dtype` first; without it, they have their own type. With
    `exclusive`, the element itself does not count.

    - C1: `axis` is within the rank.
    - C2: `dtype` is an integer or float type.
  }];
  let arguments = (ins Relay_Tensor:$data, I64Attr:$axis, OptionalAttr<TypeAttr>:$dtype,
                   DefaultValuedAttr<BoolAttr, "false">:$exclusive);
  let results = (outs Relay_Tensor:$result);
}

def Relay_CumsumOp : Relay_CumulativeOp<"cumsum", "the sums of the elements along axis up to each one">;
def Relay_CumprodOp : Relay_CumulativeOp<"cumprod", "the products of the elements along axis up to each one">;

def Relay_InvertPermutationOp : Relay_Op<"invert_permutation"> {
  let summary = "the place of each subscript in a list of all subscripts";
  let description = [{
    result[data[i]] = i. Places of subscripts that are not in the list are undefined.

    - C1: `data` are integers of rank 1.
  }];
  let arguments = (ins Relay_Tensor:$data);
  let results = (outs Relay_Tensor:$result);
}

def Relay_SearchsortedOp : Relay_Op<"searchsorted"> {
  let summary = "where each value would stand in a sorted list";
  let description = [{
    It is the first place at which the list, rising along its last dimension, stays sorted: before equal elements or, with `right`,
    behind them. The list has rank 1, or a line for each line of `values`.

    - C1: both operands have one element type, and the dimensions of a list of lists are those of `values` but for the last one.
    - C2: `dtype` is an integer type.
  }];
  let arguments = (ins Relay_Tensor:$sorted_sequence, Relay_Tensor:$values,
                   DefaultValuedAttr<BoolAttr, "false">:$right, TypeAttr:$dtype);
  let results = (outs Relay_Tensor:$result);
}

def Relay_SparseToDenseOp : Relay_Op<"sparse_to_dense"> {
  let summary = "values at subscripts, and a number everywhere else";
  let description = [{
    `sparse_indices` has a line of subscripts for each value, or is a list of them for a result of rank 1. Subscripts beyond the
    extents are left out; of values at one place the last one counts.

    - C1: `sparse_indices` are integers that fit `output_shape`.
    - C2: `sparse_values` are as many, or one of rank 0; `default_value` is of rank 0 and of their element type.
    - C3: the extents are known and not negative.
  }];
  let arguments = (ins Relay_Tensor:$sparse_indices, Relay_Tensor:$sparse_values, Relay_Tensor:$default_value,
                   DenseI64ArrayAttr:$output_shape);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_LISTS_TD
