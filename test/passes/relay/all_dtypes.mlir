// RUN: relay-opt --all-dtypes %s -o %t.mlir 2>&1 | FileCheck %s

// Each once, by name: of parameters, results, branches and closures, and of what is inside of other types.
// CHECK: @main: f16, f32, i1, i32, i64, ui8
// CHECK-NEXT: @nothing: {{$}}
func.func @main(%x: tensor<4xf32>, %t: tuple<tensor<2xui8>, tuple<tensor<i64>>>, %c: tensor<i1>) -> tensor<4xf32> {
  %f = relay.fn(%y: tensor<4xf32>) -> tensor<4xf32> {
    %0 = relay.cast %y {dtype = f16} : (tensor<4xf32>) -> tensor<4xf16>
    %1 = relay.cast %0 {dtype = f32} : (tensor<4xf16>) -> tensor<4xf32>
    relay.yield %1 : tensor<4xf32>
  }
  %2 = relay.if %c : (tensor<i1>) -> tensor<4xf32> {
    %3 = relay.cast %x {dtype = i32} : (tensor<4xf32>) -> tensor<4xi32>
    %4 = relay.cast %3 {dtype = f32} : (tensor<4xi32>) -> tensor<4xf32>
    relay.yield %4 : tensor<4xf32>
  } else {
    relay.yield %x : tensor<4xf32>
  }
  return %2 : tensor<4xf32>
}
func.func @nothing() {
  return
}
