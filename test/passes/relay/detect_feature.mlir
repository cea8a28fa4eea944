// RUN: split-file %s %t
// RUN: relay-opt %t/graph.mlir --detect-feature -o /dev/null 2>&1 | FileCheck %t/graph.mlir --match-full-lines
// RUN: relay-opt %t/program.mlir --detect-feature -o /dev/null 2>&1 | FileCheck %t/program.mlir --match-full-lines
// RUN: relay-opt %t/kernels.mlir --detect-feature -o /dev/null 2>&1 | count 0

//--- graph.mlir
// CHECK: constant
// CHECK-NEXT: open-dimension
// CHECK-NEXT: operator
// CHECK-NEXT: shared-value
// CHECK-NOT: {{[a-z]}}
func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c = relay.constant dense<1.0> : tensor<f32>
  %0 = relay.add %x, %c : (tensor<?x4xf32>, tensor<f32>) -> tensor<?x4xf32>
  %1 = relay.multiply %0, %0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

//--- program.mlir
// CHECK: call
// CHECK-NEXT: closure
// CHECK-NEXT: constant
// CHECK-NEXT: function-value
// CHECK-NEXT: higher-order-function
// CHECK-NEXT: if
// CHECK-NEXT: indirect-call
// CHECK-NEXT: operator
// CHECK-NEXT: recursion
// CHECK-NEXT: ref-create
// CHECK-NEXT: ref-read
// CHECK-NEXT: ref-write
// CHECK-NEXT: shared-value
// CHECK-NEXT: tuple
// CHECK-NEXT: tuple-get
// CHECK-NEXT: type-parameters
// CHECK-NOT: {{[a-z]}}
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %f = relay.fn(%g: (tensor<f32>) -> tensor<f32>) -> tensor<f32> {
    %0 = relay.call %g(%x) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
    relay.yield %0 : tensor<f32>
  }
  %r = relay.ref_create %x : (tensor<f32>) -> !relay.ref<tensor<f32>>
  %1 = relay.ref_read %r : (!relay.ref<tensor<f32>>) -> tensor<f32>
  %2 = relay.ref_write %r, %1 : (!relay.ref<tensor<f32>>, tensor<f32>) -> tuple<>
  %3 = relay.tuple %1, %1 : (tensor<f32>, tensor<f32>) -> tuple<tensor<f32>, tensor<f32>>
  %4 = relay.tuple_get %3 {index = 0 : i64} : (tuple<tensor<f32>, tensor<f32>>) -> tensor<f32>
  %5 = call @down(%4) : (tensor<f32>) -> tensor<f32>
  return %5 : tensor<f32>
}
func.func private @down(%x: tensor<f32>) -> tensor<f32> {
  %zero = relay.constant dense<0.0> : tensor<f32>
  %0 = relay.less %x, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %1 = relay.if %0 : (tensor<i1>) -> tensor<f32> {
    relay.yield %x : tensor<f32>
  } else {
    %2 = func.call @down(%x) : (tensor<f32>) -> tensor<f32>
    relay.yield %2 : tensor<f32>
  }
  return %1 : tensor<f32>
}
func.func private @same(%x: !relay.type_var<"A">) -> !relay.type_var<"A"> attributes {relay.type_params = ["A"]} {
  return %x : !relay.type_var<"A">
}

//--- kernels.mlir
// What primitive functions hold does not count.
func.func private @fused(%x: tensor<4xf32>) -> tensor<4xf32> attributes {relay.primitive} {
  %0 = relay.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
