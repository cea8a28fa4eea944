#ifndef RELAY_REDUCE_TD
#define RELAY_REDUCE_TD

include "relay/RelayDialect.td"

// A reduction over the axes `axis`, which count from the end if negative. `keepdims` leaves
// dimensions of 1 behind; `exclude` reduces over all other axes.
class Relay_ReduceOp<string mnemonic, string doc> : Relay_Op<mnemonic> {
  let summary = doc;
  let arguments = (ins Relay_Tensor:$data, DenseI64ArrayAttr:$axis,
                   DefaultValuedAttr<BoolAttr, "false">:$keepdims,
                   DefaultValuedAttr<BoolAttr, "false">:$exclude);
  let results = (outs Relay_Tensor:$result);
}

// The subscript of an extreme element; the first one unless `select_last_index`.
class Relay_ArgReduceOp<string mnemonic, string doc> : Relay_Op<mnemonic> {
  let summary = doc;
  let arguments = (ins Relay_Tensor:$data, DenseI64ArrayAttr:$axis,
                   DefaultValuedAttr<BoolAttr, "false">:$keepdims,
                   DefaultValuedAttr<BoolAttr, "false">:$select_last_index);
  let results = (outs Relay_Tensor:$result);
}

def Relay_SumOp : Relay_ReduceOp<"sum", "the sum of elements">;
def Relay_MeanOp : Relay_ReduceOp<"mean", "the mean of elements">;
def Relay_MaxOp : Relay_ReduceOp<"max", "the largest element">;
def Relay_MinOp : Relay_ReduceOp<"min", "the smallest element">;
def Relay_ProdOp : Relay_ReduceOp<"prod", "the product of elements">;
def Relay_AllOp : Relay_ReduceOp<"all", "whether all elements hold">;
def Relay_AnyOp : Relay_ReduceOp<"any", "whether any element holds">;
def Relay_ArgmaxOp : Relay_ArgReduceOp<"argmax", "where the largest element is, as i64">;
def Relay_ArgminOp : Relay_ArgReduceOp<"argmin", "where the smallest element is, as i64">;

def Relay_VarianceOp : Relay_Op<"variance"> {
  let summary = "the mean squared distance of elements from their mean";
  let description = [{
    sum((data - mean)^2) / n, or / (n - 1) if `unbiased`, over axes that are given as for `mean`. The
    mean is an operand, because what needs the variance mostly needs the mean, too.

    - C1: the axes are within the rank, and each is given once.
    - C2: `mean` has the rank of `data` and broadcasts to its shape.
    - C3: both are of the same float type.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$mean, DenseI64ArrayAttr:$axis,
                   DefaultValuedAttr<BoolAttr, "false">:$keepdims,
                   DefaultValuedAttr<BoolAttr, "false">:$exclude,
                   DefaultValuedAttr<BoolAttr, "false">:$unbiased);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_REDUCE_TD
