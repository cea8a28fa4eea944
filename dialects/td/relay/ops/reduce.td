#ifndef RELAY_REDUCE_TD
#define RELAY_REDUCE_TD

include "relay/RelayDialect.td"

// A reduction over some axes.
class Relay_ReduceOp<string mnemonic, string doc, string onnx = "">
    : Relay_Op<mnemonic> {
  let summary = doc;
  let description = "Over the axes `axis`, which count from the end if negative, or over all if "
      "`axis` is empty, its default: " # doc # ". `exclude` reduces over the other axes instead, and `keepdims` keeps "
      "the dimensions with extent 1; both are false by default. The result has the element type of the data."
      # Relay_Onnx<onnx>.text # "\n\n"
      "- C1: the axes are within the rank, and each is given once.\n";
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$axis,
                   DefaultValuedAttr<BoolAttr, "false">:$keepdims,
                   DefaultValuedAttr<BoolAttr, "false">:$exclude);
  let results = (outs Relay_Tensor:$result);
}

class Relay_ArgReduceOp<string mnemonic, string doc, string onnx = ""> : Relay_Op<mnemonic> {
  let summary = doc;
  let description = "Along the one axis in `axis`, which counts from the end if negative: " # doc
      # ". Of equal elements it is the first, or the last with `select_last_index`. `keepdims` keeps the dimension "
      "with extent 1. Both are false by default." # Relay_Onnx<onnx>.text # "\n\n"
      "- C1: the axis is within the rank.\n"
      "- C2: `axis` holds one axis.\n";
  let arguments = (ins Relay_Tensor:$data, DenseI64ArrayAttr:$axis,
                   DefaultValuedAttr<BoolAttr, "false">:$keepdims,
                   DefaultValuedAttr<BoolAttr, "false">:$select_last_index);
  let results = (outs Relay_Tensor:$result);
}

def Relay_SumOp : Relay_ReduceOp<"sum", "the sum of elements", "`ReduceSum`">;
def Relay_MeanOp : Relay_ReduceOp<"mean", "the mean of elements", "`ReduceMean`">;
def Relay_MaxOp : Relay_ReduceOp<"max", "the largest element", "`ReduceMax`">;
def Relay_MinOp : Relay_ReduceOp<"min", "the smallest element", "`ReduceMin`">;
def Relay_ProdOp : Relay_ReduceOp<"prod", "the product of elements", "`ReduceProd`">;
def Relay_AllOp : Relay_ReduceOp<"all", "whether all elements hold", "`ReduceMin` of booleans">;
def Relay_AnyOp : Relay_ReduceOp<"any", "whether any element holds", "`ReduceMax` of booleans">;
def Relay_ArgmaxOp
    : Relay_ArgReduceOp<"argmax", "the subscript of the largest element, as i64", "`ArgMax`">;
def Relay_ArgminOp
    : Relay_ArgReduceOp<"argmin", "the subscript of the smallest element, as i64", "`ArgMin`">;

def Relay_VarianceOp : Relay_Op<"variance"> {
  let summary = "the mean squared distance of elements from their mean";
  let description = [{
    sum((data - mean)^2) / n, or / (n - 1) if `unbiased`, over axes as for `mean`. The mean is an operand, because users
    of the variance usually need the mean, too.

    - C1: the axes are within the rank, and each is given once.
    - C2: `mean` has the rank of `data` and broadcasts to its shape.
    - C3: both are of the same element type.
  }];
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$mean,
                   DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$axis,
                   DefaultValuedAttr<BoolAttr, "false">:$keepdims,
                   DefaultValuedAttr<BoolAttr, "false">:$exclude,
                   DefaultValuedAttr<BoolAttr, "false">:$unbiased);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_REDUCE_TD
