// RUN: relay-opt %s --relay-to-te --split-input-file --verify-diagnostics
// RUN: not relay-opt %s --relay-to-te=vector-bits=100 2>&1 | FileCheck %s
// CHECK: vector-bits is 100, expected a multiple of 32 from 64 on

func.func private @table(%x: tensor<2xf32>) -> tensor<2xf32> attributes {relay.primitive} {
  // expected-error@+1 {{is not a scalar and stands in a primitive function; fuse-ops passes it as an argument}}
  %c = relay.constant {value = dense<[1.0, 2.0]> : tensor<2xf32>} : tensor<2xf32>
  %0 = relay.multiply %x, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func private @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> attributes {relay.primitive} {
  // expected-error@+1 {{has an operand of type tensor<?xf32>; tensor expressions need static shapes}}
  %0 = relay.abs %x : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
