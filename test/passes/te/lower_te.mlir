// RUN: relay-opt %s --lower-te --canonicalize --cse | FileCheck %s

// Stages that do not reduce and are not returned are inlined; results become parameters.
// The kernel says how many floating-point operations it takes.
// CHECK-LABEL: func.func @inlined
// CHECK-SAME: (%[[A:.+]]: memref<4xf32>, %[[OUT:.+]]: memref<4xf32>) attributes {tir.flops = 8 : i64, tir.kernel = #tir.kernel<generated>}
func.func @inlined(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: tir.for %[[I:.+]] = {{.+}} to {{.+}} {
  // CHECK-NEXT: %[[X:.+]] = memref.load %[[A]][%[[I]]]
  // CHECK-NEXT: %[[Y:.+]] = arith.addf %[[X]], %[[X]]
  // CHECK-NEXT: %[[Z:.+]] = arith.mulf %[[Y]], %[[Y]]
  // CHECK-NEXT: memref.store %[[Z]], %[[OUT]][%[[I]]]
  %b = te.compute "b" (%i: 4) {
    %x = tensor.extract %a[%i] : tensor<4xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<4xf32>
  %c = te.compute "c" (%i: 4) {
    %x = tensor.extract %b[%i] : tensor<4xf32>
    %y = arith.mulf %x, %x : f32
    te.yield %y : f32
  } : tensor<4xf32>
  return %c : tensor<4xf32>
}

// A reduction sets its accumulator before the reduce loop.
// CHECK-LABEL: func.func @sum
func.func @sum(%a: tensor<4x8xf32>) -> tensor<4xf32> {
  // CHECK: %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
  // CHECK: tir.for %[[I:.+]] =
  // CHECK-NEXT: memref.store %[[ZERO]], %[[OUT:.+]][%[[I]]]
  // CHECK: tir.for %[[K:.+]] =
  // CHECK: %[[NEW:.+]] = arith.addf %{{.+}}, %{{.+}} fastmath<contract>
  // CHECK: memref.store %[[NEW]], %[[OUT]][%[[I]]]
  %s = te.compute "s" (%i: 4) sum (%k: 8) {
    %x = tensor.extract %a[%i, %k] : tensor<4x8xf32>
    te.yield %x : f32
  } : tensor<4xf32>
  return %s : tensor<4xf32>
}

// An imperfect split shifts its last part inwards: no guard.
// CHECK-LABEL: func.func @shifted
func.func @shifted(%a: tensor<10xf32>) -> tensor<10xf32> {
  // CHECK-NOT: scf.if
  // CHECK: %[[START:.+]] = arith.minsi %{{.+}}, %c6
  // CHECK: %[[AT:.+]] = arith.addi %[[START]], %{{.+}}
  // CHECK: memref.store %{{.+}}, %{{.+}}[%[[AT]]]
  %b = te.compute "b" (%i: 10) {
    %x = tensor.extract %a[%i] : tensor<10xf32>
    te.yield %x : f32
  } : tensor<10xf32>
  te.schedule {
    %s = te.stage %b : tensor<10xf32>
    %i = te.axes %s
    %o, %n = te.split %i {factor = 4}
  }
  return %b : tensor<10xf32>
}

// Of a reduce axis, where each element must be taken once, it is guarded.
// CHECK-LABEL: func.func @guarded
func.func @guarded(%a: tensor<10xf32>) -> tensor<f32> {
  // CHECK: %[[IN:.+]] = arith.cmpi slt, %{{.+}}, %c10
  // CHECK: scf.if %[[IN]] {
  %b = te.compute "b" () sum (%k: 10) {
    %x = tensor.extract %a[%k] : tensor<10xf32>
    te.yield %x : f32
  } : tensor<f32>
  te.schedule {
    %s = te.stage %b : tensor<f32>
    %k = te.axes %s
    %o, %i = te.split %k {factor = 4}
  }
  return %b : tensor<f32>
}

// What a loop reads of its producer is all that is computed in it.
// CHECK-LABEL: func.func @window
func.func @window(%a: tensor<34xf32>) -> tensor<32xf32> {
  // CHECK: tir.alloc_buffer : memref<10xf32, #tir.scope<local>>
  %b = te.compute "b" (%i: 34) {
    %x = tensor.extract %a[%i] : tensor<34xf32>
    %y = arith.mulf %x, %x : f32
    te.yield %y : f32
  } : tensor<34xf32>
  %c = te.compute "c" (%i: 32) sum (%k: 3) {
    %at = arith.addi %i, %k : index
    %x = tensor.extract %b[%at] : tensor<34xf32>
    te.yield %x : f32
  } : tensor<32xf32>
  te.schedule {
    %s = te.stage %c : tensor<32xf32>
    %i, %k = te.axes %s
    %o, %n = te.split %i {factor = 8}
    %p = te.stage %b : tensor<34xf32>
    te.set_scope %p local
    te.compute_at %p, %s, %o
  }
  return %c : tensor<32xf32>
}

// Over no elements there is nothing but the identity; a buffer of none has one dimension.
// CHECK-LABEL: func.func @empty
// CHECK-SAME: (%{{.+}}: memref<0xf32> {relay.shape = array<i64: 2, 0>}, %[[OUT:.+]]: memref<2xf32>)
func.func @empty(%a: tensor<2x0xf32>) -> tensor<2xf32> {
  // CHECK: %[[ZERO:.+]] = arith.constant 0.000000e+00 : f32
  // CHECK: tir.for %[[I:.+]] =
  // CHECK-NEXT: memref.store %[[ZERO]], %[[OUT]][%[[I]]]
  // CHECK-NOT: tir.for
  // CHECK: return
  %s = te.compute "s" (%i: 2) sum (%k: 0) {
    %x = tensor.extract %a[%i, %k] : tensor<2x0xf32>
    te.yield %x : f32
  } : tensor<2xf32>
  return %s : tensor<2xf32>
}

// Calls of kernels are still of tensors: an executor says where these lie.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[A:.+]]: tensor<4xf32> {relay.name = "a"}) -> (tensor<4xf32> {relay.name = "out"})
func.func @main(%a: tensor<4xf32> {relay.name = "a"}) -> (tensor<4xf32> {relay.name = "out"}) {
  // CHECK: %[[T:.+]] = relay.call_lowered @inlined(%[[A]]) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %[[U:.+]] = relay.call_lowered @inlined(%[[T]]) : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: return %[[U]]
  %0 = call @inlined(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @inlined(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Nothing to lower: scalars stay as they are.
// CHECK-LABEL: func.func @scalar
// CHECK-SAME: (%{{.+}}: f32) -> f32
func.func @scalar(%a: f32) -> f32 {
  return %a : f32
}
