#ifndef RELAY_SCATTER_TD
#define RELAY_SCATTER_TD

include "relay/RelayDialect.td"

// What the descriptions of operators that scatter say of the updates.
class Relay_Updates<string how> {
  string text = "A subscript is taken modulo the extent, so -1 is the last one, and nothing outside is written. " # how
      # " combines an element and its update: \"update\", the default, writes the update, and \"add\", \"mul\", \""
        "min\" and \"max\" write the result of the operator. Updates of one element are applied in memory order.";
}

def Relay_ScatterElementsOp : Relay_Op<"scatter_elements"> {
  let summary = "data with updates of elements along axis, chosen by indices: one for each index";
  let description = "For `axis` = 1 of three: result[i, indices[i, j, k], k] = updates[i, j, k]. "
      # Relay_Updates<"`reduction`">.text # " ONNX: `ScatterElements`.\n\n"
      "- C1: the indices are integers of the rank of `data`.\n"
      "- C2: `axis` is one of them; if there are indices, there are elements along it.\n"
      "- C3: there is an update for each index, of the element type of `data`.\n"
      "- C4: in the other dimensions there are at most as many indices as elements.\n"
      "- C5: `reduction` is one of the five.\n- C6: booleans, and elements that are only stored, are only updated.\n";
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$indices, Relay_Tensor:$updates,
                   DefaultValuedAttr<I64Attr, "0">:$axis, DefaultValuedAttr<StrAttr, "\"update\"">:$reduction);
  let results = (outs Relay_Tensor:$result);
}

def Relay_ScatterNdOp : Relay_Op<"scatter_nd"> {
  let summary = "data with updates of parts, chosen by lists of subscripts";
  let description = "The first dimension of the indices has the subscripts of the first dimensions of data. For two "
      "of three: result[indices[0, i], indices[1, i], k] = updates[i, k]. " # Relay_Updates<"`mode`">.text #
      " ONNX: `ScatterND`, with subscripts in the last dimension.\n\n"
      "- C1: the indices are integers, and of rank 1 or more.\n"
      "- C2: there are at most as many subscripts as dimensions; if there are lists of them, there are elements to "
      "choose.\n"
      "- C3: there is an update for each list, of the element type and of the other dimensions of `data`.\n"
      "- C5: `mode` is one of the five.\n"
      "- C6: booleans, and elements that are only stored, are only updated.\n";
  let arguments = (ins Relay_Tensor:$data, Relay_Tensor:$indices, Relay_Tensor:$updates,
                   DefaultValuedAttr<StrAttr, "\"update\"">:$mode);
  let results = (outs Relay_Tensor:$result);
}

def Relay_CacheUpdateOp : Relay_Op<"cache_update"> {
  let summary = "a cache with new rows written from a position on";
  let description = [{
    Along `axis`, the rows of `update` replace those of `cache` from `position` on: one number for all samples, or one for
    each, where dimension 0 counts samples. For `axis` = 1 of three: result[i, position[i] + j, k] = update[i, j, k]. Where
    the entry's input is the cache and may lie in the memory of the result (`relay.donated`), only the new rows are written.

    The rows must be rows of the cache: `check-cache-updates` has a library report it if they are not. Rows outside are never
    written. ONNX: `TensorScatter`, and `GroupQueryAttention` of ONNX Runtime.

    ```mlir
    %all = relay.cache_update %cache, %new, %position {axis = 2 : i64}
      : (tensor<2x4x64x16xf32>, tensor<2x4x1x16xf32>, tensor<2xi64>) -> tensor<2x4x64x16xf32>
    ```

    - C1: `axis`, which counts from the end if negative, is within the rank.
    - C2: `update` has the element type and the dimensions of `cache`, but for at most as many rows along `axis`.
    - C3: `position` is an integer of rank 0, or there is one for each index of dimension 0, which is not `axis` then.
  }];
  let arguments = (ins Relay_Tensor:$cache, Relay_Tensor:$update, Relay_Tensor:$position, I64Attr:$axis);
  let results = (outs Relay_Tensor:$result);
}

#endif // RELAY_SCATTER_TD
