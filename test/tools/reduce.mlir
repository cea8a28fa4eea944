// The reducer leaves operators of a chain out where the program stays interesting, here that it has a square root.
// RUN: relay-reduce %s --reduction-tree='test=%S/Inputs/has_sqrt.sh' | FileCheck %s

// What is left reads the model's input and is its only output.
// CHECK: func.func @main(%[[X:.*]]: tensor<4x6xf32> {relay.name = "x"}) -> (tensor<4x6xf32> {relay.name = "y"}) {
// CHECK-NEXT: %[[ROOT:.*]] = relay.sqrt %[[X]]
// CHECK-NEXT: return %[[ROOT]]
// CHECK-NEXT: }
func.func @main(%x: tensor<4x6xf32> {relay.name = "x"}, %z: tensor<3xf32> {relay.name = "z"})
    -> (tensor<3xf32> {relay.name = "other"}, tensor<4x6xf32> {relay.name = "y"}) {
  %other = relay.exp %z : (tensor<3xf32>) -> tensor<3xf32>
  %0 = relay.abs %x : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = relay.nn.relu %0 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = relay.negative %1 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %3 = relay.add %2, %2 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %4 = relay.tanh %3 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %5 = relay.sigmoid %4 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %6 = relay.abs %5 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %7 = relay.nn.relu %6 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %8 = relay.add %7, %2 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %9 = relay.exp %8 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %10 = relay.tanh %9 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %11 = relay.sigmoid %10 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %12 = relay.abs %11 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %13 = relay.add %12, %2 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %14 = relay.negative %13 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %15 = relay.exp %14 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %16 = relay.tanh %15 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %17 = relay.sqrt %16 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %18 = relay.add %17, %2 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %19 = relay.nn.relu %18 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %20 = relay.negative %19 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %21 = relay.exp %20 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %22 = relay.tanh %21 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %23 = relay.add %22, %2 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %24 = relay.abs %23 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %25 = relay.nn.relu %24 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %26 = relay.negative %25 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %27 = relay.exp %26 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %28 = relay.add %27, %2 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %29 = relay.sigmoid %28 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %other, %29 : tensor<3xf32>, tensor<4x6xf32>
}
