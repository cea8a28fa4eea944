// RUN: relay-opt %s --erase-scopes | FileCheck %s

// No type has a scope, be it of a buffer, of a part of one, or of a function, and no cast is left between scopes.
// CHECK-NOT: tir.scope
// CHECK-LABEL: func.func @scopes
// CHECK: %[[T:.+]] = memref.alloca() : memref<4xf32>
// CHECK: %[[V:.+]] = memref.subview %[[T]][2] [2] [1] : memref<4xf32> to memref<2xf32,
// CHECK: memref.store %{{.+}}, %[[V]]
// CHECK-NOT: memref.memory_space_cast
// CHECK: memref.load %[[T]]
// CHECK: call @of_local(%[[T]]) : (memref<4xf32>) -> ()
// CHECK-NOT: tir.scope
// CHECK: func.func private @of_local(memref<4xf32>)
func.func @scopes(%a: memref<16xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %t = memref.alloca() : memref<4xf32, #tir.scope<local>>
  %part = memref.subview %t[2] [2] [1] : memref<4xf32, #tir.scope<local>> to memref<2xf32, strided<[1], offset: 2>, #tir.scope<local>>
  memref.store %v, %part[%c0] : memref<2xf32, strided<[1], offset: 2>, #tir.scope<local>>
  %any = memref.memory_space_cast %t : memref<4xf32, #tir.scope<local>> to memref<4xf32>
  %w = memref.load %any[%c0] : memref<4xf32>
  memref.store %w, %a[%c0] : memref<16xf32>
  call @of_local(%t) : (memref<4xf32, #tir.scope<local>>) -> ()
  return
}
func.func private @of_local(memref<4xf32, #tir.scope<local>>)

// Other memory spaces are not ours to take away.
// CHECK-LABEL: func.func @other
// CHECK-SAME: memref<4xf32, 3>
func.func @other(%a: memref<4xf32, 3>) {
  return
}
