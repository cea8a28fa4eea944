// RUN: relay-opt %s --outline-grids --split-input-file --verify-diagnostics | FileCheck %s

// The function is what one thread does. A loop of fewer iterations than there are threads is for some of them.
// CHECK-LABEL: func.func private @kernel_grid_0
// CHECK-SAME: (%{{.+}}: index, %{{.+}}: index, %{{.+}}: index, %{{.+}}: index, %{{.+}}: index, %{{.+}}: index, %[[A:.+]]: memref<64xf32>, %[[B:.+]]: memref<64xf32>) attributes {tir.device_function
// CHECK: %[[BLOCK:.+]] = gpu.block_id x
// CHECK: %[[THREAD:.+]] = gpu.thread_id x
// CHECK: %[[SHARED:.+]] = tir.alloc_buffer : memref<16xf32, #tir.scope<shared>>
// CHECK: %[[SOME:.+]] = arith.cmpi slt, %[[THREAD]], %c16
// CHECK: scf.if %[[SOME]] {
// CHECK: memref.store %{{.+}}, %[[SHARED]][%[[THREAD]]]
// CHECK: }
// CHECK: memref.store %{{.+}}, %[[B]]
// CHECK-NOT: tir.for

// CHECK-LABEL: func.func @kernel
// CHECK: call @kernel_grid_0(%c2{{.*}}, %c1{{.*}}, %c1{{.*}}, %c32{{.*}}, %c1{{.*}}, %c1{{.*}}, %{{.+}}, %{{.+}})
// CHECK-NEXT: return
func.func @kernel(%a: memref<64xf32>, %b: memref<64xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  tir.for %block = 0 to 2 thread_binding blockIdx.x {
    tir.for %thread = 0 to 32 thread_binding threadIdx.x {
      %shared = tir.alloc_buffer : memref<16xf32, #tir.scope<shared>>
      tir.for %i = 0 to 16 thread_binding threadIdx.x {
        %x = memref.load %a[%i] : memref<64xf32>
        memref.store %x, %shared[%i] : memref<16xf32, #tir.scope<shared>>
      }
      %c16 = arith.constant 16 : index
      %at = arith.remsi %thread, %c16 : index
      %y = memref.load %shared[%at] : memref<16xf32, #tir.scope<shared>>
      %c32 = arith.constant 32 : index
      %first = arith.muli %block, %c32 : index
      %place = arith.addi %first, %thread : index
      memref.store %y, %b[%place] : memref<64xf32>
    }
  }
  return
}

// Each loop of a kernel is a grid of its own. Blocks along y and z, and virtual threads, which are steps of a thread.
// CHECK-LABEL: func.func private @two_grid_0
// CHECK: gpu.block_id z
// CHECK: tir.for %{{.+}} = 0 to 2 {
// CHECK-LABEL: func.func private @two_grid_1
// CHECK-LABEL: func.func @two
// CHECK: call @two_grid_0(%c1{{.*}}, %c3{{.*}}, %c4{{.*}}, %c1
// CHECK: call @two_grid_1(%c1
func.func @two(%a: memref<3x4x2xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %one = arith.constant 1.0 : f32
  tir.for %i = 0 to 3 thread_binding blockIdx.y {
    tir.for %j = 0 to 4 thread_binding blockIdx.z {
      tir.for %k = 0 to 2 thread_binding vthread {
        memref.store %one, %a[%i, %j, %k] : memref<3x4x2xf32>
      }
    }
  }
  tir.for %i = 0 to 1 thread_binding blockIdx.x {
    %c0 = arith.constant 0 : index
    memref.store %one, %a[%c0, %c0, %c0] : memref<3x4x2xf32>
  }
  return
}

// An extent that is known at run time is an operand.
// CHECK-LABEL: func.func private @open_grid_0
// CHECK-NOT: scf.if
// CHECK-LABEL: func.func @open
// CHECK-SAME: %[[N:[^:]+]]: index
// CHECK: call @open_grid_0(%[[N]], %c1
func.func @open(%a: memref<64xf32>, %n: index) attributes {tir.kernel = #tir.kernel<generated>} {
  %one = arith.constant 1.0 : f32
  tir.for %i = 0 to %n thread_binding blockIdx.x {
    memref.store %one, %a[%i] : memref<64xf32>
  }
  return
}

// -----

func.func @inner(%a: memref<64xf32>, %m: index) attributes {tir.kernel = #tir.kernel<generated>} {
  %one = arith.constant 1.0 : f32
  // expected-error@+1 {{has loops of threadIdx.x whose extents cannot be compared}}
  tir.for %i = 0 to 4 thread_binding blockIdx.x {
    tir.for %j = 0 to 8 thread_binding threadIdx.x {
      memref.store %one, %a[%j] : memref<64xf32>
    }
    tir.for %j = 0 to %m thread_binding threadIdx.x {
      memref.store %one, %a[%j] : memref<64xf32>
    }
  }
  return
}

// -----

func.func @data(%a: memref<64xf32>, %n: memref<1xindex>) attributes {tir.kernel = #tir.kernel<generated>} {
  %one = arith.constant 1.0 : f32
  // expected-error@+1 {{has a loop of threadIdx.x whose extent is not known before the launch}}
  tir.for %i = 0 to 4 thread_binding blockIdx.x {
    %c0 = arith.constant 0 : index
    %m = memref.load %n[%c0] : memref<1xindex>
    tir.for %j = 0 to %m thread_binding threadIdx.x {
      memref.store %one, %a[%j] : memref<64xf32>
    }
  }
  return
}
