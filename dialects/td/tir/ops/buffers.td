#ifndef TIR_BUFFERS_TD
#define TIR_BUFFERS_TD

include "tir/TirDialect.td"

def Tir_AllocBufferOp : Tir_Op<"alloc_buffer",
    [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a buffer that lives until the end of its block";
  let description = [{
    Its scope is the memory space of its type. No memory space means memory that the threads share. `#tir.scope<local>`
    means registers or stack of the thread that runs the enclosing code. `name` is the buffer's name, for people; the
    parser reads it from the name of the result.

    A buffer whose extents are open says its dimensions in `dims`, as numbers and forms of symbols.

    - C1: the shape is static, or `dims` says it
    - C2: the memory space, if there is one, is a scope other than `global`
    - C3: the elements are of an element type, or `index`
    - C4: it takes at most 2^47 bytes, which is all that a process can address

    ```mlir
    %conv2d.local = tir.alloc_buffer : memref<6x16xf32, #tir.scope<local>>
    ```
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$name, OptionalAttr<ArrayAttr>:$dims);
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$buffer);
  let assemblyFormat = "custom<ResultName>($name) attr-dict `:` type($buffer)";
}

def Tir_AllocateConstOp : Tir_Op<"allocate_const", [Pure]> {
  let summary = "a buffer with content that is known at compile time";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyMemRef:$buffer);
  let assemblyFormat = "attr-dict `:` type($buffer)";
}

#endif // TIR_BUFFERS_TD
