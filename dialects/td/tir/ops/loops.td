#ifndef TIR_LOOPS_TD
#define TIR_LOOPS_TD

include "tir/TirDialect.td"

def Tir_ForOp : Tir_Op<"for", [SingleBlock, NoTerminator, RecursiveMemoryEffects,
                               DeclareOpInterfaceMethods<LoopLikeOpInterface, ["getLoopInductionVars",
                                   "getLoopLowerBounds", "getLoopUpperBounds", "getLoopSteps"]>,
                               DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "a counted loop from a lower bound to before an upper one, in steps of one";
  let description = [{
    `kind` is the kind of execution: `serial`, which is not written; `parallel` (its iterations are independent, and
    threads share them); `vectorized` (becomes vector instructions); `unrolled`; `thread_binding` (an axis of a grid of
    threads, which `thread` names).

    A bound is a number or a value. `static_bounds` has the lower and the upper bound. If an entry is the smallest
    64-bit number, the bound is the next one of `dynamic_bounds`, as in upstream's lists of static and dynamic indices.
    `name` is the variable's name, for people.

    - C1: the body takes one `index`
    - C2: there is one value for each bound that is not static
    - C3: exactly a loop of kind `thread_binding` has a `thread`

    ```mlir
    tir.for %y.outer = 0 to 8 parallel {
      tir.for %x = 0 to %width {
        ...
      }
    }
    tir.for %block = 0 to 64 thread_binding blockIdx.x {
      ...
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$dynamic_bounds, DenseI64ArrayAttr:$static_bounds, Tir_LoopKind:$kind,
                   OptionalAttr<Tir_Thread>:$thread, OptionalAttr<StrAttr>:$name);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
}

#endif // TIR_LOOPS_TD
