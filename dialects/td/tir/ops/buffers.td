#ifndef TIR_BUFFERS_TD
#define TIR_BUFFERS_TD

include "tir/TirDialect.td"

def Tir_AllocBufferOp : Tir_Op<"alloc_buffer"> {
  let summary = "a buffer that lives until the end of its block";
  let description = [{
    `scope` is `global` (memory, shared by the threads) or `local` (registers or stack of the
    thread that runs the enclosing code).
  }];
  let arguments = (ins StrAttr:$scope);
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$buffer);
  let assemblyFormat = "$scope attr-dict `:` type($buffer)";
}

def Tir_AllocateConstOp : Tir_Op<"allocate_const", [Pure]> {
  let summary = "a buffer whose content is known at compile time";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyMemRef:$buffer);
  let assemblyFormat = "attr-dict `:` type($buffer)";
}

#endif // TIR_BUFFERS_TD
