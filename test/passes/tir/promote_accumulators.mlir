// RUN: relay-opt %s --promote-accumulators | FileCheck %s

// CHECK-LABEL: func.func @accumulate
// CHECK-SAME: (%[[V:.+]]: vector<16xf32>, %[[OUT:.+]]: memref<16xf32>)
func.func @accumulate(%v: vector<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<16xf32>
  // CHECK-NOT: memref.alloca
  %acc = memref.alloca() : memref<16xf32>
  vector.store %zero, %acc[%c0] : memref<16xf32>, vector<16xf32>
  // CHECK: %[[SUM:.+]] = scf.for %{{.+}} = %{{.+}} iter_args(%[[X:.+]] = %{{.+}}) -> (vector<16xf32>) {
  scf.for %k = %c0 to %c8 step %c1 {
    // CHECK: %[[Y:.+]] = arith.addf %[[X]], %[[V]]
    %x = vector.load %acc[%c0] : memref<16xf32>, vector<16xf32>
    %y = arith.addf %x, %v : vector<16xf32>
    vector.store %y, %acc[%c0] : memref<16xf32>, vector<16xf32>
    // CHECK: scf.yield %[[Y]]
  }
  // CHECK: vector.store %[[SUM]], %[[OUT]]
  %r = vector.load %acc[%c0] : memref<16xf32>, vector<16xf32>
  vector.store %r, %out[%c0] : memref<16xf32>, vector<16xf32>
  return
}

// A subscript that is not constant keeps the buffer.
// CHECK-LABEL: func.func @subscript
func.func @subscript(%v: f32, %i: index) {
  // CHECK: memref.alloca
  %acc = memref.alloca() : memref<16xf32>
  memref.store %v, %acc[%i] : memref<16xf32>
  return
}

// So does a read of what was never written.
// CHECK-LABEL: func.func @unwritten
func.func @unwritten() -> f32 {
  %c0 = arith.constant 0 : index
  // CHECK: memref.alloca
  %acc = memref.alloca() : memref<1xf32>
  %v = memref.load %acc[%c0] : memref<1xf32>
  return %v : f32
}

// And two accesses that overlap without being the same.
// CHECK-LABEL: func.func @overlap
func.func @overlap(%v: vector<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  // CHECK: memref.alloca
  %acc = memref.alloca() : memref<4xf32>
  vector.store %v, %acc[%c0] : memref<4xf32>, vector<4xf32>
  %x = memref.load %acc[%c2] : memref<4xf32>
  return %x : f32
}
