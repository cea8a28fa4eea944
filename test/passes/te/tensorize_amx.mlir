// An intrinsic that is a whole reduction, over tiles of x86-64's AMX: no loop sets its result before. The
// 16 columns of a tile are one of the parts into which the schedule splits the result's.
// RUN: relay-opt %s --lower-te --canonicalize --cse --split-input-file --verify-diagnostics | FileCheck %s

te.tensor_intrin @tile attributes {whole} {
^bb0(%a: tensor<16x32xbf16>, %w: tensor<2x16x16x2xbf16>):
  %c = te.compute "c" (%i: 16, %j: 2, %lane: 16) sum (%k: 16, %half: 2) {
    %two = arith.constant 2 : index
    %first = arith.muli %k, %two : index
    %input = arith.addi %first, %half : index
    %x = tensor.extract %a[%i, %input] : tensor<16x32xbf16>
    %y = tensor.extract %w[%j, %k, %lane, %half] : tensor<2x16x16x2xbf16>
    %u = arith.extf %x : bf16 to f32
    %v = arith.extf %y : bf16 to f32
    %p = arith.mulf %u, %v : f32
    te.yield %p : f32
  } : tensor<16x2x16xf32>
  te.yield %c : tensor<16x2x16xf32>
} implementation {
^bb0(%a: memref<16x32xbf16>, %w: memref<2x16x16x2xbf16>, %c: memref<16x2x16xf32>):
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %x = amx.tile_load %a[%c0, %c0] : memref<16x32xbf16> into !amx.tile<16x32xbf16>
  scf.for %j = %c0 to %c2 step %c1 {
    %zero = amx.tile_zero : !amx.tile<16x16xf32>
    %y = amx.tile_load %w[%j, %c0, %c0, %c0], %c32 : memref<2x16x16x2xbf16> into !amx.tile<16x32xbf16>
    %s = amx.tile_mulf %x, %y, %zero : !amx.tile<16x32xbf16>, !amx.tile<16x32xbf16>, !amx.tile<16x16xf32>
    amx.tile_store %c[%c0, %j, %c0], %s, %c32 : memref<16x2x16xf32>, !amx.tile<16x16xf32>
  }
}

// CHECK-LABEL: func.func @product
// CHECK-SAME: (%[[A:.+]]: memref<48x32xbf16>, %[[W:.+]]: memref<4x16x16x2xbf16>, %[[C:.+]]: memref<48x64xf32>)
// CHECK: tir.for %[[ROWS:.+]] =
// CHECK: tir.for %[[COLUMNS:.+]] =
// CHECK: %[[LOCAL:.+]] = tir.alloc_buffer : memref<16x32xf32, #tir.scope<local>>
// CHECK: %[[ROW:.+]] = arith.muli %[[ROWS]], %c16
// CHECK: %[[UNIT:.+]] = arith.muli %[[COLUMNS]], %c2
// CHECK-NOT: memref.store
// CHECK: amx.tile_load %[[A]][%[[ROW]], %c0] : memref<48x32xbf16>
// CHECK: scf.for %[[J:.+]] = %c0 to %c2
// CHECK: %[[AT:.+]] = arith.addi %[[UNIT]], %[[J]]
// CHECK: amx.tile_load %[[W]][%[[AT]], %c0, %c0, %c0], %c32 : memref<4x16x16x2xbf16>
// CHECK: %[[TO:.+]] = arith.muli %[[J]], %c16
// CHECK: amx.tile_store %[[LOCAL]][%c0, %[[TO]]], %{{.+}}, %c32 : memref<16x32xf32, #tir.scope<local>>
// CHECK: memref.store %{{.+}}, %[[C]]
func.func @product(%a: tensor<48x32xbf16>, %w: tensor<4x16x16x2xbf16>) -> tensor<48x64xf32> {
  %c = te.compute "c" (%i: 48, %n: 64) sum (%k: 32) {
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %unit = arith.divsi %n, %c16 : index
    %lane = arith.remsi %n, %c16 : index
    %pair = arith.divsi %k, %c2 : index
    %half = arith.remsi %k, %c2 : index
    %x = tensor.extract %a[%i, %k] : tensor<48x32xbf16>
    %y = tensor.extract %w[%unit, %pair, %lane, %half] : tensor<4x16x16x2xbf16>
    %u = arith.extf %x : bf16 to f32
    %v = arith.extf %y : bf16 to f32
    %p = arith.mulf %u, %v : f32
    te.yield %p : f32
  } : tensor<48x64xf32>
  te.schedule {
    %s = te.stage %c : tensor<48x64xf32>
    %local = te.cache_write %s in local
    %i, %n = te.axes %s
    %io, %ii = te.split %i {factor = 16}
    %no, %ni = te.split %n {factor = 32}
    te.reorder %io, %no, %ii, %ni
    te.compute_at %local, %s, %no
    %li, %ln, %lk = te.axes %local
    %unit, %lane = te.split %ln {factor = 16}
    %pair, %half = te.split %lk {factor = 2}
    te.reorder %li, %unit, %lane, %pair, %half
    te.tensorize %li {intrin = @tile}
  }
  return %c : tensor<48x64xf32>
}

// -----

te.tensor_intrin @dot attributes {whole} {
^bb0(%a: tensor<4xf32>):
  %c = te.compute "c" () sum (%k: 4) {
    %x = tensor.extract %a[%k] : tensor<4xf32>
    te.yield %x : f32
  } : tensor<f32>
  te.yield %c : tensor<f32>
} implementation {
^bb0(%a: memref<4xf32>, %c: memref<f32>):
  %c0 = arith.constant 0 : index
  %x = vector.load %a[%c0] : memref<4xf32>, vector<4xf32>
  %s = vector.reduction <add>, %x : vector<4xf32> into f32
  memref.store %s, %c[] : memref<f32>
}

func.func @in_parts(%a: tensor<8x8xf32>) -> tensor<8xf32> {
  %c = te.compute "c" (%i: 8) sum (%k: 8) {
    %x = tensor.extract %a[%i, %k] : tensor<8x8xf32>
    te.yield %x : f32
  } : tensor<8xf32>
  te.schedule {
    %s = te.stage %c : tensor<8xf32>
    %i, %k = te.axes %s
    %o, %n = te.split %k {factor = 4}
    // expected-error@+1 {{the intrinsic is a whole reduction, and a loop of the stage's is outside}}
    te.tensorize %n {intrin = @dot}
  }
  return %c : tensor<8xf32>
}

// -----

te.tensor_intrin @copy {
^bb0(%a: tensor<16x16xf32>):
  %b = te.compute "b" (%i: 16, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<16x16xf32>
    te.yield %x : f32
  } : tensor<16x16xf32>
  te.yield %b : tensor<16x16xf32>
} implementation {
^bb0(%a: memref<16x16xf32>, %b: memref<16x16xf32>):
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %x = amx.tile_load %a[%c0, %c0], %c16 : memref<16x16xf32> into !amx.tile<16x16xf32>
  amx.tile_store %b[%c0, %c0], %x : memref<16x16xf32>, !amx.tile<16x16xf32>
}

// The rows of the whole tensor lie further apart than those of the intrinsic's operand.
func.func @apart(%a: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %b = te.compute "b" (%i: 16, %j: 32) {
    %x = tensor.extract %a[%i, %j] : tensor<16x32xf32>
    te.yield %x : f32
  } : tensor<16x32xf32>
  te.schedule {
    %s = te.stage %b : tensor<16x32xf32>
    %i, %j = te.axes %s
    %o, %n = te.split %j {factor = 16}
    te.reorder %o, %i, %n
    // expected-error@+1 {{the implementation takes tiles of rows that lie otherwise}}
    te.tensorize %i {intrin = @copy}
  }
  return %b : tensor<16x32xf32>
}
