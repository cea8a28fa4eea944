// RUN: %roundtrip | FileCheck %s

// CHECK: te.tensor_intrin @copy {
// CHECK: te.compute
// CHECK: te.yield
// CHECK: } implementation {
// CHECK: memref.store
te.tensor_intrin @copy {
^bb0(%a: tensor<4xf32>):
  %b = te.compute "b" (%i: 4) {
    %x = tensor.extract %a[%i] : tensor<4xf32>
    te.yield %x : f32
  } : tensor<4xf32>
  te.yield %b : tensor<4xf32>
} implementation {
^bb0(%a: memref<4xf32>, %b: memref<4xf32>):
  %c0 = arith.constant 0 : index
  %v = vector.load %a[%c0] : memref<4xf32>, vector<4xf32>
  vector.store %v, %b[%c0] : memref<4xf32>, vector<4xf32>
  %x = memref.load %a[%c0] : memref<4xf32>
  memref.store %x, %b[%c0] : memref<4xf32>
}
