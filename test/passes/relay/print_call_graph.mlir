// RUN: relay-opt %s --print-call-graph -o /dev/null 2>&1 | FileCheck %s --match-full-lines

// Recursion goes through other functions, too; a value names a function as a call does.
// CHECK: @main, named by 0: @even @alone
// CHECK-NEXT: @even, named by 2, recursive: @odd
// CHECK-NEXT: @odd, named by 1, recursive: @even
// CHECK-NEXT: @itself, named by 1, recursive: @itself
// CHECK-NEXT: @alone, named by 1: {{$}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @even(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.global @alone : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.call %1(%0) : ((tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func private @even(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @odd(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @odd(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @even(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @itself(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @itself(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @alone(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
