// Scans and loop programs.
// RUN: relay-opt %s --lower-te --canonicalize --cse --split-input-file | FileCheck %s

// The first step is copied, the later ones follow from those before; other loops than the time's are
// scheduled as any.
// CHECK-LABEL: func.func @running_sums
// CHECK-SAME: (%[[A:.+]]: memref<16x8xf32>, %[[FIRST:.+]]: memref<1x8xf32>, %[[S:.+]]: memref<16x8xf32>)
func.func @running_sums(%a: tensor<16x8xf32>, %first: tensor<1x8xf32>) -> tensor<16x8xf32> {
  %c1 = arith.constant 1 : index
  // CHECK: tir.for %{{.+}} = 0 to 8 vectorized
  // CHECK: memref.load %[[FIRST]][%c0, %{{.+}}]
  // CHECK: memref.store %{{.+}}, %[[S]][%c0, %{{.+}}]
  // CHECK: tir.for %[[T:.+]] = 0 to 15 {
  // CHECK-NEXT: tir.for %{{.+}} = 0 to 8 vectorized
  // CHECK: %[[AT:.+]] = arith.addi %[[T]], %c1
  // CHECK: memref.load %[[S]]
  // CHECK: memref.load %[[A]][%[[AT]], %{{.+}}]
  // CHECK: memref.store %{{.+}}, %[[S]][%[[AT]], %{{.+}}]
  %s = te.scan "sums" (%first) {
  ^bb0(%state: tensor<16x8xf32>, %t: index, %i: index):
    %last = arith.subi %t, %c1 : index
    %x = tensor.extract %state[%last, %i] : tensor<16x8xf32>
    %y = tensor.extract %a[%t, %i] : tensor<16x8xf32>
    %z = arith.addf %x, %y : f32
    te.yield %z : f32
  } : (tensor<1x8xf32>) -> tensor<16x8xf32>
  te.schedule {
    %stage = te.stage %s : tensor<16x8xf32>
    %t, %i = te.axes %stage
    te.vectorize %i
  }
  return %s : tensor<16x8xf32>
}

// -----

// What the steps read is computed in them, a row at a time; the first one, which is copied, reads none.
// CHECK-LABEL: func.func @computed_in_a_scan
// CHECK-SAME: (%[[A:.+]]: memref<16x8xf32>, %[[FIRST:.+]]: memref<1x8xf32>, %[[S:.+]]: memref<16x8xf32>)
func.func @computed_in_a_scan(%a: tensor<16x8xf32>, %first: tensor<1x8xf32>) -> tensor<16x8xf32> {
  %c1 = arith.constant 1 : index
  // CHECK-NOT: tir.alloc_buffer
  // CHECK-NOT: memref.prefetch
  // CHECK: memref.load %[[FIRST]]
  // CHECK: tir.for %{{.+}} = 0 to 15 {
  // CHECK: memref.prefetch %[[A]]
  // CHECK: %[[D:.+]] = tir.alloc_buffer : memref<1x8xf32, #tir.scope<local>>
  // CHECK: memref.store %{{.+}}, %[[D]]
  // CHECK: memref.load %[[D]]
  // CHECK: memref.store %{{.+}}, %[[S]]
  %d = te.compute "d" (%t: 16, %i: 8) {
    %x = tensor.extract %a[%t, %i] : tensor<16x8xf32>
    %y = arith.mulf %x, %x : f32
    te.yield %y : f32
  } : tensor<16x8xf32>
  %s = te.scan "sums" (%first) {
  ^bb0(%state: tensor<16x8xf32>, %t: index, %i: index):
    %last = arith.subi %t, %c1 : index
    %x = tensor.extract %state[%last, %i] : tensor<16x8xf32>
    %y = tensor.extract %d[%t, %i] : tensor<16x8xf32>
    %v = tensor.extract %a[%t, %i] : tensor<16x8xf32>
    %u = arith.addf %x, %y : f32
    %z = arith.addf %u, %v : f32
    te.yield %z : f32
  } : (tensor<1x8xf32>) -> tensor<16x8xf32>
  te.schedule {
    %stage = te.stage %s : tensor<16x8xf32>
    %inner = te.stage %d : tensor<16x8xf32>
    %t, %i = te.axes %stage
    te.compute_at %inner, %stage, %t
    te.prefetch %a, %t {offset = 1} : tensor<16x8xf32>
  }
  return %s : tensor<16x8xf32>
}

// -----

// A loop program keeps its loops; what it reads is in memory.
// CHECK-LABEL: func.func @reverse
// CHECK-SAME: (%[[A:.+]]: memref<8xf32>, %[[OUT:.+]]: memref<8xf32>)
func.func @reverse(%a: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: %[[B:.+]] = tir.alloc_buffer : memref<8xf32>
  // CHECK: memref.store %{{.+}}, %[[B]]
  // CHECK: %[[R:.+]] = tir.alloc_buffer : memref<8xf32>
  // CHECK: tir.for %{{.+}} = 0 to 8 parallel
  // CHECK: arith.subi %c7, %{{.+}}
  // CHECK: memref.load %[[B]]
  // CHECK: memref.store %{{.+}}, %[[R]]
  // CHECK: memref.load %[[R]]
  // CHECK: memref.store %{{.+}}, %[[OUT]]
  %c7 = arith.constant 7 : index
  %b = te.compute "b" (%i: 8) {
    %x = tensor.extract %a[%i] : tensor<8xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<8xf32>
  %r = te.extern "reverse" (%b) {
  ^bb0(%in: memref<8xf32>, %out: memref<8xf32>):
    tir.for %i = 0 to 8 parallel {
      %j = arith.subi %c7, %i : index
      %x = memref.load %in[%j] : memref<8xf32>
      memref.store %x, %out[%i] : memref<8xf32>
    }
  } : (tensor<8xf32>) -> tensor<8xf32>
  %c = te.compute "c" (%i: 8) {
    %x = tensor.extract %r[%i] : tensor<8xf32>
    %y = arith.mulf %x, %x : f32
    te.yield %y : f32
  } : tensor<8xf32>
  return %c : tensor<8xf32>
}

// A loop program knows no scopes: a buffer of another one is cast.
// CHECK-LABEL: func.func @of_any_scope
// CHECK: %[[B:.+]] = tir.alloc_buffer : memref<8xf32, #tir.scope<local>>
// CHECK: %[[ANY:.+]] = memref.memory_space_cast %[[B]]
// CHECK: memref.subview %[[ANY]][4] [4] [1] : memref<8xf32> to memref<4xf32,
func.func @of_any_scope(%a: tensor<8xf32>) -> tensor<4xf32> {
  %b = te.compute "b" (%i: 8) {
    %x = tensor.extract %a[%i] : tensor<8xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<8xf32>
  %r = te.extern "half" (%b) {
  ^bb0(%in: memref<8xf32>, %out: memref<4xf32>):
    %half = memref.subview %in[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
    tir.for %i = 0 to 4 {
      %x = memref.load %half[%i] : memref<4xf32, strided<[1], offset: 4>>
      memref.store %x, %out[%i] : memref<4xf32>
    }
  } : (tensor<8xf32>) -> tensor<4xf32>
  te.schedule {
    %s = te.stage %b : tensor<8xf32>
    te.set_scope %s local
  }
  return %r : tensor<4xf32>
}

// Results of two shapes: one is returned, of the other sums are.
// CHECK-LABEL: func.func @columns_and_rows
// CHECK-SAME: %[[A:.+]]: memref<4x8xf32>, %[[ROWS:.+]]: memref<4xf32>, %[[S:.+]]: memref<2x4xf32>
// CHECK: %[[FIRST:.+]] = tir.alloc_buffer : memref<2x4x8xf32>
// CHECK: memref.store %{{.+}}, %[[FIRST]][%{{.+}}, %{{.+}}, %{{.+}}] : memref<2x4x8xf32>
// CHECK: memref.store %{{.+}}, %[[ROWS]][%{{.+}}] : memref<4xf32>
// CHECK: memref.load %[[FIRST]]
// CHECK: memref.store %{{.+}}, %[[S]]
func.func @columns_and_rows(%a: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<2x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = te.extern "twice" (%a) {
  ^bb0(%in: memref<4x8xf32>, %both: memref<2x4x8xf32>, %first: memref<4xf32>):
    tir.for %i = 0 to 4 {
      tir.for %j = 0 to 8 {
        %x = memref.load %in[%i, %j] : memref<4x8xf32>
        %y = arith.negf %x : f32
        memref.store %x, %both[%c0, %i, %j] : memref<2x4x8xf32>
        memref.store %y, %both[%c1, %i, %j] : memref<2x4x8xf32>
      }
      %z = memref.load %in[%i, %c0] : memref<4x8xf32>
      memref.store %z, %first[%i] : memref<4xf32>
    }
  } : (tensor<4x8xf32>) -> (tensor<2x4x8xf32>, tensor<4xf32>)
  %s = te.compute "s" (%k: 2, %i: 4) sum (%j: 8) {
    %x = tensor.extract %r#0[%k, %i, %j] : tensor<2x4x8xf32>
    te.yield %x : f32
  } : tensor<2x4xf32>
  return %r#1, %s : tensor<4xf32>, tensor<2x4xf32>
}
