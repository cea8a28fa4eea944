#ifndef RELAY_SORT_TD
#define RELAY_SORT_TD

include "relay/RelayDialect.td"

// What the descriptions of operators that sort say of the order.
class Relay_Order {
  string text = "Along `axis`, which counts from the end if negative. The order rises with `is_ascend`, and falls without it. "
      "Equal elements keep their order, and NaN counts as greater than all numbers.";
  string constraint = "- C1: the axis is within the rank.\n";
  string dtype = "- C2: `dtype` is i32 or i64.\n";
}

def Relay_SortOp : Relay_Op<"sort"> {
  let summary = "the elements of an axis in sorted order";
  let description = Relay_Order<>.text # "\n\n" # Relay_Order<>.constraint;
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<I64Attr, "-1">:$axis,
                   DefaultValuedAttr<BoolAttr, "true">:$is_ascend);
  let results = (outs Relay_Tensor:$result);
}

def Relay_ArgsortOp : Relay_Op<"argsort"> {
  let summary = "the subscripts of the elements of an axis, in sorted order";
  let description = Relay_Order<>.text # "\n\n" # Relay_Order<>.constraint # Relay_Order<>.dtype;
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<I64Attr, "-1">:$axis,
                   DefaultValuedAttr<BoolAttr, "true">:$is_ascend, TypeAttr:$dtype);
  let results = (outs Relay_Tensor:$result);
}

def Relay_TopkOp : Relay_Op<"topk"> {
  let summary = "the first elements of an axis in sorted order, and their subscripts";
  let description = "The first `k`, or all if `k` is less than 1. " # Relay_Order<>.text # " `ret_type` selects the "
      "results: \"values\" (the elements), \"indices\" (their subscripts) or \"both\". ONNX: `TopK`.\n\n"
      # Relay_Order<>.constraint # Relay_Order<>.dtype
      # "- C3: the axis has `k` elements.\n- C4: `ret_type` is one of the three.\n";
  let arguments = (ins Relay_Tensor:$data, DefaultValuedAttr<I64Attr, "1">:$k,
                   DefaultValuedAttr<I64Attr, "-1">:$axis, DefaultValuedAttr<StrAttr, "\"both\"">:$ret_type,
                   DefaultValuedAttr<BoolAttr, "false">:$is_ascend, TypeAttr:$dtype);
  let results = (outs Variadic<Relay_Tensor>:$results);
}

#endif // RELAY_SORT_TD
