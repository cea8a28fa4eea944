// Devices in Relay's own text: in the metadata, on parameters, functions and operators; and back to the same text.
// RUN: split-file %s %t
// RUN: relay-translate --from-relay-text %t/devices.relay | relay-opt --infer-type > %t/devices.mlir
// RUN: FileCheck %s --input-file %t/devices.mlir
// RUN: relay-translate --to-relay-text %t/devices.mlir > %t/again.relay
// RUN: FileCheck %s --input-file %t/again.relay --check-prefix=TEXT
// RUN: relay-translate --from-relay-text %t/again.relay | relay-opt | diff %t/devices.mlir -
// RUN: not relay-translate --from-relay-text %t/missing.relay 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not relay-translate --from-relay-text %t/operands.relay 2>&1 | FileCheck %s --check-prefix=OPERANDS
// RUN: not relay-translate --from-relay-text %t/attribute.relay 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
// RUN: not relay-translate --from-relay-text %t/kind.relay 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not relay-translate --from-relay-text %t/value.relay 2>&1 | FileCheck %s --check-prefix=VALUE

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg0: tensor<4xf32> {relay.name = "x", relay.virtual_device = "cpu:0"}, %arg1: tensor<4xf32> {relay.name = "y"}
// CHECK-SAME: attributes {relay.virtual_device = "cuda:1@global.texture"}
// CHECK-NEXT: relay.fn(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> attributes {relay.param_devices = ["cpu:0", ""], relay.virtual_device = "opencl"}
// CHECK: relay.on_device %arg0 {constrain_result = true, virtual_device = "cpu:0"}
// CHECK: relay.on_device %arg1 {constrain_body = false, constrain_result = true, virtual_device = "@global.texture"}
// CHECK: relay.on_device %{{.+}} {constrain_body = false}
// CHECK: relay.device_copy %{{.+}} {dst_virtual_device = "cuda:1@global.texture", src_virtual_device = "opencl"}
// TEXT: def @main(%x {virtual_device=meta[VirtualDevice][0]}: Tensor[(4), float32], %y: Tensor[(4), float32], virtual_device=meta[VirtualDevice][1])
// TEXT: fn (%a {virtual_device=meta[VirtualDevice][0]}: Tensor[(4), float32], %b: Tensor[(4), float32], virtual_device=meta[VirtualDevice][2])
// TEXT: on_device(%x, virtual_device=meta[VirtualDevice][0], constrain_result=True)
// TEXT: on_device(%y, virtual_device=meta[VirtualDevice][3], constrain_result=True, constrain_body=False)
// TEXT: on_device(%{{.+}}, constrain_body=False)
// TEXT: device_copy(%{{.+}}, src_virtual_device=meta[VirtualDevice][2], dst_virtual_device=meta[VirtualDevice][1])
// MISSING: the metadata has no device 0
// OPERANDS: it has 1 operand, but is given 2
// ATTRIBUTE: it has no attribute 'device'
// VALUE: a device is written as meta[VirtualDevice][...]
// KIND: metadata: device 0 is of kind 99, which nothing here knows

//--- devices.relay
#[version = "0.0.5"]
def @main(%x {virtual_device=meta[VirtualDevice][0]}: Tensor[(4), float32], %y: Tensor[(4), float32], virtual_device=meta[VirtualDevice][1]) {
  let %f = fn (%a {virtual_device=meta[VirtualDevice][0]}, %b, virtual_device=meta[VirtualDevice][2]) {
    add(%a, %b)
  };
  %0 = on_device(%x, virtual_device=meta[VirtualDevice][0], constrain_result=True);
  %1 = on_device(%y, virtual_device=meta[VirtualDevice][3], constrain_body=False, constrain_result=1);
  %2 = %f(%0, %1);
  %3 = on_device(%2, constrain_body=0);
  device_copy(%3, src_virtual_device=meta[VirtualDevice][2], dst_virtual_device=meta[VirtualDevice][1])
}

#[metadata]
{
  "root": 1,
  "nodes": [
    {"type_key": ""},
    {"type_key": "Map", "keys": ["VirtualDevice"], "data": [2]},
    {"type_key": "Array", "data": [3, 4, 5, 6]},
    {"type_key": "VirtualDevice", "attrs": {"device_type_int": "1", "memory_scope": "7", "target": "0", "virtual_device_id": "0"}},
    {"type_key": "VirtualDevice", "attrs": {"device_type_int": "2", "memory_scope": "8", "target": "9", "virtual_device_id": "1"}},
    {"type_key": "VirtualDevice", "attrs": {"device_type_int": "4", "memory_scope": "7", "target": "0", "virtual_device_id": "-1"}},
    {"type_key": "VirtualDevice", "attrs": {"device_type_int": "-1", "memory_scope": "8", "target": "0", "virtual_device_id": "-1"}},
    {"type_key": "runtime.String"},
    {"type_key": "runtime.String", "repr_str": "global.texture"},
    {"type_key": "Target", "attrs": {"host": "0"}}
  ],
  "b64ndarrays": [],
  "attrs": {"tvm_version": "0.18.0"}
}

//--- missing.relay
def @main(%x {virtual_device=meta[VirtualDevice][0]}: float32) { %x }

//--- operands.relay
def @main(%x: float32) { on_device(%x, %x) }

//--- attribute.relay
def @main(%x: float32) { on_device(%x, device=1) }

//--- value.relay
def @main(%x: float32) { on_device(%x, virtual_device="cpu") }

//--- kind.relay
def @main(%x: float32) { %x }
#[metadata]
{"root": 1, "nodes": [{"type_key": ""}, {"type_key": "Map", "keys": ["VirtualDevice"], "data": [2]}, {"type_key": "Array", "data": [3]},
 {"type_key": "VirtualDevice", "attrs": {"device_type_int": "99", "memory_scope": "0", "target": "0", "virtual_device_id": "0"}}]}
