// RUN: %roundtrip | FileCheck %s

// Kinds of kernels: made by this compiler, a view of the operand, or code from outside.
// CHECK: func.func private @generated(%{{.+}}: memref<4xf32>) attributes {tir.kernel = #tir.kernel<generated>}
func.func private @generated(%a: memref<4xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  return
}
// CHECK: func.func private @view{{.*}} attributes {relay.primitive, tir.kernel = #tir.kernel<view>}
func.func private @view(%x: tensor<4xf32>) -> tensor<2x2xf32> attributes {relay.primitive, tir.kernel = #tir.kernel<view>} {
  %0 = relay.reshape %x {newshape = array<i64: 2, 2>} : (tensor<4xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// CHECK: func.func private @external(memref<4xf32>, memref<4xf32>) attributes {tir.kernel = #tir.kernel<external>}
func.func private @external(memref<4xf32>, memref<4xf32>) attributes {tir.kernel = #tir.kernel<external>}
