// RUN: relay-opt %s --print-mac-count -o %t.mlir 2>&1 | FileCheck %s
// RUN: relay-opt %t.mlir --print-mac-count -o %t.again.mlir
// RUN: diff %t.mlir %t.again.mlir
// The same numbers whatever the layout: blocks of 16 channels are as many channels.
// RUN: relay-opt %s --pass-pipeline='builtin.module(func.func(alter-op-layout),print-mac-count)' -o /dev/null 2>&1 | FileCheck %s --check-prefix=BLOCKS

// 512 x 1024 by 1024 x 256.
// CHECK: @gemm: 134217728{{$}}
// CHECK-NEXT: relay.nn.dense: 134217728{{$}}
func.func @gemm(%x: tensor<512x1024xf32>, %w: tensor<256x1024xf32>) -> tensor<512x256xf32> {
  %0 = relay.nn.dense %x, %w : (tensor<512x1024xf32>, tensor<256x1024xf32>) -> tensor<512x256xf32>
  return %0 : tensor<512x256xf32>
}

// 3 * 220 * 220 * 64 * 7 * 7.
// CHECK-NEXT: @conv: 455347200{{$}}
func.func @conv(%x: tensor<1x3x224x224xf32>, %w: tensor<64x3x7x7xf32>) -> tensor<1x64x220x220xf32> {
  %0 = relay.nn.conv2d %x, %w {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x3x224x224xf32>, tensor<64x3x7x7xf32>) -> tensor<1x64x220x220xf32>
  return %0 : tensor<1x64x220x220xf32>
}

// Two convolutions of 115605504 each, and a product of 200704.
// CHECK: @network: 231411712{{$}}
// CHECK-NEXT: relay.nn.conv2d: 231211008{{$}}
// CHECK-NEXT: relay.nn.dense: 200704{{$}}
// BLOCKS: @network: 231411712{{$}}
func.func @network(%x: tensor<1x64x56x56xf32>, %y: tensor<1x64x56x56xf32>, %w: tensor<64x64x3x3xf32>, %v: tensor<1x200704xf32>) -> tensor<1x1xf32> {
  %0 = relay.nn.conv2d %x, %w {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32>
  %1 = relay.nn.conv2d %y, %w {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32>
  %2 = relay.add %0, %1 : (tensor<1x64x56x56xf32>, tensor<1x64x56x56xf32>) -> tensor<1x64x56x56xf32>
  %3 = relay.nn.batch_flatten %2 : (tensor<1x64x56x56xf32>) -> tensor<1x200704xf32>
  %4 = relay.nn.dense %3, %v : (tensor<1x200704xf32>, tensor<1x200704xf32>) -> tensor<1x1xf32>
  return %4 : tensor<1x1xf32>
}

// 64 * 56 * 56 * 3 * 3.
// CHECK-NEXT: @depthwise: 1806336{{$}}
func.func @depthwise(%x: tensor<1x64x56x56xf32>, %w: tensor<64x1x3x3xf32>) -> tensor<1x64x56x56xf32> {
  %0 = relay.nn.conv2d %x, %w {groups = 64 : i64, padding = array<i64: 1, 1, 1, 1>} : (tensor<1x64x56x56xf32>, tensor<64x1x3x3xf32>) -> tensor<1x64x56x56xf32>
  return %0 : tensor<1x64x56x56xf32>
}

// 3 * 228 * 228 * 64 * 7 * 7.
// CHECK: @transposed: 489065472{{$}}
func.func @transposed(%x: tensor<1x3x224x224xf32>, %w: tensor<3x64x7x7xf32>) -> tensor<1x64x228x228xf32> {
  %0 = relay.nn.conv2d_transpose %x, %w {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x3x224x224xf32>, tensor<3x64x7x7xf32>) -> tensor<1x64x228x228xf32>
  return %0 : tensor<1x64x228x228xf32>
}

// 5 * 2 * 3 * 4 each: the shared dimension is the last one, or the one before.
// CHECK: @batches: 240{{$}}
func.func @batches(%x: tensor<5x2x4xf32>, %y: tensor<5x3x4xf32>, %z: tensor<5x4x2xf32>) -> (tensor<5x2x3xf32>, tensor<5x2x3xf32>) {
  %0 = relay.nn.batch_matmul %x, %y {transpose_a = false, transpose_b = true} : (tensor<5x2x4xf32>, tensor<5x3x4xf32>) -> tensor<5x2x3xf32>
  %1 = relay.nn.batch_matmul %z, %y {transpose_a = true, transpose_b = true} : (tensor<5x4x2xf32>, tensor<5x3x4xf32>) -> tensor<5x2x3xf32>
  return %0, %1 : tensor<5x2x3xf32>, tensor<5x2x3xf32>
}

// Nothing is multiplied, or nothing is known.
// CHECK: @none: 0{{$}}
func.func @none(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.multiply %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// CHECK-NEXT: @empty: 0{{$}}
// CHECK-NEXT: relay.nn.dense: 0{{$}}
func.func @empty(%x: tensor<0x8xf32>, %w: tensor<4x8xf32>) -> tensor<0x4xf32> {
  %0 = relay.nn.dense %x, %w : (tensor<0x8xf32>, tensor<4x8xf32>) -> tensor<0x4xf32>
  return %0 : tensor<0x4xf32>
}
// CHECK-NEXT: @open: 0{{$}}
// CHECK-NEXT: not counted, as shapes are open or too large: 1 operators
func.func @open(%x: tensor<?x8xf32>, %w: tensor<4x8xf32>) -> tensor<?x4xf32> {
  %0 = relay.nn.dense %x, %w : (tensor<?x8xf32>, tensor<4x8xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
// 2^32 * 2^30 * 4 is more than 63 bits hold; the elements of the result are not.
// CHECK-NEXT: @large: 0{{$}}
// CHECK-NEXT: not counted, as shapes are open or too large: 1 operators
func.func @large(%x: tensor<4294967296x4xf32>, %w: tensor<1073741824x4xf32>) -> tensor<4294967296x1073741824xf32> {
  %0 = relay.nn.dense %x, %w : (tensor<4294967296x4xf32>, tensor<1073741824x4xf32>) -> tensor<4294967296x1073741824xf32>
  return %0 : tensor<4294967296x1073741824xf32>
}
