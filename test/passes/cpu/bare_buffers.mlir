// RUN: relay-opt %s --bare-buffers --split-input-file --verify-diagnostics | FileCheck %s

// A kernel takes a pointer, and makes the buffer from it; its caller passes a pointer to a view, and its own one on.
// CHECK-LABEL: func.func @kernel
// CHECK-SAME: (%[[X:.*]]: memref<f32> {{.*}}, %[[Y:.*]]: memref<f32> {{.*}}, %[[W:.*]]: memref<4xf32>, %[[N:.*]]: index)
// CHECK-DAG: %[[IN:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [%[[N]], 4], strides: [4, 1]
// CHECK-DAG: %[[OUT:.*]] = memref.reinterpret_cast %[[Y]] to {{.*}} : memref<f32> to memref<?x4xf32>
// CHECK: memref.copy %[[IN]], %[[OUT]]
func.func @kernel(%x: memref<?x4xf32> {relay.dims = ["n", 4]}, %y: memref<?x4xf32> {relay.dims = ["n", 4]}, %w: memref<4xf32>,
                  %n: index) attributes {tir.symbols = ["n"]} {
  memref.copy %x, %y : memref<?x4xf32> to memref<?x4xf32>
  return
}

// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: memref<f32> {{.*}}, %[[W:.*]]: memref<4xf32>, %[[N:.*]]: index, %[[ARENA:.*]]: memref<1xi8>)
// CHECK: %[[VIEW:.*]] = memref.view %[[ARENA]]
// CHECK: %[[POINTER:.*]] = memref.reinterpret_cast %[[VIEW]] to offset: [0], sizes: [], strides: [] : memref<?x4xf32> to memref<f32>
// CHECK: call @kernel(%[[X]], %[[POINTER]], %[[W]], %[[N]])
func.func @main(%x: memref<?x4xf32> {relay.dims = ["n", 4]}, %w: memref<4xf32>, %n: index, %arena: memref<1xi8>)
    attributes {tir.symbols = ["n"]} {
  %c0 = arith.constant 0 : index
  %y = memref.view %arena[%c0][%n] : memref<1xi8> to memref<?x4xf32>
  call @kernel(%x, %y, %w, %n) : (memref<?x4xf32>, memref<?x4xf32>, memref<4xf32>, index) -> ()
  return
}

// -----

// Nothing is open.
// CHECK-LABEL: func.func @known(%{{.*}}: memref<8x4xf32>, %{{.*}}: index)
// CHECK-NOT: reinterpret_cast
func.func @known(%x: memref<8x4xf32>, %i: index) {
  return
}

// -----

// expected-error @+1 {{has a parameter of type memref<?xf32>, whose dimensions nothing names}}
func.func @nameless(%x: memref<?xf32>, %n: index) attributes {tir.symbols = ["n"]} {
  return
}

// -----

// expected-error @+1 {{has a parameter of type memref<?xf32>, and not the values of all its symbols}}
func.func @unknown(%x: memref<?xf32> {relay.dims = ["s"]}, %n: index) attributes {tir.symbols = ["n"]} {
  return
}
