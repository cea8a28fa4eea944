// Primitives that make stages: copies of what is read, and partial results.
// RUN: relay-opt %s --lower-te --canonicalize --cse --split-input-file | FileCheck %s

// Each row of tiles copies the columns that it reads.
// CHECK-LABEL: func.func @cache_read
func.func @cache_read(%a: tensor<8x16xf32>) -> tensor<16x8xf32> {
  // CHECK: tir.for
  // CHECK: %[[COPY:.+]] = tir.alloc_buffer : memref<8x4xf32, #tir.scope<local>>
  // CHECK: %[[X:.+]] = memref.load %arg0
  // CHECK: memref.store %[[X]], %[[COPY]]
  // CHECK: memref.load %[[COPY]]
  // CHECK-NOT: memref.load %arg0
  %c = te.compute "c" (%i: 16, %j: 8) {
    %x = tensor.extract %a[%j, %i] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<16x8xf32>
  te.schedule {
    %s = te.stage %c : tensor<16x8xf32>
    %i, %j = te.axes %s
    %o, %n = te.split %i {factor = 4}
    %read = te.cache_read %a for %s in local : tensor<8x16xf32>
    te.compute_at %read, %s, %o
  }
  return %c : tensor<16x8xf32>
}

// -----

// Only the readers that are named read the copy.
// CHECK-LABEL: func.func @one_of_two_readers
func.func @one_of_two_readers(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK: tir.for
  // CHECK: %[[B:.+]] = memref.load %arg0
  // CHECK: memref.store %[[B]], %arg1
  // CHECK: %[[COPY:.+]] = tir.alloc_buffer : memref<8xf32>
  // CHECK: memref.load %arg0
  // CHECK: memref.load %[[COPY]]
  %b = te.compute "b" (%i: 8) {
    %x = tensor.extract %a[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  %c = te.compute "c" (%i: 8) {
    %x = tensor.extract %a[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  te.schedule {
    %s = te.stage %c : tensor<8xf32>
    %read = te.cache_read %a for %s in global : tensor<8xf32>
  }
  return %b, %c : tensor<8xf32>, tensor<8xf32>
}

// -----

// Eight partial sums side by side, then the sum of those.
// CHECK-LABEL: func.func @rfactor
func.func @rfactor(%a: tensor<64xf32>) -> tensor<f32> {
  // CHECK: %[[PART:.+]] = tir.alloc_buffer : memref<8xf32, #tir.scope<local>>
  // CHECK: tir.for %{{.+}} = {{.+}} to 8 vectorized
  // CHECK: memref.store %{{.+}}, %[[PART]]
  // CHECK: tir.for %{{.+}} = {{.+}} to 8 {
  // CHECK: tir.for %{{.+}} = {{.+}} to 8 vectorized
  // CHECK: memref.load %arg0
  // CHECK: memref.store %{{.+}}, %[[PART]]
  // CHECK: tir.for %{{.+}} = {{.+}} to 8 {
  // CHECK: memref.load %[[PART]]
  // CHECK: memref.store %{{.+}}, %arg1[]
  %s = te.compute "s" () sum (%k: 64) {
    %x = tensor.extract %a[%k] : tensor<64xf32>
    te.yield %x : f32
  } : tensor<f32>
  te.schedule {
    %t = te.stage %s : tensor<f32>
    %k = te.axes %t
    %o, %n = te.split %k {factor = 8}
    %rf = te.rfactor %t, %n
    te.set_scope %rf local
    %d, %left = te.axes %rf
    te.reorder %left, %d
    te.vectorize %d
  }
  return %s : tensor<f32>
}

// All that a tensor is made of in one loop of its reader, by one primitive; its input stays outside.
// CHECK-LABEL: func.func @group
func.func @group(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // CHECK: tir.for
  // CHECK: tir.for
  // CHECK: arith.negf
  // CHECK: tir.for %{{.+}} = {{.+}} to 8 {
  // CHECK: tir.for
  // CHECK: arith.addf
  // CHECK: tir.for
  // CHECK: arith.mulf
  // CHECK: tir.for
  // CHECK: arith.subf
  %n = te.compute "n" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    %y = arith.negf %x : f32
    te.yield %y : f32
  } : tensor<8x16xf32>
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %n[%i, %j] : tensor<8x16xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<8x16xf32>
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %b[%i, %j] : tensor<8x16xf32>
    %y = arith.mulf %x, %x : f32
    te.yield %y : f32
  } : tensor<8x16xf32>
  %d = te.compute "d" (%i: 8, %j: 16) {
    %x = tensor.extract %c[%i, %j] : tensor<8x16xf32>
    %y = arith.subf %x, %x : f32
    te.yield %y : f32
  } : tensor<8x16xf32>
  te.schedule {
    %sn = te.stage %n : tensor<8x16xf32>
    %sc = te.stage %c : tensor<8x16xf32>
    %sd = te.stage %d : tensor<8x16xf32>
    %i, %j = te.axes %sd
    %group = te.create_group %sc from %sn
    te.compute_at %group, %sd, %i
  }
  return %d : tensor<8x16xf32>
}

// -----

// The padding guards the sum: nothing is added where it is, and it is not stored.
// CHECK-LABEL: func.func @guards
func.func @guards(%a: tensor<8xf32>, %b: tensor<3xf32>) -> tensor<8xf32> {
  // CHECK-NOT: tir.alloc_buffer
  // CHECK: memref.store %{{.+}}, %arg2
  // CHECK: %[[AT:.+]] = arith.addi
  // CHECK: %[[AFTER:.+]] = arith.cmpi sge, %[[AT]], %c1
  // CHECK: %[[BEFORE:.+]] = arith.cmpi slt, %[[AT]], %c9
  // CHECK: %[[INSIDE:.+]] = arith.andi %[[AFTER]], %[[BEFORE]]
  // CHECK: scf.if %[[INSIDE]] {
  // CHECK-NOT: scf.if
  // CHECK: %[[X:.+]] = memref.load %arg0
  // CHECK: %[[W:.+]] = memref.load %arg1
  // CHECK: arith.mulf %[[X]], %[[W]]
  // CHECK: memref.store %{{.+}}, %arg2
  %pad = te.compute "pad" (%i: 10) {
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %after = arith.cmpi sge, %i, %c1 : index
    %before = arith.cmpi slt, %i, %c9 : index
    %inside = arith.andi %after, %before : i1
    %at = arith.subi %i, %c1 : index
    %x = scf.if %inside -> (f32) {
      %y = tensor.extract %a[%at] : tensor<8xf32>
      scf.yield %y : f32
    } else {
      %other = arith.constant 0.0 : f32
      scf.yield %other : f32
    }
    te.yield %x : f32
  } : tensor<10xf32>
  %conv = te.compute "conv" (%i: 8) sum (%k: 3) {
    %at = arith.addi %i, %k : index
    %x = tensor.extract %pad[%at] : tensor<10xf32>
    %w = tensor.extract %b[%k] : tensor<3xf32>
    %p = arith.mulf %x, %w : f32
    te.yield %p : f32
  } : tensor<8xf32>
  te.schedule {
    %s = te.stage %pad : tensor<10xf32>
    te.compute_inline %s {guards}
  }
  return %conv : tensor<8xf32>
}
