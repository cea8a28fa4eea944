// RUN: relay-opt %s --relay-to-te | FileCheck %s

// How many blocks a row has stands in the data, so the product is a loop program. It reads what is computed before it in
// memory: that is not inlined, while what reads its result is as ever.
// CHECK-LABEL: func.func private @product
// CHECK: %[[RELU:.+]] = te.compute "relu"
// CHECK: %[[PRODUCT:.+]] = te.extern "sparse_dense"(%[[RELU]], %arg1, %arg2, %arg3)
// CHECK: tir.for %{{.+}} = 0 to 4 parallel
// CHECK: tir.for %[[ENTRY:.+]] = %{{.+}} to %{{.+}} {
// CHECK: memref.load %{{.+}}[%[[ENTRY]]] : memref<9xi32>
// CHECK: tir.for %{{.+}} = 0 to 16 vectorized
// CHECK: te.compute "relu"
// CHECK: tensor.extract %[[PRODUCT]]
// CHECK: te.schedule
// CHECK-NOT: te.compute_inline
// CHECK: return
func.func private @product(%x: tensor<8x20xf32>, %d: tensor<9x16x1xf32>, %i: tensor<9xi32>, %p: tensor<5xi32>) -> tensor<8x64xf32> attributes {relay.primitive} {
  %0 = relay.nn.relu %x : (tensor<8x20xf32>) -> tensor<8x20xf32>
  %1 = relay.nn.sparse_dense %0, %d, %i, %p : (tensor<8x20xf32>, tensor<9x16x1xf32>, tensor<9xi32>, tensor<5xi32>) -> tensor<8x64xf32>
  %2 = relay.nn.relu %1 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  return %2 : tensor<8x64xf32>
}

// Without blocks nothing is added up.
// CHECK-LABEL: func.func private @nothing
// CHECK-NOT: te.extern
// CHECK: te.compute "sparse_dense" (%{{.+}}: 8, %{{.+}}: 64) {
func.func private @nothing(%x: tensor<8x20xf32>, %d: tensor<0x16x1xf32>, %i: tensor<0xi32>, %p: tensor<5xi32>) -> tensor<8x64xf32> attributes {relay.primitive} {
  %0 = relay.nn.sparse_dense %x, %d, %i, %p : (tensor<8x20xf32>, tensor<0x16x1xf32>, tensor<0xi32>, tensor<5xi32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}
