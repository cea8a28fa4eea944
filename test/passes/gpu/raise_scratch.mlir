// RUN: relay-opt %s --pass-pipeline='builtin.module(func.func(raise-scratch))' --split-input-file --verify-diagnostics | FileCheck %s

// The buffer of a whole kernel is global, with its views; that of a step stays.
// CHECK-LABEL: func.func @kernel
// CHECK: tir.alloc_buffer : memref<4xf32>
// CHECK: memref.reinterpret_cast
// CHECK-SAME: memref<4xf32> to memref<2x2xf32>
// CHECK: tir.for
// CHECK: tir.alloc_buffer : memref<1xf32, #tir.scope<local>>
func.func @kernel(%a: memref<4xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %all = tir.alloc_buffer : memref<4xf32, #tir.scope<local>>
  %square = memref.reinterpret_cast %all to offset: [0], sizes: [2, 2], strides: [2, 1]
    : memref<4xf32, #tir.scope<local>> to memref<2x2xf32, #tir.scope<local>>
  %c0 = arith.constant 0 : index
  tir.for %i = 0 to 2 {
    %one = tir.alloc_buffer : memref<1xf32, #tir.scope<local>>
    %x = memref.load %square[%i, %c0] : memref<2x2xf32, #tir.scope<local>>
    memref.store %x, %one[%c0] : memref<1xf32, #tir.scope<local>>
  }
  return
}

// CHECK-LABEL: func.func @graph
// CHECK: #tir.scope<local>
func.func @graph() {
  %own = tir.alloc_buffer : memref<4xf32, #tir.scope<local>>
  return
}

// Of a loop that threads share, each thread has a part of a global buffer: those of known size, if they are large.
// CHECK-LABEL: func.func @shared
// CHECK: tir.alloc_buffer : memref<38400xi8>
// CHECK: tir.for %[[I:.+]] = 0 to 50 parallel
// CHECK: %[[FIRST:.+]] = arith.muli %[[I]], %c768
// CHECK: memref.view %{{.+}}[%[[FIRST]]][] : memref<38400xi8> to memref<190xf32>
// CHECK: tir.alloc_buffer : memref<64xi64, #tir.scope<local>>
func.func @shared(%a: memref<50xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %c0 = arith.constant 0 : index
  tir.for %i = 0 to 50 parallel {
    %large = tir.alloc_buffer : memref<190xf32, #tir.scope<local>>
    %small = tir.alloc_buffer : memref<64xi64, #tir.scope<local>>
    %x = memref.load %a[%i] : memref<50xf32>
    memref.store %x, %large[%c0] : memref<190xf32, #tir.scope<local>>
  }
  return
}

// A loop of many iterations runs on fewer threads. The size is a form of symbols.
// CHECK-LABEL: func.func @open
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[M:[a-z0-9]+]]: index
// CHECK: %[[THREADS:.+]] = arith.minsi %[[N]], %{{.+}}
// CHECK: tir.alloc_buffer {dims = ["64*((m + 15) / 16)*min(n, 16384)"]} : memref<?xi8>
// CHECK: tir.for %[[THREAD:.+]] = 0 to %[[THREADS]] parallel
// CHECK: tir.for %[[TURN:.+]] = 0 to %{{.+}} {
// CHECK: %[[SKIPPED:.+]] = arith.muli %[[TURN]], %[[THREADS]]
// CHECK: %[[I:.+]] = arith.addi %[[THREAD]], %[[SKIPPED]]
// CHECK: %[[PART:.+]] = arith.muli %[[THREAD]], %{{.+}}
// CHECK: memref.view %{{.+}}[%[[PART]]][%[[M]]] : memref<?xi8> to memref<?xf32>
// CHECK: memref.load %{{.+}}[%[[I]]]
func.func @open(%a: memref<?xf32>, %n: index, %m: index) attributes {tir.kernel = #tir.kernel<generated>, tir.symbols = ["n", "m"]} {
  %c0 = arith.constant 0 : index
  tir.for %i = 0 to %n parallel {
    %own = tir.alloc_buffer {dims = ["m"]} : memref<?xf32, #tir.scope<local>>
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %own[%c0] : memref<?xf32, #tir.scope<local>>
  }
  return
}

// A serial loop runs on one thread.
// CHECK-LABEL: func.func @serial
// CHECK: tir.alloc_buffer {dims = ["64*((m + 15) / 16)"]} : memref<?xi8>
// CHECK: tir.for %{{.+}} = 0 to 9 {
// CHECK: memref.view
func.func @serial(%m: index) attributes {tir.kernel = #tir.kernel<generated>, tir.symbols = ["m"]} {
  tir.for %i = 0 to 9 {
    %own = tir.alloc_buffer {dims = ["m"]} : memref<?xf32, #tir.scope<local>>
  }
  return
}

// -----

func.func @unknown() attributes {tir.kernel = #tir.kernel<generated>} {
  // expected-error@+1 {{has a buffer of 64*((n + 15) / 16) bytes, which nothing computes}}
  tir.for %i = 0 to 2 {
    %own = tir.alloc_buffer {dims = ["n"]} : memref<?xf32, #tir.scope<local>>
  }
  return
}

// -----

func.func @scheduled(%n: index) attributes {tir.kernel = #tir.kernel<generated>, tir.symbols = ["n"]} {
  tir.for %i = 0 to 2 thread_binding blockIdx.x {
    // expected-error@+1 {{is memory of a thread or a block of a scheduled kernel, whose size is known at run time only}}
    %own = tir.alloc_buffer {dims = ["n"]} : memref<?xf32, #tir.scope<local>>
  }
  return
}
