// What calls itself is called as often as its data say: its operations are not counted.
// RUN: split-file %s %t
// RUN: not relayc inspect %t/itself.mlir 2>&1 | FileCheck %s
// RUN: not relayc inspect %t/each_other.mlir 2>&1 | FileCheck %s
// CHECK: FLOPs: not known: a function is recursive

//--- itself.mlir
func.func private @loop(%x: tensor<i32>) -> tensor<i32> {
  %0 = func.call @loop(%x) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @main() -> tensor<i32> {
  %one = relay.constant dense<1> : tensor<i32>
  %0 = func.call @loop(%one) : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

//--- each_other.mlir
func.func private @even(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @odd(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @odd(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @even(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @even(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
