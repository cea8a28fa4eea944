// An intrinsic does the innermost loop; its operands start where the other loops are.
// RUN: relay-opt %s --lower-te --canonicalize --cse | FileCheck %s

// CHECK-NOT: te.tensor_intrin
te.tensor_intrin @dot {
^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
  %c = te.compute "c" () sum (%k: 4) {
    %x = tensor.extract %a[%k] : tensor<4xf32>
    %y = tensor.extract %b[%k] : tensor<4xf32>
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  } : tensor<f32>
  te.yield %c : tensor<f32>
} implementation {
^bb0(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<f32>):
  %c0 = arith.constant 0 : index
  %x = vector.load %a[%c0] : memref<4xf32>, vector<4xf32>
  %y = vector.load %b[%c0] : memref<4xf32>, vector<4xf32>
  %p = arith.mulf %x, %y : vector<4xf32>
  %s = vector.reduction <add>, %p : vector<4xf32> into f32
  %old = memref.load %c[] : memref<f32>
  %new = arith.addf %old, %s : f32
  memref.store %new, %c[] : memref<f32>
}

// CHECK-LABEL: func.func @matmul
// CHECK-SAME: (%[[A:.+]]: memref<8x8xf32>, %[[B:.+]]: memref<16x8xf32>, %[[C:.+]]: memref<8x16xf32>)
// CHECK: tir.for %[[I:.+]] =
// CHECK: tir.for %[[J:.+]] =
// CHECK: memref.store %{{.+}}, %[[C]][%[[I]], %[[J]]]
// CHECK: tir.for %[[O:.+]] =
// CHECK-NEXT: %[[AT:.+]] = arith.muli %[[O]], %c4
// CHECK-NEXT: vector.load %[[A]][%[[I]], %[[AT]]] : memref<8x8xf32>, vector<4xf32>
// CHECK-NEXT: vector.load %[[B]][%[[J]], %[[AT]]] : memref<16x8xf32>, vector<4xf32>
// CHECK: vector.reduction
// CHECK: memref.load %[[C]][%[[I]], %[[J]]]
// CHECK: memref.store %{{.+}}, %[[C]][%[[I]], %[[J]]]
func.func @matmul(%a: tensor<8x8xf32>, %b: tensor<16x8xf32>) -> tensor<8x16xf32> {
  %c = te.compute "c" (%i: 8, %j: 16) sum (%k: 8) {
    %x = tensor.extract %a[%i, %k] : tensor<8x8xf32>
    %y = tensor.extract %b[%j, %k] : tensor<16x8xf32>
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %c : tensor<8x16xf32>
    %i, %j, %k = te.axes %s
    %o, %n = te.split %k {factor = 4}
    te.tensorize %n {intrin = @dot}
  }
  return %c : tensor<8x16xf32>
}
