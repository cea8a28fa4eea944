#ifndef RELAY_REFERENCE_TD
#define RELAY_REFERENCE_TD

include "relay/RelayDialect.td"

def Relay_RefCreateOp : Op<Relay_Dialect, "ref_create", [HostVerify]> {
  let summary = "makes a place that holds a value";
  let description = [{
    Each evaluation makes a new place. TVM: `RefCreate`.

    - C1: the result is a reference to the operand's type.

    ```mlir
    %0 = relay.ref_create %x : (tensor<f32>) -> !relay.ref<tensor<f32>>
    ```
  }];
  let arguments = (ins AnyType:$value);
  let results = (outs Res<AnyType, "", [MemAlloc]>:$reference);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Relay_RefReadOp : Op<Relay_Dialect, "ref_read", [HostVerify]> {
  let summary = "the value that a place holds";
  let description = [{
    TVM: `RefRead`.

    - C1: the operand is a reference to the result's type.
  }];
  let arguments = (ins Arg<AnyType, "", [MemRead]>:$reference);
  let results = (outs AnyType:$value);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Relay_RefWriteOp : Op<Relay_Dialect, "ref_write", [HostVerify]> {
  let summary = "puts a value into a place";
  let description = [{
    The result is an empty tuple. TVM: `RefWrite`.

    - C1: the first operand is a reference to the second one's type.
    - C2: the result is `tuple<>`.
  }];
  let arguments = (ins Arg<AnyType, "", [MemWrite]>:$reference, AnyType:$value);
  let results = (outs AnyType:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

#endif // RELAY_REFERENCE_TD
