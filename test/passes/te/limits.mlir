// What comes near the limits of schedules and is none of `limits_invalid.mlir`'s errors.
// RUN: relay-opt %s --lower-te --canonicalize --cse --split-input-file | FileCheck %s

// A tile in registers is unrolled, and so is what LLVM is left to unroll, however much it is.
// CHECK-LABEL: func.func @unroll
func.func @unroll(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %b = te.compute "b" (%i: 64, %j: 64) {
    %x = tensor.extract %a[%i, %j] : tensor<64x64xf32>
    te.yield %x : f32
  } : tensor<64x64xf32>
  %c = te.compute "c" (%i: 64, %j: 64) {
    %x = tensor.extract %b[%i, %j] : tensor<64x64xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<64x64xf32>
  te.schedule {
    %s = te.stage %b : tensor<64x64xf32>
    %t = te.stage %c : tensor<64x64xf32>
    %y, %x = te.axes %s
    %i, %j = te.axes %t
    // CHECK: tir.for %{{.+}} = 0 to 64 unrolled
    // CHECK: tir.for %{{.+}} = 0 to 64 unrolled attributes {tir.unroll_explicit = 0 : i64}
    te.unroll %y
    te.unroll %x
    te.pragma %x unroll_explicit = 0
    // CHECK: tir.for %{{.+}} = 0 to 32 unrolled
    // CHECK: tir.for %{{.+}} = 0 to 32 unrolled
    %io, %jo, %ii, %ji = te.tile %i, %j {x_factor = 32, y_factor = 32}
    te.unroll %ii
    te.unroll %ji
  }
  return %c : tensor<64x64xf32>
}

// -----

// Any number of loops are virtual threads.
// CHECK-LABEL: func.func @bind
func.func @bind(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
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
    %y, %x = te.axes %s
    %i, %j = te.axes %t
    // CHECK: thread_binding vthread
    // CHECK: thread_binding vthread
    te.bind %i vthread
    te.bind %j vthread
  }
  return %c : tensor<8x16xf32>
}

// -----

// The smallest stride from 12 on that leaves 8 when divided by 12 is 20: rows of 5 by 4.
// CHECK-LABEL: func.func @stride_of_several_dimensions
func.func @stride_of_several_dimensions(%a: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK: tir.alloc_buffer : memref<2x5x4xf32>
  %b = te.compute "b" (%i: 2, %j: 3, %k: 4) {
    %x = tensor.extract %a[%i, %j, %k] : tensor<2x3x4xf32>
    te.yield %x : f32
  } : tensor<2x3x4xf32>
  %c = te.compute "c" (%i: 2, %j: 3, %k: 4) {
    %x = tensor.extract %b[%i, %j, %k] : tensor<2x3x4xf32>
    te.yield %x : f32
  } : tensor<2x3x4xf32>
  te.schedule {
    %s = te.stage %b : tensor<2x3x4xf32>
    %i, %j, %k = te.axes %s
    te.storage_align %s, %i {factor = 12, offset = 8}
  }
  return %c : tensor<2x3x4xf32>
}

// -----

// What is read under a condition, at a place that is limited, or in no iteration is there.
// CHECK-LABEL: func.func @reads
func.func @reads(%a: tensor<4xf32>, %none: tensor<0xf32>) -> (tensor<8xf32>, tensor<0xf32>) {
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0.0 : f32
  // CHECK: memref.load %arg0
  %b = te.compute "b" (%i: 8) {
    %is_there = arith.cmpi sle, %i, %c3 : index
    %x = scf.if %is_there -> f32 {
      %y = tensor.extract %a[%i] : tensor<4xf32>
      scf.yield %y : f32
    } else {
      scf.yield %zero : f32
    }
    %last = arith.minsi %i, %c3 : index
    %y = tensor.extract %a[%last] : tensor<4xf32>
    %z = arith.addf %x, %y : f32
    te.yield %z : f32
  } : tensor<8xf32>
  %c = te.compute "c" (%i: 0) {
    %x = tensor.extract %none[%c3] : tensor<0xf32>
    te.yield %x : f32
  } : tensor<0xf32>
  return %b, %c : tensor<8xf32>, tensor<0xf32>
}
