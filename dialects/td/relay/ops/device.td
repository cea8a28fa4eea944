#ifndef RELAY_DEVICE_TD
#define RELAY_DEVICE_TD

include "relay/RelayDialect.td"

def Relay_OnDeviceOp : Relay_Op<"on_device"> {
  let summary = "says on which device a value lies";
  let description = [{
    It computes nothing: the result is the operand, which may be of any type. It says that the operand lies on the device
    (`constrain_body`), that the result does (`constrain_result`), or both; with neither, only that `plan-devices` may put
    a `relay.device_copy` here. TVM: `on_device`.

    A device is written as its kind, its number and the memory of it, `cuda:1@global.texture`. Each of the three may be
    left out, and then is not constrained. The kinds are `cpu`, `cuda`, `opencl`, `vulkan`, `metal`, `rocm`, `ext_dev`,
    `webgpu` and `hexagon`.

    - C1: `virtual_device` is a device that is written so.
    - C2: what is constrained is constrained to something: the device is not empty then.

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
    The result is the operand, in memory of the other device; it may be of any type. Devices are written as for
    `relay.on_device`. TVM: `device_copy`.

    - C1: both are devices that are written so, and not empty.

    ```mlir
    %0 = relay.device_copy %x {src_virtual_device = "cpu:0", dst_virtual_device = "cuda:0"} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins AnyType:$data, StrAttr:$src_virtual_device, StrAttr:$dst_virtual_device);
  let results = (outs AnyType:$result);
}

#endif // RELAY_DEVICE_TD
