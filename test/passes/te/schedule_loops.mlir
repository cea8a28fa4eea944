// What loops of a schedule become where parts do not divide them, and where several stages meet.
// RUN: relay-opt %s --lower-te --canonicalize --cse --split-input-file | FileCheck %s

// A split of a split part has a condition of its own: else elements would be added twice.
// CHECK-LABEL: func.func @nested_splits
func.func @nested_splits(%a: tensor<10xf32>) -> tensor<f32> {
  // CHECK: %[[INNER:.+]] = arith.cmpi slt, %{{.+}}, %c4
  // CHECK: %[[OUTER:.+]] = arith.cmpi slt, %{{.+}}, %c10
  // CHECK: %[[BOTH:.+]] = arith.andi %[[INNER]], %[[OUTER]]
  // CHECK: scf.if %[[BOTH]]
  %b = te.compute "b" () sum (%k: 10) {
    %x = tensor.extract %a[%k] : tensor<10xf32>
    te.yield %x : f32
  } : tensor<f32>
  te.schedule {
    %s = te.stage %b : tensor<f32>
    %k = te.axes %s
    %o, %i = te.split %k {factor = 4}
    %io, %ii = te.split %i {factor = 3}
  }
  return %b : tensor<f32>
}

// -----

// Threads that share the inside of the parts would meet where the last part is moved inwards.
// CHECK-LABEL: func.func @parallel_inside
func.func @parallel_inside(%a: tensor<10xf32>) -> tensor<10xf32> {
  // CHECK: parallel
  // CHECK: arith.cmpi slt, %{{.+}}, %c10
  // CHECK: scf.if
  %b = te.compute "b" (%i: 10) {
    %x = tensor.extract %a[%i] : tensor<10xf32>
    te.yield %x : f32
  } : tensor<10xf32>
  te.schedule {
    %s = te.stage %b : tensor<10xf32>
    %i = te.axes %s
    %o, %n = te.split %i {factor = 4}
    te.reorder %n, %o
    te.parallel %n
  }
  return %b : tensor<10xf32>
}

// -----

// They may, of a stage that only ever writes an element's value: no guard, also where the parts' loop is fused.
// CHECK-LABEL: func.func @shifted_among_threads
func.func @shifted_among_threads(%a: tensor<10x6xf32>) -> tensor<10x6xf32> {
  // CHECK: parallel
  // CHECK-NOT: scf.if
  // CHECK: arith.minsi %{{.+}}, %c6
  // CHECK-NOT: scf.if
  // CHECK: return
  %b = te.compute "b" (%i: 10, %j: 6) {
    %x = tensor.extract %a[%i, %j] : tensor<10x6xf32>
    te.yield %x : f32
  } : tensor<10x6xf32>
  te.schedule {
    %s = te.stage %b : tensor<10x6xf32>
    %i, %j = te.axes %s
    %o, %n = te.split %i {factor = 4, shift_inwards}
    te.reorder %o, %j, %n
    %p = te.fuse %o, %j
    te.parallel %p
  }
  return %b : tensor<10x6xf32>
}

// -----

// The part of a padded tensor that a loop reads can begin before it.
// CHECK-LABEL: func.func @before_the_start
func.func @before_the_start(%a: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: tir.alloc_buffer : memref<4xf32, #tir.scope<local>>
  // CHECK: arith.cmpi sge, %[[AT:.+]], %c0
  // CHECK: scf.if
  // CHECK: memref.load %{{.+}}[%[[AT]]] : memref<8xf32>
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %b = te.compute "b" (%i: 8) {
    %x = tensor.extract %a[%i] : tensor<8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  %c = te.compute "c" (%i: 8) {
    %at = arith.subi %i, %c1 : index
    %in = arith.cmpi sge, %at, %c0 : index
    %x = scf.if %in -> (f32) {
      %y = tensor.extract %b[%at] : tensor<8xf32>
      scf.yield %y : f32
    } else {
      %zero = arith.constant 0.0 : f32
      scf.yield %zero : f32
    }
    te.yield %x : f32
  } : tensor<8xf32>
  te.schedule {
    %s = te.stage %c : tensor<8xf32>
    %i = te.axes %s
    %o, %n = te.split %i {factor = 4}
    %p = te.stage %b : tensor<8xf32>
    te.compute_at %p, %s, %o
  }
  return %c : tensor<8xf32>
}

// -----

// Of two stages in one loop, the first holds what the second reads: a buffer of six. What is computed
// in a loop is local to it.
// CHECK-LABEL: func.func @two_in_a_loop
func.func @two_in_a_loop(%a: tensor<20xf32>) -> tensor<16xf32> {
  // CHECK: tir.for %i.outer = 0 to 4 {
  // CHECK: tir.alloc_buffer : memref<6xf32, #tir.scope<local>>
  // CHECK: tir.alloc_buffer : memref<5xf32, #tir.scope<local>>
  %c1 = arith.constant 1 : index
  %b = te.compute "b" (%i: 20) {
    %x = tensor.extract %a[%i] : tensor<20xf32>
    te.yield %x : f32
  } : tensor<20xf32>
  %c = te.compute "c" (%i: 19) sum (%k: 2) {
    %at = arith.addi %i, %k : index
    %x = tensor.extract %b[%at] : tensor<20xf32>
    te.yield %x : f32
  } : tensor<19xf32>
  %d = te.compute "d" (%i: 16) sum (%k: 2) {
    %at = arith.addi %i, %k : index
    %x = tensor.extract %c[%at] : tensor<19xf32>
    te.yield %x : f32
  } : tensor<16xf32>
  te.schedule {
    %s = te.stage %d : tensor<16xf32>
    %i, %k = te.axes %s
    %o, %n = te.split %i {factor = 4}
    %p = te.stage %c : tensor<19xf32>
    te.compute_at %p, %s, %o
    %q = te.stage %b : tensor<20xf32>
    te.compute_at %q, %s, %o
  }
  return %d : tensor<16xf32>
}

// -----

// Three loops as one.
// CHECK-LABEL: func.func @fuse_three
func.func @fuse_three(%a: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK: tir.for %{{.+}} = 0 to 24 parallel
  // CHECK-NOT: tir.for
  %b = te.compute "b" (%i: 2, %j: 3, %k: 4) {
    %x = tensor.extract %a[%i, %j, %k] : tensor<2x3x4xf32>
    te.yield %x : f32
  } : tensor<2x3x4xf32>
  te.schedule {
    %s = te.stage %b : tensor<2x3x4xf32>
    %i, %j, %k = te.axes %s
    %f = te.fuse %i, %j, %k
    te.parallel %f
  }
  return %b : tensor<2x3x4xf32>
}

// -----

// A cache holds all results of its stage. Combiners may branch, and use constants from around them.
// CHECK-LABEL: func.func @argmax_cache
func.func @argmax_cache(%a: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
  // CHECK: tir.for
  // CHECK-DAG: %[[V:.+]] = tir.alloc_buffer : memref<1xf32, #tir.scope<local>>
  // CHECK-DAG: %[[N:.+]] = tir.alloc_buffer : memref<1xi32, #tir.scope<local>>
  // CHECK: scf.if
  // CHECK: arith.addi %{{.+}}, %c7
  // CHECK: memref.load %[[V]]
  // CHECK-NEXT: memref.load %[[N]]
  // CHECK-NEXT: memref.store
  // CHECK-NEXT: memref.store
  %seven = arith.constant 7 : i32
  %v, %n = te.compute "m" (%i: 4) custom (%k: 8) identity [0xFF800000 : f32, -1 : i32] {
    %x = tensor.extract %a[%i, %k] : tensor<4x8xf32>
    %at = arith.index_cast %k : index to i32
    te.yield %x, %at : f32, i32
  } combiner {
  ^bb0(%av: f32, %an: i32, %bv: f32, %bn: i32):
    %less = arith.cmpf olt, %av, %bv : f32
    %rv, %rn = scf.if %less -> (f32, i32) {
      %more = arith.addi %bn, %seven : i32
      scf.yield %bv, %more : f32, i32
    } else {
      scf.yield %av, %an : f32, i32
    }
    te.yield %rv, %rn : f32, i32
  } : tensor<4xf32>, tensor<4xi32>
  te.schedule {
    %s = te.stage %v : tensor<4xf32>
    %c = te.cache_write %s in local
    %i = te.axes %s
    te.compute_at %c, %s, %i
  }
  return %v, %n : tensor<4xf32>, tensor<4xi32>
}

// -----

// A copy of what is inlined.
// CHECK-LABEL: func.func @copy_of_inlined
func.func @copy_of_inlined(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NOT: alloc_buffer
  // CHECK: memref.load
  // CHECK-NEXT: arith.addf
  // CHECK-NEXT: memref.store
  %b = te.compute "b" (%i: 4) {
    %x = tensor.extract %a[%i] : tensor<4xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<4xf32>
  te.schedule {
    %s = te.stage %b : tensor<4xf32>
    %c = te.cache_write %s in local
    te.compute_inline %c
  }
  return %b : tensor<4xf32>
}
