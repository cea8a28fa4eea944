#ifndef TIR_BUFFERS_TD
#define TIR_BUFFERS_TD

include "tir/TirDialect.td"

def Tir_AllocBufferOp : Tir_Op<"alloc_buffer",
    [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a buffer that lives until the end of its block";
  let description = [{
    `scope` is `global` (memory, shared by the threads) or `local` (registers or stack of the
    thread that runs the enclosing code). `name` is the buffer's, for people, and is read from the name of the
    result.

    ```mlir
    %conv2d.local = tir.alloc_buffer local : memref<6x16xf32>
    ```
  }];
  let arguments = (ins Tir_Scope:$scope, OptionalAttr<StrAttr>:$name);
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$buffer);
  let assemblyFormat = "$scope `` custom<ResultName>($name) attr-dict `:` type($buffer)";
}

def Tir_AllocateConstOp : Tir_Op<"allocate_const", [Pure]> {
  let summary = "a buffer whose content is known at compile time";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyMemRef:$buffer);
  let assemblyFormat = "attr-dict `:` type($buffer)";
}

#endif // TIR_BUFFERS_TD
