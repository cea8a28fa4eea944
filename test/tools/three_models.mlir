// Three models in one process, linked and loaded in every order, alone and beside other engines: each runs its own
// graph on its own constants, and touches no memory but its own.
// REQUIRES: time
// RUN: rm -rf %t && split-file %s %t
// RUN: relayc compile %t/plus.mlir -o %t/plus.so
// RUN: relayc compile %t/times.mlir -o %t/times.so
// RUN: relayc compile %t/minus.mlir -o %t/minus.so
// RUN: relayc compile %t/plus.mlir --emit object -o %t/plus.o
// RUN: relayc compile %t/times.mlir --emit object -o %t/times.o
// RUN: relayc compile %t/minus.mlir --emit object -o %t/minus.o
// RUN: %python %S/Inputs/three_models.py %t %runtime gcc "gcc -fuse-ld=lld" | FileCheck %s
// CHECK: 6 orders, 2 linkers

//--- plus.mlir
func.func @main(%x: tensor<6xf32> {relay.name = "x"}) -> (tensor<6xf32> {relay.name = "y"}) {
  %c = relay.constant dense<[10.0, 20.0, 30.0, 40.0, 50.0, 60.0]> : tensor<6xf32>
  %0 = relay.add %x, %c : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

//--- times.mlir
func.func @main(%x: tensor<8xf32> {relay.name = "x"}) -> (tensor<8xf32> {relay.name = "y"}) {
  %c = relay.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %0 = relay.multiply %x, %c : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

//--- minus.mlir
func.func @main(%x: tensor<4xf32> {relay.name = "x"}) -> (tensor<4xf32> {relay.name = "y"}) {
  %c = relay.constant dense<[100.0, 200.0, 300.0, 400.0]> : tensor<4xf32>
  %0 = relay.subtract %x, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
