// RUN: relay-opt %s --place-shared --split-input-file --verify-diagnostics | FileCheck %s

// Buffers begin at multiples of 64 bytes. All functions have one memory, of the size that the largest one needs.
// CHECK: memref.global "private" @relay_shared_memory : memref<192xi8, 3> {alignment = 64 : i64}
// CHECK-LABEL: func.func @two
// CHECK-SAME: tir.shared_bytes = 192 : i64
// CHECK: %[[MEMORY:.+]] = memref.get_global @relay_shared_memory : memref<192xi8, 3>
// CHECK: memref.view %[[MEMORY]][%c0
// CHECK-SAME: to memref<3xf32, 3>
// CHECK: memref.view %[[MEMORY]][%c64
// CHECK-SAME: to memref<32xf32, 3>
// CHECK-LABEL: func.func @one
// CHECK-SAME: tir.shared_bytes = 64 : i64
// CHECK: memref.get_global @relay_shared_memory : memref<192xi8, 3>
func.func @two(%x: f32) attributes {tir.device_function} {
  %some = memref.alloca() : memref<3xf32, #tir.scope<shared>>
  %more = memref.alloca() : memref<32xf32, #tir.scope<shared>>
  %c0 = arith.constant 0 : index
  memref.store %x, %some[%c0] : memref<3xf32, #tir.scope<shared>>
  memref.store %x, %more[%c0] : memref<32xf32, #tir.scope<shared>>
  return
}
func.func @one(%x: f32) attributes {tir.device_function} {
  %some = memref.alloca() : memref<1xf32, #tir.scope<shared>>
  %c0 = arith.constant 0 : index
  memref.store %x, %some[%c0] : memref<1xf32, #tir.scope<shared>>
  return
}

// Memory of a thread stays.
// CHECK-LABEL: func.func @own
// CHECK: memref.alloca() : memref<1xf32, #tir.scope<local>>
func.func @own() attributes {tir.device_function} {
  %some = memref.alloca() : memref<1xf32, #tir.scope<local>>
  return
}

// -----

func.func @open(%n: index) attributes {tir.device_function} {
  // expected-error@+1 {{is a shared buffer whose size is not known when it is compiled}}
  %some = memref.alloca(%n) : memref<?xf32, #tir.scope<shared>>
  return
}
