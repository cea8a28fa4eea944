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
    %t = tir.alloc_buffer local : memref<1xf32>
    %v = memref.load %a[%i] : memref<16xf32>
    memref.store %v, %t[%c0] : memref<1xf32>
  }
  return
}

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
