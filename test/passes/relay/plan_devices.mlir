// A device for each value; a second run changes nothing. The cases are those of TVM's tests of the pass.
// RUN: relay-opt %s --plan-devices=cuda --split-input-file > %t.mlir
// RUN: FileCheck %s --input-file %t.mlir
// RUN: relay-opt %t.mlir --plan-devices=cuda --split-input-file | diff %t.mlir -

// Where nothing is said, all is on the default device.
// CHECK-LABEL: func.func @plain(
// CHECK-SAME: %arg0: tensor<4xf32> {relay.virtual_device = "cuda:0"}, %arg1: tensor<4xf32> {relay.virtual_device = "cuda:0"}
// CHECK-SAME: attributes {relay.virtual_device = "cuda:0"}
// CHECK-NEXT: relay.add %arg0, %arg1
// CHECK-NEXT: return
func.func @plain(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Parameters lie where the operator that reads them does, and its result is copied.
// CHECK-LABEL: func.func @left_add_on_cpu(
// CHECK-SAME: %arg0: tensor<4xf32> {relay.virtual_device = "cpu:0"}, %arg1: tensor<4xf32> {relay.virtual_device = "cpu:0"}
// CHECK-SAME: %arg2: tensor<4xf32> {relay.virtual_device = "cuda:0"}, %arg3: tensor<4xf32> {relay.virtual_device = "cuda:0"}
// CHECK-SAME: attributes {relay.virtual_device = "cuda:0"}
// CHECK-NEXT: %[[ADD:.+]] = relay.add %arg0, %arg1
// CHECK-NEXT: %[[OTHER:.+]] = relay.add %arg2, %arg3
// CHECK-NEXT: %[[ON:.+]] = relay.on_device %[[ADD]] {constrain_result = true, virtual_device = "cpu:0"}
// CHECK-NEXT: %[[COPY:.+]] = relay.device_copy %[[ON]] {dst_virtual_device = "cuda:0", src_virtual_device = "cpu:0"}
// CHECK-NEXT: relay.subtract %[[COPY]], %[[OTHER]]
func.func @left_add_on_cpu(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.on_device %0 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.add %c, %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.subtract %1, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// A copy that is there says the same.
// CHECK-LABEL: func.func @left_add_on_cpu_via_copy(
// CHECK-SAME: %arg0: tensor<4xf32> {relay.virtual_device = "cpu:0"}, %arg1: tensor<4xf32> {relay.virtual_device = "cpu:0"}
// CHECK-SAME: %arg2: tensor<4xf32> {relay.virtual_device = "cuda:0"}, %arg3: tensor<4xf32> {relay.virtual_device = "cuda:0"}
// CHECK: %[[ADD:.+]] = relay.add %arg0, %arg1
// CHECK-NEXT: %[[ON:.+]] = relay.on_device %[[ADD]] {constrain_result = true, virtual_device = "cpu:0"}
// CHECK-NEXT: %[[COPY:.+]] = relay.device_copy %[[ON]] {dst_virtual_device = "cuda:0", src_virtual_device = "cpu:0"}
// CHECK: relay.subtract %[[COPY]]
func.func @left_add_on_cpu_via_copy(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.device_copy %0 {src_virtual_device = "cpu", dst_virtual_device = "cuda:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.add %c, %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.subtract %1, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @both_adds_on_cpu(
// CHECK-COUNT-4: relay.virtual_device = "cpu:0"
// CHECK-SAME: attributes {relay.virtual_device = "cuda:0"}
// CHECK-COUNT-2: relay.device_copy %{{.+}} {dst_virtual_device = "cuda:0", src_virtual_device = "cpu:0"}
// CHECK: relay.subtract
func.func @both_adds_on_cpu(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.add %c, %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.on_device %0 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.on_device %1 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = relay.subtract %2, %3 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// One value with two marks.
// CHECK-LABEL: func.func @sharing(
// CHECK: %[[ADD:.+]] = relay.add %arg0, %arg1
// CHECK-NEXT: relay.on_device %[[ADD]]
// CHECK-NEXT: %[[A:.+]] = relay.device_copy
// CHECK-NEXT: relay.on_device %[[ADD]]
// CHECK-NEXT: %[[B:.+]] = relay.device_copy
// CHECK-NEXT: relay.subtract %[[A]], %[[B]]
func.func @sharing(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.on_device %0 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.on_device %0 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.subtract %1, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// What a function gives stays where its mark says, and the call gives it there: so all is on the cpu.
// CHECK-LABEL: func.func @func_param_on_cpu(
// CHECK-COUNT-4: relay.virtual_device = "cpu:0"
// CHECK-SAME: attributes {relay.virtual_device = "cpu:0"}
// CHECK-NEXT: relay.fn(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {relay.param_devices = ["cpu:0", "cpu:0"], relay.virtual_device = "cpu:0"} {
// CHECK-NEXT: %[[ADD:.+]] = relay.add %x, %y
// CHECK-NEXT: relay.yield %[[ADD]]
// CHECK-NOT: on_device
// CHECK-NOT: device_copy
// CHECK: return
func.func @func_param_on_cpu(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %f = relay.fn(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %0 = relay.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %1 = relay.on_device %0 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
    relay.yield %1 : tensor<4xf32>
  }
  %2 = relay.call %f(%a, %b) : ((tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.add %c, %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = relay.subtract %2, %3 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// What is said of a call holds for the function.
// CHECK-LABEL: func.func @func_result_on_cpu(
// CHECK-SAME: %arg1: tensor<4xf32> {relay.virtual_device = "cpu:0"}, %arg2: tensor<4xf32> {relay.virtual_device = "cuda:0"}
// CHECK: relay.fn{{.*}} attributes {relay.param_devices = ["cpu:0", "cpu:0"], relay.virtual_device = "cpu:0"} {
// CHECK: %[[CALL:.+]] = relay.call
// CHECK: %[[ON:.+]] = relay.on_device %[[CALL]] {constrain_result = true, virtual_device = "cpu:0"}
// CHECK-NEXT: relay.device_copy %[[ON]]
func.func @func_result_on_cpu(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %f = relay.fn(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %0 = relay.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    relay.yield %0 : tensor<4xf32>
  }
  %1 = relay.call %f(%a, %b) : ((tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.on_device %1 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.add %c, %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = relay.subtract %2, %3 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// -----

// What is said of %a inside of what %f gives holds for the argument %y; a parameter needs no mark when it is copied.
// CHECK-LABEL: func.func @higher_order(
// CHECK-SAME: %arg0: tensor<4xf32> {relay.virtual_device = "cuda:0"}, %arg1: tensor<4xf32> {relay.virtual_device = "cpu:0"}
// CHECK: relay.fn(%g: {{.*}} attributes {relay.param_devices = ["cuda:0"], relay.virtual_device = "cuda:0"}
// CHECK-NEXT: relay.fn(%a: tensor<4xf32>) -> tensor<4xf32> attributes {relay.param_devices = ["cpu:0"], relay.virtual_device = "cuda:0"}
// CHECK-NEXT: %[[COPY:.+]] = relay.device_copy %a {dst_virtual_device = "cuda:0", src_virtual_device = "cpu:0"}
// CHECK-NEXT: relay.call %g(%[[COPY]])
// CHECK: relay.fn(%b: tensor<4xf32>) -> tensor<4xf32> attributes {relay.param_devices = ["cuda:0"], relay.virtual_device = "cuda:0"}
// CHECK: %[[OUTER:.+]] = relay.call
// CHECK: %[[ON:.+]] = relay.on_device
func.func @higher_order(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %f = relay.fn(%g: (tensor<4xf32>) -> tensor<4xf32>) -> ((tensor<4xf32>) -> tensor<4xf32>) {
    %0 = relay.fn(%a: tensor<4xf32>) -> tensor<4xf32> {
      %1 = relay.on_device %a {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
      %2 = relay.call %g(%1) : ((tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %3 = relay.add %2, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      relay.yield %3 : tensor<4xf32>
    }
    relay.yield %0 : (tensor<4xf32>) -> tensor<4xf32>
  }
  %h = relay.fn(%b: tensor<4xf32>) -> tensor<4xf32> {
    %0 = relay.negative %b : (tensor<4xf32>) -> tensor<4xf32>
    relay.yield %0 : tensor<4xf32>
  }
  %4 = relay.call %f(%h) : (((tensor<4xf32>) -> tensor<4xf32>) -> ((tensor<4xf32>) -> tensor<4xf32>), (tensor<4xf32>) -> tensor<4xf32>) -> ((tensor<4xf32>) -> tensor<4xf32>)
  %5 = relay.negative %y : (tensor<4xf32>) -> tensor<4xf32>
  %6 = relay.call %4(%5) : ((tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %7 = relay.subtract %x, %6 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %7 : tensor<4xf32>
}

// -----

// A function in a tuple has its parameters and its result where the tuple lies.
// CHECK-LABEL: func.func @function_in_tuple(
// CHECK-COUNT-2: relay.virtual_device = "cpu:0"
// CHECK-SAME: attributes {relay.virtual_device = "cpu:0"}
// CHECK-NEXT: relay.fn{{.*}} attributes {relay.param_devices = ["cpu:0", "cpu:0"], relay.virtual_device = "cpu:0"}
// CHECK-NOT: device_copy
// CHECK: return
func.func @function_in_tuple(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %f = relay.fn(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
    %0 = relay.on_device %b {virtual_device = "cpu:0", constrain_result = true} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = relay.add %a, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    relay.yield %1 : tensor<4xf32>
  }
  %t = relay.tuple %f, %x : ((tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>) -> tuple<(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>>
  %2 = relay.tuple_get %t {index = 1} : (tuple<(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>
  %3 = relay.tuple_get %t {index = 0} : (tuple<(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>>) -> ((tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>)
  %4 = relay.call %3(%2, %y) : ((tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// -----

// A constant lies where it is read.
// CHECK-LABEL: func.func @device_copy(
// CHECK-SAME: %arg0: tensor<4xf32> {relay.virtual_device = "cpu:0"}
// CHECK-NEXT: %[[C:.+]] = relay.constant
// CHECK-NEXT: %[[ADD:.+]] = relay.add %arg0, %[[C]]
// CHECK-NEXT: %[[ON:.+]] = relay.on_device %[[ADD]] {constrain_result = true, virtual_device = "cpu:0"}
// CHECK-NEXT: %[[COPY:.+]] = relay.device_copy %[[ON]] {dst_virtual_device = "cuda:0", src_virtual_device = "cpu:0"}
// CHECK-NEXT: relay.multiply %[[COPY]], %[[C]]
func.func @device_copy(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = relay.constant dense<2.0> : tensor<4xf32>
  %0 = relay.add %x, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.device_copy %0 {src_virtual_device = "cpu:0", dst_virtual_device = "cuda:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.multiply %1, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// A copy to where the value lies already is none.
// CHECK-LABEL: func.func @idle_copy(
// CHECK-NOT: device_copy
// CHECK: return %arg0
func.func @idle_copy(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.device_copy %x {src_virtual_device = "cuda", dst_virtual_device = "cuda:0"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A shape is computed on the host, of a tensor anywhere.
// CHECK-LABEL: func.func @shape_of(
// CHECK-SAME: %arg0: tensor<?x?xf32> {relay.virtual_device = "cuda:0"}
// CHECK-SAME: attributes {relay.virtual_device = "cpu:0"}
// CHECK-NEXT: relay.shape_of %arg0
func.func @shape_of(%x: tensor<?x?xf32>) -> tensor<2xi64> {
  %0 = relay.on_device %x {virtual_device = "cuda", constrain_result = true} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = relay.shape_of %0 {dtype = i64} : (tensor<?x?xf32>) -> tensor<2xi64>
  return %1 : tensor<2xi64>
}

// It is read there, too: a mark on the operand says so.
// CHECK-LABEL: func.func @reshape_tensor(
// CHECK-SAME: %arg0: tensor<2x8xf32> {relay.virtual_device = "cuda:0"}, %arg1: tensor<3xi64> {relay.virtual_device = "cpu:0"}
// CHECK-NEXT: %[[ONE:.+]] = relay.constant
// CHECK-NEXT: %[[SHAPE:.+]] = relay.add %arg1, %[[ONE]]
// CHECK-NEXT: %[[ON:.+]] = relay.on_device %[[SHAPE]] {constrain_result = true, virtual_device = "cpu:0"}
// CHECK-NEXT: relay.dyn.reshape %arg0, %[[ON]]
func.func @reshape_tensor(%x: tensor<2x8xf32>, %shape: tensor<3xi64>) -> tensor<?x?x?xf32> {
  %one = relay.constant dense<1> : tensor<3xi64>
  %0 = relay.add %shape, %one : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  %1 = relay.dyn.reshape %x, %0 : (tensor<2x8xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  return %1 : tensor<?x?x?xf32>
}

// CHECK-LABEL: func.func @dynamic_input(
// CHECK-COUNT-2: relay.virtual_device = "cuda:0"
// CHECK-SAME: attributes {relay.virtual_device = "cuda:0"}
func.func @dynamic_input(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = relay.add %x, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @redundant_annotation(
// CHECK-SAME: %arg1: tensor<4xf32> {relay.virtual_device = "cpu:0"}, %arg2: tensor<4xf32> {relay.virtual_device = "cuda:0"}
// CHECK: %[[ADD:.+]] = relay.add %arg0, %arg1
// CHECK: relay.on_device %[[ADD]]
// CHECK-NEXT: %[[A:.+]] = relay.device_copy
// CHECK-NEXT: %[[SUB:.+]] = relay.subtract %[[A]], %arg2
// CHECK-NEXT: relay.on_device %[[ADD]]
// CHECK-NEXT: %[[B:.+]] = relay.device_copy
// CHECK-NEXT: relay.add %[[SUB]], %[[B]]
func.func @redundant_annotation(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.on_device %0 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.subtract %1, %z : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.on_device %0 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = relay.add %2, %3 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// A function's result stays where it is said to lie.
// CHECK-LABEL: func.func @annotate_expr(
// CHECK-SAME: %arg0: tensor<4xf32> {relay.virtual_device = "cuda:0"}, %arg1: tensor<4xf32> {relay.virtual_device = "cuda:0"}, %arg2: tensor<4xf32> {relay.virtual_device = "cpu:0"}
// CHECK-SAME: attributes {relay.virtual_device = "cpu:0"}
// CHECK: %[[COPY:.+]] = relay.device_copy %{{.+}} {dst_virtual_device = "cpu:0", src_virtual_device = "cuda:0"}
// CHECK-NEXT: %[[SUB:.+]] = relay.subtract %[[COPY]], %arg2
// CHECK-NEXT: return %[[SUB]]
func.func @annotate_expr(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.on_device %0 {virtual_device = "cuda:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.subtract %1, %z : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.on_device %2 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// CHECK-LABEL: func.func @annotate_all(
// CHECK-COUNT-3: relay.virtual_device = "cpu:0"
// CHECK-SAME: attributes {relay.virtual_device = "cpu:0"}
// CHECK-NEXT: relay.add
// CHECK-NEXT: relay.subtract
// CHECK-NEXT: return
func.func @annotate_all(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.on_device %0 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.subtract %1, %z : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.on_device %2 {virtual_device = "cpu:0"} : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @conv_network(
// CHECK-SAME: %arg0: {{[^ ]*}} {relay.virtual_device = "cpu:0"}, %arg1: {{[^ ]*}} {relay.virtual_device = "cpu:0"}, %arg2: {{[^ ]*}} {relay.virtual_device = "cpu:0"}
// CHECK-SAME: attributes {relay.virtual_device = "cpu:0"}
// CHECK-COUNT-2: relay.nn.conv2d
// CHECK-COUNT-2: relay.device_copy %{{.+}} {dst_virtual_device = "cuda:0", src_virtual_device = "cpu:0"}
// CHECK: relay.add
// CHECK: %[[BACK:.+]] = relay.device_copy %{{.+}} {dst_virtual_device = "cpu:0", src_virtual_device = "cuda:0"}
// CHECK-NEXT: relay.nn.conv2d %[[BACK]], %arg2
func.func @conv_network(%a: tensor<1x4x8x8xf32>, %b: tensor<1x4x8x8xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x8x8xf32> {
  %0 = relay.nn.conv2d %a, %w {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x8x8xf32>
  %1 = relay.nn.conv2d %b, %w {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x8x8xf32>
  %2 = relay.on_device %0 {virtual_device = "cpu:0"} : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %3 = relay.on_device %1 {virtual_device = "cpu:0"} : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %4 = relay.add %2, %3 : (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %5 = relay.on_device %4 {virtual_device = "cuda:0"} : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %6 = relay.nn.conv2d %5, %w {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x8x8xf32>
  %7 = relay.on_device %6 {virtual_device = "cpu:0"} : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  return %7 : tensor<1x4x8x8xf32>
}

// -----

// The field is copied, not the tuple.
// CHECK-LABEL: func.func @tuple_get_item(
// CHECK-SAME: tuple<tensor<4xf32>, tensor<4xf32>> {relay.virtual_device = "cpu:0"}
// CHECK-SAME: attributes {relay.virtual_device = "cuda:0"}
// CHECK-NEXT: %[[A:.+]] = relay.tuple_get %arg0 {index = 0 : i64}
// CHECK-NEXT: %[[B:.+]] = relay.tuple_get %arg0 {index = 1 : i64}
// CHECK-NEXT: %[[ON_A:.+]] = relay.on_device %[[A]] {constrain_result = true, virtual_device = "cpu:0"}
// CHECK-NEXT: %[[COPY_A:.+]] = relay.device_copy %[[ON_A]]
// CHECK-NEXT: %[[ON_B:.+]] = relay.on_device %[[B]] {constrain_result = true, virtual_device = "cpu:0"}
// CHECK-NEXT: %[[COPY_B:.+]] = relay.device_copy %[[ON_B]]
// CHECK-NEXT: relay.subtract %[[COPY_A]], %[[COPY_B]]
func.func @tuple_get_item(%t: tuple<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32> {
  %0 = relay.on_device %t {virtual_device = "cpu:0"} : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tuple<tensor<4xf32>, tensor<4xf32>>
  %1 = relay.on_device %t {virtual_device = "cpu:0"} : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tuple<tensor<4xf32>, tensor<4xf32>>
  %2 = relay.tuple_get %0 {index = 0} : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>
  %3 = relay.tuple_get %1 {index = 1} : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>
  %4 = relay.subtract %2, %3 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = relay.on_device %4 {virtual_device = "cuda:0"} : (tensor<4xf32>) -> tensor<4xf32>
  return %5 : tensor<4xf32>
}
