// Primitives on the buffers of stages.
// RUN: relay-opt %s --lower-te --canonicalize --cse --split-input-file | FileCheck %s

// Blocks of four columns.
// CHECK-LABEL: func.func @transform_layout
func.func @transform_layout(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // CHECK: %[[B:.+]] = tir.alloc_buffer : memref<4x8x4xf32>
  // CHECK-DAG: %[[Q:.+]] = arith.divsi %{{.+}}, %c4
  // CHECK-DAG: %[[R:.+]] = arith.remsi %{{.+}}, %c4
  // CHECK: memref.store %{{.+}}, %[[B]][%[[Q]], %{{.+}}, %[[R]]]
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %b[%i, %j] : tensor<8x16xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    te.transform_layout %s {map = affine_map<(i, j) -> (j floordiv 4, i, j mod 4)>}
  }
  return %c : tensor<8x16xf32>
}

// -----

// Rows of 17 elements.
// CHECK-LABEL: func.func @storage_align
func.func @storage_align(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // CHECK: tir.alloc_buffer : memref<8x17xf32>
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %b[%i, %j] : tensor<8x16xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    %i, %j = te.axes %s
    te.storage_align %s, %i {factor = 8, offset = 1}
  }
  return %c : tensor<8x16xf32>
}

// -----

// The first row before the loop, each next one in the other half.
// CHECK-LABEL: func.func @double_buffer
func.func @double_buffer(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // CHECK: %[[B:.+]] = tir.alloc_buffer : memref<2x1x16xf32, #tir.scope<local>>
  // CHECK: memref.store %{{.+}}, %[[B]][%c0, %c0, %{{.+}}]
  // CHECK: tir.for %[[I:.+]] =
  // CHECK: %[[NEXT:.+]] = arith.addi %[[I]], %c1
  // CHECK: %[[MORE:.+]] = arith.cmpi slt, %[[NEXT]], %c8
  // CHECK: scf.if %[[MORE]]
  // CHECK: %[[OTHER:.+]] = arith.remsi %[[NEXT]], %c2
  // CHECK: memref.store %{{.+}}, %[[B]][%[[OTHER]], %c0, %{{.+}}]
  // CHECK: %[[OWN:.+]] = arith.remsi %[[I]], %c2
  // CHECK: memref.load %[[B]][%[[OWN]], %c0, %{{.+}}]
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %b[%i, %j] : tensor<8x16xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    %t = te.stage %c : tensor<8x16xf32>
    %i, %j = te.axes %t
    te.compute_at %s, %t, %i
    te.double_buffer %s
  }
  return %c : tensor<8x16xf32>
}

// -----

// Windows of three: two before the loop, one in each iteration.
// CHECK-LABEL: func.func @rolling_buffer
func.func @rolling_buffer(%a: tensor<10xf32>) -> tensor<8xf32> {
  // CHECK: %[[B:.+]] = tir.alloc_buffer : memref<3xf32, #tir.scope<local>>
  // CHECK: tir.for %{{.+}} = {{.+}} to 2 {
  // CHECK: memref.store %{{.+}}, %[[B]]
  // CHECK: tir.for %[[I:.+]] = {{.+}} to 8 {
  // CHECK-NEXT: %[[NEW:.+]] = arith.addi %[[I]], %c2
  // CHECK-NEXT: %[[X:.+]] = memref.load %arg0[%[[NEW]]]
  // CHECK: %[[AT:.+]] = arith.remsi %[[NEW]], %c3
  // CHECK: memref.store %{{.+}}, %[[B]][%[[AT]]]
  %b = te.compute "b" (%i: 10) {
    %x = tensor.extract %a[%i] : tensor<10xf32>
    %y = arith.mulf %x, %x : f32
    te.yield %y : f32
  } : tensor<10xf32>
  %c = te.compute "c" (%i: 8) sum (%k: 3) {
    %at = arith.addi %i, %k : index
    %x = tensor.extract %b[%at] : tensor<10xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  te.schedule {
    %s = te.stage %b : tensor<10xf32>
    %t = te.stage %c : tensor<8xf32>
    %i, %k = te.axes %t
    te.compute_at %s, %t, %i
    te.rolling_buffer %s
  }
  return %c : tensor<8xf32>
}

// -----

// Both operands of a matmul, each in two halves: what the next iteration reads is copied in one place.
// CHECK-LABEL: func.func @double_buffers
func.func @double_buffers(%a: tensor<8x16xf32>, %b: tensor<16x8xf32>) -> tensor<8x8xf32> {
  // CHECK: %[[A:.+]] = tir.alloc_buffer : memref<2x8x4xf32, #tir.scope<local>>
  // CHECK: memref.store %{{.+}}, %[[A]][%c0,
  // CHECK: %[[B:.+]] = tir.alloc_buffer : memref<2x4x8xf32, #tir.scope<local>>
  // CHECK: memref.store %{{.+}}, %[[B]][%c0,
  // CHECK: tir.for %[[K:.+]] = 0 to 4 {
  // CHECK: scf.if
  // CHECK: memref.store %{{.+}}, %[[A]][%[[OTHER:.+]], %{{.+}}, %{{.+}}]
  // CHECK: memref.store %{{.+}}, %[[B]][%[[OTHER]], %{{.+}}, %{{.+}}]
  // CHECK: %[[OWN:.+]] = arith.remsi %[[K]], %c2
  // CHECK: memref.load %[[A]][%[[OWN]],
  // CHECK: memref.load %[[B]][%[[OWN]],
  %c = te.compute "c" (%i: 8, %j: 8) sum (%k: 16) {
    %x = tensor.extract %a[%i, %k] : tensor<8x16xf32>
    %y = tensor.extract %b[%k, %j] : tensor<16x8xf32>
    %z = arith.mulf %x, %y : f32
    te.yield %z : f32
  } : tensor<8x8xf32>
  te.schedule {
    %s = te.stage %c : tensor<8x8xf32>
    %i, %j, %k = te.axes %s
    %ca = te.cache_read %a for %s in local : tensor<8x16xf32>
    %cb = te.cache_read %b for %s in local : tensor<16x8xf32>
    %ko, %ki = te.split %k {factor = 4}
    te.reorder %ko, %i, %j, %ki
    te.compute_at %ca, %s, %ko
    te.compute_at %cb, %s, %ko
    te.double_buffer %ca
    te.double_buffer %cb
  }
  return %c : tensor<8x8xf32>
}

// -----

// What a stage reads that is computed an iteration ahead is computed ahead, too, and only there.
// CHECK-LABEL: func.func @double_buffer_of_a_chain
func.func @double_buffer_of_a_chain(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // CHECK: %[[P0:.+]] = tir.alloc_buffer : memref<1x16xf32, #tir.scope<local>>
  // CHECK: memref.store %{{.+}}, %[[P0]]
  // CHECK: %[[B:.+]] = tir.alloc_buffer : memref<2x1x16xf32, #tir.scope<local>>
  // CHECK: memref.load %[[P0]]
  // CHECK: tir.for %{{.+}} = 0 to 8 {
  // CHECK: scf.if
  // CHECK: %[[P:.+]] = tir.alloc_buffer : memref<1x16xf32, #tir.scope<local>>
  // CHECK: memref.store %{{.+}}, %[[P]]
  // CHECK: memref.load %[[P]]
  // CHECK: memref.store %{{.+}}, %[[B]]
  // CHECK-NOT: tir.alloc_buffer
  // CHECK: memref.load %[[B]]
  %p = te.compute "p" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %p[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %b[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  te.schedule {
    %first = te.stage %p : tensor<8x16xf32>
    %s = te.stage %b : tensor<8x16xf32>
    %t = te.stage %c : tensor<8x16xf32>
    %i, %j = te.axes %t
    te.compute_at %first, %t, %i
    te.compute_at %s, %t, %i
    te.double_buffer %s
  }
  return %c : tensor<8x16xf32>
}

// -----

// A window of a window: five elements of the first for three of the second.
// CHECK-LABEL: func.func @rolling_buffers
func.func @rolling_buffers(%a: tensor<12xf32>) -> tensor<8xf32> {
  // CHECK: %[[P:.+]] = tir.alloc_buffer : memref<5xf32, #tir.scope<local>>
  // CHECK: tir.for %{{.+}} = 0 to 4 {
  // CHECK: memref.store %{{.+}}, %[[P]]
  // CHECK: %[[B:.+]] = tir.alloc_buffer : memref<3xf32, #tir.scope<local>>
  // CHECK: tir.for %{{.+}} = 0 to 2 {
  // CHECK: tir.for %[[I:.+]] = 0 to 8 {
  // CHECK-NEXT: %[[NEW:.+]] = arith.addi %[[I]], %c4
  // CHECK-NEXT: memref.load %arg0[%[[NEW]]]
  // CHECK: memref.store %{{.+}}, %[[P]]
  // CHECK: memref.load %[[P]]
  // CHECK: memref.load %[[B]]
  %p = te.compute "p" (%i: 12) {
    %x = tensor.extract %a[%i] : tensor<12xf32>
    te.yield %x : f32
  } : tensor<12xf32>
  %b = te.compute "b" (%i: 10) sum (%k: 3) {
    %at = arith.addi %i, %k : index
    %x = tensor.extract %p[%at] : tensor<12xf32>
    te.yield %x : f32
  } : tensor<10xf32>
  %c = te.compute "c" (%i: 8) sum (%k: 3) {
    %at = arith.addi %i, %k : index
    %x = tensor.extract %b[%at] : tensor<10xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  te.schedule {
    %first = te.stage %p : tensor<12xf32>
    %s = te.stage %b : tensor<10xf32>
    %t = te.stage %c : tensor<8xf32>
    %i, %k = te.axes %t
    te.compute_at %first, %t, %i
    te.compute_at %s, %t, %i
    te.rolling_buffer %first
    te.rolling_buffer %s
  }
  return %c : tensor<8xf32>
}

// -----

// What is said of loops goes with them.
// CHECK-LABEL: func.func @loop_attributes
func.func @loop_attributes(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // CHECK: tir.for %{{.+}} = 0 to 8 thread_binding blockIdx.x
  // CHECK: tir.for %{{.+}} = 0 to 16 attributes {tir.auto_unroll_max_step = 16 : i64}
  %c = te.compute "c" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  te.schedule {
    %t = te.stage %c : tensor<8x16xf32>
    %i, %j = te.axes %t
    te.bind %i blockIdx.x
    te.pragma %j auto_unroll_max_step = 16
  }
  return %c : tensor<8x16xf32>
}
