#ifndef TIR_LOOPS_TD
#define TIR_LOOPS_TD

include "tir/TirDialect.td"

def Tir_ForOp : Tir_Op<"for", [SingleBlock, NoTerminator, RecursiveMemoryEffects]> {
  let summary = "a counted loop from `lower` to before `upper`, in steps of one";
  let description = [{
    `kind` is how it will run: `serial`, `parallel` (its iterations are independent and shared
    among threads), `vectorized` (becomes vector instructions), `unrolled`, `thread_binding` (an axis
    of a grid of threads, named by `thread`).

    ```mlir
    tir.for %lower to %upper "parallel" {
    ^bb0(%i: index):
      ...
    }
    ```
  }];
  let arguments = (ins Index:$lower, Index:$upper, StrAttr:$kind, OptionalAttr<StrAttr>:$thread);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$lower `to` $upper $kind attr-dict-with-keyword $body";
}

#endif // TIR_LOOPS_TD
