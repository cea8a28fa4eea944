// RUN: relay-opt %s --pass-pipeline='builtin.module(func.func(bind-grid))' --split-input-file --verify-diagnostics | FileCheck %s

// A parallel loop becomes blocks of threads; the last block has fewer iterations.
// CHECK-LABEL: func.func @shared
// CHECK: tir.for %[[B:.+]] = 0 to 3 thread_binding blockIdx.x {
// CHECK: tir.for %[[T:.+]] = 0 to 128 thread_binding threadIdx.x {
// CHECK: %[[FIRST:.+]] = arith.muli %[[B]], %c128
// CHECK: %[[I:.+]] = arith.addi %[[FIRST]], %[[T]]
// CHECK: %[[IN:.+]] = arith.cmpi slt, %[[I]], %c300
// CHECK: scf.if %[[IN]] {
// CHECK-NEXT: memref.store %{{.+}}, %{{.+}}[%[[I]]]
func.func @shared(%a: memref<300xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %one = arith.constant 1.0 : f32
  tir.for %i = 0 to 300 parallel {
    memref.store %one, %a[%i] : memref<300xf32>
  }
  return
}

// The number of iterations may be known at run time only.
// CHECK-LABEL: func.func @open
// CHECK: %[[BLOCKS:.+]] = arith.divsi
// CHECK: tir.for %{{.+}} = 0 to %[[BLOCKS]] thread_binding blockIdx.x {
// CHECK: scf.if
func.func @open(%a: memref<300xf32>, %n: index) attributes {tir.kernel = #tir.kernel<generated>} {
  %one = arith.constant 1.0 : f32
  tir.for %i = 0 to %n parallel {
    memref.store %one, %a[%i] : memref<300xf32>
  }
  return
}

// Few iterations are a block of their own number.
// CHECK-LABEL: func.func @few
// CHECK: 0 to 1 thread_binding blockIdx.x {
// CHECK-NEXT: 0 to 7 thread_binding threadIdx.x {
// CHECK-NOT: scf.if
func.func @few(%a: memref<7xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %one = arith.constant 1.0 : f32
  tir.for %i = 0 to 7 parallel {
    memref.store %one, %a[%i] : memref<7xf32>
  }
  return
}

// Steps that depend on each other run on one thread. So do all steps of a program with memory of its own.
// CHECK-LABEL: func.func @program
// CHECK: tir.for %{{.+}} = 0 to 1 thread_binding blockIdx.x {
// CHECK: tir.alloc_buffer
// CHECK: memref.load
// CHECK: tir.for %{{.+}} = 0 to 4 {
// CHECK: }
// CHECK: }
// CHECK-NEXT: return
func.func @program(%a: memref<4xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %c0 = arith.constant 0 : index
  %sum = tir.alloc_buffer : memref<1xf32, #tir.scope<local>>
  %first = memref.load %a[%c0] : memref<4xf32>
  memref.store %first, %sum[%c0] : memref<1xf32, #tir.scope<local>>
  tir.for %i = 0 to 4 {
    %x = memref.load %sum[%c0] : memref<1xf32, #tir.scope<local>>
    memref.store %x, %a[%i] : memref<4xf32>
  }
  return
}

// A schedule's threads stay, and functions that are no kernels.
// CHECK-LABEL: func.func @scheduled
// CHECK-NOT: blockIdx
// CHECK: thread_binding threadIdx.x
// CHECK-NOT: blockIdx
func.func @scheduled(%a: memref<4xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %one = arith.constant 1.0 : f32
  tir.for %i = 0 to 4 thread_binding threadIdx.x {
    memref.store %one, %a[%i] : memref<4xf32>
  }
  return
}
// CHECK-LABEL: func.func @graph
// CHECK-NOT: thread_binding
func.func @graph(%a: memref<4xf32>) {
  %one = arith.constant 1.0 : f32
  tir.for %i = 0 to 4 parallel {
    memref.store %one, %a[%i] : memref<4xf32>
  }
  return
}

// -----

func.func @value(%a: memref<4xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{is a step of one thread whose value other loops of the kernel read}}
  %x = memref.load %a[%c0] : memref<4xf32>
  tir.for %i = 0 to 4 thread_binding threadIdx.x {
    memref.store %x, %a[%i] : memref<4xf32>
  }
  return
}

// -----

// Steps of a program before a schedule's threads run on one thread, and the values that both read stay outside.
// CHECK-LABEL: func.func @before
// CHECK: %[[C1:.+]] = arith.constant 1 : index
// CHECK: 0 to 1 thread_binding blockIdx.x {
// CHECK: memref.store
// CHECK: }
// CHECK-NEXT: tir.for %{{.+}} = 0 to 4 thread_binding threadIdx.x {
func.func @before(%a: memref<4xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  memref.store %one, %a[%c1] : memref<4xf32>
  tir.for %i = 0 to 4 thread_binding threadIdx.x {
    %x = memref.load %a[%c1] : memref<4xf32>
    memref.store %x, %a[%i] : memref<4xf32>
  }
  return
}

// -----

// So do the values that these are computed from.
// CHECK-LABEL: func.func @extent
// CHECK: %[[SUM:.+]] = arith.addi
// CHECK: %[[BLOCKS:.+]] = arith.floordivsi %[[SUM]]
// CHECK: 0 to 1 thread_binding blockIdx.x {
// CHECK: memref.store
// CHECK: }
// CHECK-NEXT: tir.for %{{.+}} = 0 to %[[BLOCKS]] thread_binding blockIdx.x {
func.func @extent(%a: memref<?xf32>, %n: index) attributes {tir.kernel = #tir.kernel<generated>} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  memref.store %one, %a[%c0] : memref<?xf32>
  %sum = arith.addi %n, %c3 : index
  %blocks = arith.floordivsi %sum, %c4 : index
  tir.for %i = 0 to %blocks thread_binding blockIdx.x {
    memref.store %one, %a[%i] : memref<?xf32>
  }
  return
}
