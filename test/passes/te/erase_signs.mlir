// RUN: relay-opt %s --split-input-file --relay-to-te --erase-signs | FileCheck %s
// RUN: relay-opt %s --split-input-file --verify-diagnostics --erase-signs -o /dev/null

// Operations keep what the types lose: a quotient without a sign, an order, an extension with zeros.
// CHECK-LABEL: func.func private @unsigned
// CHECK-SAME: tensor<4xi8> {relay.element = ui8}
// CHECK-SAME: -> (tensor<4xi32> {relay.element = ui32})
// CHECK-NOT: ui8
// CHECK: arith.divui {{.*}} : i8
// CHECK: arith.maxui {{.*}} : i8
// CHECK: arith.extui {{.*}} : i8 to i32
// CHECK-NOT: unrealized_conversion_cast
// CHECK: return
func.func private @unsigned(%x: tensor<4xui8>, %y: tensor<4xui8>) -> tensor<4xui32> attributes {relay.primitive} {
  // expected-error @below {{computes with unsigned integers, or with elements that are only stored: run fuse-ops and relay-to-te first}}
  %0 = relay.divide %x, %y : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  %1 = relay.maximum %0, %y : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  %2 = relay.cast %1 {dtype = ui32} : (tensor<4xui8>) -> tensor<4xui32>
  return %2 : tensor<4xui32>
}

// -----

// The reducer has a sign, what stands for it has none.
// CHECK-LABEL: func.func private @extreme
// CHECK: arith.minui {{.*}} : i16
func.func private @extreme(%x: tensor<4x8xui16>) -> tensor<4xui16> attributes {relay.primitive} {
  // expected-error @below {{computes with unsigned integers}}
  %0 = relay.min %x {axis = array<i64: 1>, keepdims = false, exclude = false} : (tensor<4x8xui16>) -> tensor<4xui16>
  return %0 : tensor<4xui16>
}

// -----

// Callers and constants, in the form that they have and in long; names stay.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:.*]]: tensor<2xi64> {relay.element = ui64, relay.name = "x"}
// CHECK: dense<[-1, 1]> : tensor<2xi64>
// CHECK: dense<-128> : tensor<3xi8>
// CHECK: call @same(%[[X]]) : (tensor<2xi64>) -> tensor<2xi64>
func.func private @same(%x: tensor<2xui64>) -> tensor<2xui64> attributes {relay.primitive, tir.kernel = #tir.kernel<view>} {
  %0 = relay.reshape %x {newshape = array<i64: 2>} : (tensor<2xui64>) -> tensor<2xui64>
  return %0 : tensor<2xui64>
}
func.func @main(%x: tensor<2xui64> {relay.name = "x"}) -> (tensor<2xui64>, tensor<2xui64>, tensor<3xui8>) {
  %0 = relay.constant dense<[18446744073709551615, 1]> : tensor<2xui64>
  %1 = relay.constant dense<128> : tensor<3xui8>
  %2 = call @same(%x) : (tensor<2xui64>) -> tensor<2xui64>
  return %0, %2, %1 : tensor<2xui64>, tensor<2xui64>, tensor<3xui8>
}

// -----

// Nothing to erase: nothing is written.
// CHECK-LABEL: func.func private @signed
// CHECK-SAME: (%{{.*}}: tensor<4xi8>) -> tensor<4xi8> attributes
// CHECK: arith.divsi
func.func private @signed(%x: tensor<4xi8>) -> tensor<4xi8> attributes {relay.primitive} {
  %0 = relay.divide %x, %x : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

// What is only stored becomes bytes: floats of 8 bits, and the low bits of those of integers.
// CHECK-LABEL: func.func @stored
// CHECK-SAME: tensor<2xi8> {relay.element = f8E4M3FN}
// CHECK-SAME: -> (tensor<2xi8> {relay.element = f8E4M3FN}, tensor<3xi8> {relay.element = i4}, tensor<4xi8> {relay.element = f8E5M2})
// CHECK-DAG: dense<[15, 7, 8]> : tensor<3xi8>
// CHECK-DAG: dense<60> : tensor<4xi8>
func.func @stored(%x: tensor<2xf8E4M3FN>) -> (tensor<2xf8E4M3FN>, tensor<3xi4>, tensor<4xf8E5M2>) {
  %0 = relay.constant dense<[-1, 7, -8]> : tensor<3xi4>
  %1 = relay.constant dense<1.0> : tensor<4xf8E5M2>
  return %x, %0, %1 : tensor<2xf8E4M3FN>, tensor<3xi4>, tensor<4xf8E5M2>
}
