// RUN: relay-opt %s --vectorize-loop --canonicalize | FileCheck %s

// The lanes write columns of what the lines read as rows: rows are loaded, and transposed in registers.
// CHECK-LABEL: func.func @transposed
// CHECK-SAME: (%[[A:.+]]: memref<?x8xf32>, %[[B:.+]]: memref<8x4xf32>, %[[N:.+]]: index)
func.func @transposed(%a: memref<?x8xf32>, %b: memref<8x4xf32>, %n: index) {
  // CHECK: tir.for %[[TILE:.+]] = 0 to 2 {
  // CHECK: %[[LINE:.+]] = arith.muli %[[TILE]], %c4
  // CHECK-COUNT-4: vector.load %[[A]][%{{.+}}, %[[LINE]]] : memref<?x8xf32>, vector<4xf32>
  // CHECK-DAG: vector.shuffle %{{.+}}, %{{.+}} [0, 4, 1, 5]
  // CHECK-DAG: vector.shuffle %{{.+}}, %{{.+}} [2, 6, 3, 7]
  // CHECK-DAG: vector.shuffle %{{.+}}, %{{.+}} [0, 1, 4, 5]
  // CHECK-DAG: vector.shuffle %{{.+}}, %{{.+}} [2, 3, 6, 7]
  // CHECK: vector.store %{{.+}}, %[[B]][%[[LINE]], %c0] : memref<8x4xf32>, vector<4xf32>
  // CHECK-COUNT-3: vector.store
  // CHECK-NOT: vector.gather
  tir.for %line = 0 to 8 {
    tir.for %lane = 0 to 4 vectorized {
      %row = arith.addi %n, %lane : index
      %x = memref.load %a[%row, %line] : memref<?x8xf32>
      memref.store %x, %b[%line, %lane] : memref<8x4xf32>
    }
  }
  return
}

// Six lines are no tiles of four.
// CHECK-LABEL: func.func @lines_are_no_tiles
func.func @lines_are_no_tiles(%a: memref<4x6xf32>, %b: memref<6x4xf32>) {
  // CHECK: vector.gather
  tir.for %line = 0 to 6 {
    tir.for %lane = 0 to 4 vectorized {
      %x = memref.load %a[%lane, %line] : memref<4x6xf32>
      memref.store %x, %b[%line, %lane] : memref<6x4xf32>
    }
  }
  return
}

// What is computed of an element is no copy.
// CHECK-LABEL: func.func @transposed_and_computed
func.func @transposed_and_computed(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  // CHECK: vector.gather
  tir.for %line = 0 to 4 {
    tir.for %lane = 0 to 4 vectorized {
      %x = memref.load %a[%lane, %line] : memref<4x4xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %b[%line, %lane] : memref<4x4xf32>
    }
  }
  return
}
