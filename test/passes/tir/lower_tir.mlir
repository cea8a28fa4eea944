// RUN: relay-opt %s --lower-tir --split-input-file --verify-diagnostics | FileCheck %s

// The loop becomes a function of a range of its iterations.
// CHECK-LABEL: func.func private @kernel_parallel_0
// CHECK-SAME: (%[[BEGIN:.+]]: index, %[[END:.+]]: index, %[[A:.+]]: memref<16xf32>) attributes {tir.parallel_body}
// CHECK: %[[T:.+]] = memref.alloca() {alignment = 64 : i64} : memref<1xf32>
// CHECK: scf.for %[[I:.+]] = %[[BEGIN]] to %[[END]]
// CHECK: memref.load %[[A]][%[[I]]]
// CHECK: memref.store %{{.+}}, %[[T]]

// CHECK-LABEL: func.func @kernel
// CHECK-SAME: (%[[A:.+]]: memref<16xf32>)
// CHECK: call @kernel_parallel_0(%{{.+}}, %{{.+}}, %[[A]])
// CHECK-NOT: scf.for
func.func @kernel(%a: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  tir.for %i = 0 to 16 parallel {
    %t = tir.alloc_buffer : memref<1xf32, #tir.scope<local>>
    %v = memref.load %a[%i] : memref<16xf32>
    memref.store %v, %t[%c0] : memref<1xf32, #tir.scope<local>>
  }
  return
}

// A CPU has one memory: no type has a scope when its buffer is lowered, be it one that a parallel loop uses or one that
// is cast to be of any scope.
// CHECK-LABEL: func.func private @scopes_parallel_0
// CHECK-SAME: memref<4xf32>, %{{.+}}: memref<16xf32>)
// CHECK-NOT: tir.scope
// CHECK-LABEL: func.func @scopes
// CHECK: %[[T:.+]] = memref.alloca() {alignment = 64 : i64} : memref<4xf32>
// CHECK: %[[V:.+]] = memref.subview %[[T]][2] [2] [1] : memref<4xf32> to memref<2xf32,
// CHECK: memref.store %{{.+}}, %[[V]]
// CHECK: memref.load %[[T]]
// CHECK: call @of_local(%[[T]]) : (memref<4xf32>) -> ()
// CHECK-NOT: tir.scope
// CHECK: return
// CHECK: func.func private @of_local(memref<4xf32>)
func.func @scopes(%a: memref<16xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %t = tir.alloc_buffer : memref<4xf32, #tir.scope<local>>
  %part = memref.subview %t[2] [2] [1] : memref<4xf32, #tir.scope<local>> to memref<2xf32, strided<[1], offset: 2>, #tir.scope<local>>
  memref.store %v, %part[%c0] : memref<2xf32, strided<[1], offset: 2>, #tir.scope<local>>
  %any = memref.memory_space_cast %t : memref<4xf32, #tir.scope<local>> to memref<4xf32>
  %w = memref.load %any[%c0] : memref<4xf32>
  memref.store %w, %a[%c0] : memref<16xf32>
  tir.for %i = 0 to 16 parallel {
    %x = memref.load %t[%c0] : memref<4xf32, #tir.scope<local>>
    memref.store %x, %a[%i] : memref<16xf32>
  }
  call @of_local(%t) : (memref<4xf32, #tir.scope<local>>) -> ()
  return
}
func.func private @of_local(memref<4xf32, #tir.scope<local>>)

// A parallel loop inside another loop runs on one thread.
// CHECK-LABEL: func.func @nested
// CHECK: scf.for
// CHECK: scf.for
func.func @nested(%a: memref<16xf32>, %v: f32) {
  tir.for %i = 0 to 16 {
    tir.for %j = 0 to 16 parallel {
      memref.store %v, %a[%j] : memref<16xf32>
    }
  }
  return
}

// -----

func.func @captures(%a: memref<16xf32>, %v: f32) {
  // expected-error@+1 {{is parallel and uses a value of type f32 from outside}}
  tir.for %i = 0 to 16 parallel {
    memref.store %v, %a[%i] : memref<16xf32>
  }
  return
}
