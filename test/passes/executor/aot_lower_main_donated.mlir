// Donated inputs are read from the memory of their outputs, and changed there if the kernel that makes the output can do so.
// RUN: relay-opt %s --aot-lower-main --split-input-file | FileCheck %s

// A kernel that compares the addresses of two buffers is written for both being one.
// CHECK-LABEL: func.func private @update
// CHECK-SAME: tir.in_place = array<i64: 0, 2>
func.func private @update(%old: memref<4xf32>, %x: memref<f32>, %new: memref<4xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %0 = memref.extract_aligned_pointer_as_index %old : memref<4xf32> -> index
  %1 = memref.extract_aligned_pointer_as_index %new : memref<4xf32> -> index
  %2 = arith.cmpi ne, %0, %1 : index
  scf.if %2 {
    memref.copy %old, %new : memref<4xf32> to memref<4xf32>
  }
  return
}
func.func private @read(%a: memref<4xf32>, %b: memref<f32>) attributes {tir.kernel = #tir.kernel<generated>} {
  return
}

// CHECK-LABEL: func.func @in_place
// CHECK-SAME: (%[[PAST:.+]]: memref<4xf32> {relay.donated = 1 : i64}, %[[X:.+]]: memref<f32>, %[[SUM:.+]]: memref<f32>, %[[NEXT:.+]]: memref<4xf32>)
// CHECK-NEXT: %[[OLD:.+]] = tir.alloc_buffer
// CHECK-NEXT: call @read(%[[NEXT]], %[[OLD]])
// CHECK-NEXT: call @update(%[[NEXT]], %[[OLD]], %[[NEXT]])
// CHECK-NEXT: call @read(%[[NEXT]], %[[SUM]])
// CHECK-NEXT: return
func.func @in_place(%past: tensor<4xf32> {relay.donated = 1 : i64}, %x: tensor<f32>) -> (tensor<f32>, tensor<4xf32>) {
  %0 = relay.call_lowered @read(%past) : (tensor<4xf32>) -> tensor<f32>
  %1 = relay.call_lowered @update(%past, %0) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = relay.call_lowered @read(%1) : (tensor<4xf32>) -> tensor<f32>
  return %2, %1 : tensor<f32>, tensor<4xf32>
}

// Another kernel reads the input after the update: it is copied.
// CHECK-LABEL: func.func @read_later
// CHECK-SAME: (%[[PAST:.+]]: memref<4xf32> {relay.donated = 1 : i64}, %[[X:.+]]: memref<f32>, %[[SUM:.+]]: memref<f32>, %[[NEXT:.+]]: memref<4xf32>)
// CHECK-NEXT: %[[COPY:.+]] = tir.alloc_buffer : memref<4xf32>
// CHECK-NEXT: memref.copy %[[NEXT]], %[[COPY]]
// CHECK-NEXT: call @update(%[[COPY]], %[[X]], %[[NEXT]])
// CHECK-NEXT: call @read(%[[COPY]], %[[SUM]])
func.func @read_later(%past: tensor<4xf32> {relay.donated = 1 : i64}, %x: tensor<f32>) -> (tensor<f32>, tensor<4xf32>) {
  %0 = relay.call_lowered @update(%past, %x) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = relay.call_lowered @read(%past) : (tensor<4xf32>) -> tensor<f32>
  return %1, %0 : tensor<f32>, tensor<4xf32>
}

// -----

// So it is where the kernel knows nothing of one buffer, and where the input is returned as it came.
func.func private @double(%a: memref<4xf32>, %b: memref<4xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  return
}
// CHECK-LABEL: func.func @another_kernel
// CHECK-SAME: (%[[A:.+]]: memref<4xf32> {relay.donated = 0 : i64}, %[[B:.+]]: memref<4xf32> {relay.donated = 1 : i64}, %[[C:.+]]: memref<4xf32>, %[[D:.+]]: memref<4xf32>)
// CHECK: %[[FIRST:.+]] = tir.alloc_buffer
// CHECK-NEXT: memref.copy %[[C]], %[[FIRST]]
// CHECK: %[[SECOND:.+]] = tir.alloc_buffer
// CHECK-NEXT: memref.copy %[[D]], %[[SECOND]]
// CHECK-NEXT: call @double(%[[FIRST]], %[[C]])
// CHECK-NEXT: memref.copy %[[SECOND]], %[[D]]
func.func @another_kernel(%a: tensor<4xf32> {relay.donated = 0 : i64}, %b: tensor<4xf32> {relay.donated = 1 : i64}) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = relay.call_lowered @double(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %b : tensor<4xf32>, tensor<4xf32>
}
