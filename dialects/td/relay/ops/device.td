#ifndef RELAY_DEVICE_TD
#define RELAY_DEVICE_TD

include "relay/RelayDialect.td"

def Relay_OnDeviceOp : Relay_Op<"on_device"> {
  let summary = "constrains the device of a value";
  let description = [{
    It computes nothing: the result is the operand, of any type. It constrains the device of the operand
    (`constrain_body`), of the result (`constrain_result`), or of both. With neither, it only allows `plan-devices` to
    insert a `relay.device_copy` here. TVM: `on_device`.

    A device is a kind, a number and a memory, `cuda:1@global.texture`. Each of the three may be omitted, and is then
    unconstrained. The kinds are `cpu`, `cuda`, `opencl`, `vulkan`, `metal`, `rocm`, `ext_dev`, `webgpu` and `hexagon`.

    - C1: `virtual_device` is a valid device.
    - C2: with a constraint, the device is not empty.

    ```mlir
    %0 = relay.on_device %x {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins AnyType:$body, DefaultValuedAttr<StrAttr, "\"\"">:$virtual_device,
                   DefaultValuedAttr<BoolAttr, "false">:$constrain_result,
                   DefaultValuedAttr<BoolAttr, "true">:$constrain_body);
  let results = (outs AnyType:$result);
}

def Relay_DeviceCopyOp : Relay_Op<"device_copy"> {
  let summary = "copies a value from one device to another";
  let description = [{
    The result is the operand in the other device's memory, of any type. Devices are written as for `relay.on_device`.
    TVM: `device_copy`.

    - C1: both are valid devices, and not empty.

    ```mlir
    %0 = relay.device_copy %x {src_virtual_device = "cpu:0", dst_virtual_device = "cuda:0"} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins AnyType:$data, StrAttr:$src_virtual_device, StrAttr:$dst_virtual_device);
  let results = (outs AnyType:$result);
}

#endif // RELAY_DEVICE_TD
