// RUN: relay-opt %s --pass-pipeline='builtin.module(func.func(insert-barriers))' --split-input-file --verify-diagnostics | FileCheck %s

// Data is written before it is read, and read before the next step overwrites it.
// CHECK-LABEL: func.func @tiles
// CHECK: tir.for %{{.+}} = 0 to 4 {
// CHECK-NEXT: memref.load %arg0
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: memref.store
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: memref.load
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @tiles(%a: memref<4x32xf32>, %b: memref<4x32xf32>) attributes {tir.device_function} {
  %thread = gpu.thread_id x
  %shared = tir.alloc_buffer : memref<32xf32, #tir.scope<shared>>
  %c0 = arith.constant 0 : index
  tir.for %k = 0 to 4 {
    %x = memref.load %a[%k, %thread] : memref<4x32xf32>
    memref.store %x, %shared[%thread] : memref<32xf32, #tir.scope<shared>>
    %y = memref.load %shared[%c0] : memref<32xf32, #tir.scope<shared>>
    memref.store %y, %b[%k, %thread] : memref<4x32xf32>
  }
  return
}

// A loop that only reads what all threads have written waits once.
// CHECK-LABEL: func.func @once
// CHECK: tir.for %{{.+}} = 0 to 4 {
// CHECK: gpu.barrier
// CHECK-NEXT: memref.store
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tir.for %{{.+}} = 0 to 32 {
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @once(%a: memref<4x32xf32>, %b: memref<4x32xf32>) attributes {tir.device_function} {
  %thread = gpu.thread_id x
  %shared = tir.alloc_buffer : memref<32xf32, #tir.scope<shared>>
  tir.for %k = 0 to 4 {
    %x = memref.load %a[%k, %thread] : memref<4x32xf32>
    memref.store %x, %shared[%thread] : memref<32xf32, #tir.scope<shared>>
    tir.for %i = 0 to 32 {
      %y = memref.load %shared[%i] : memref<32xf32, #tir.scope<shared>>
      memref.store %y, %b[%k, %thread] : memref<4x32xf32>
    }
  }
  return
}

// What all threads only read needs no barrier; neither does memory of a thread.
// CHECK-LABEL: func.func @alone
// CHECK-NOT: gpu.barrier
func.func @alone(%a: memref<32xf32>) attributes {tir.device_function} {
  %thread = gpu.thread_id x
  %own = tir.alloc_buffer : memref<1xf32, #tir.scope<local>>
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%thread] : memref<32xf32>
  memref.store %x, %own[%c0] : memref<1xf32, #tir.scope<local>>
  %y = memref.load %own[%c0] : memref<1xf32, #tir.scope<local>>
  memref.store %y, %a[%thread] : memref<32xf32>
  return
}

// A branch that some threads take is one step.
// CHECK-LABEL: func.func @some
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK-NEXT: scf.if
// CHECK-NOT: gpu.barrier
func.func @some(%a: memref<32xf32>) attributes {tir.device_function} {
  %thread = gpu.thread_id x
  %shared = tir.alloc_buffer : memref<32xf32, #tir.scope<shared>>
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%thread] : memref<32xf32>
  memref.store %x, %shared[%thread] : memref<32xf32, #tir.scope<shared>>
  %first = arith.cmpi eq, %thread, %c0 : index
  scf.if %first {
    tir.for %i = 0 to 32 {
      %y = memref.load %shared[%i] : memref<32xf32, #tir.scope<shared>>
      memref.store %y, %a[%i] : memref<32xf32>
    }
  }
  return
}

// A branch that depends on the block is taken by all its threads or by none.
// CHECK-LABEL: func.func @block
// CHECK: scf.if
// CHECK: memref.store
// CHECK-NEXT: gpu.barrier
func.func @block(%a: memref<32xf32>) attributes {tir.device_function} {
  %thread = gpu.thread_id x
  %block = gpu.block_id x
  %shared = tir.alloc_buffer : memref<32xf32, #tir.scope<shared>>
  %c0 = arith.constant 0 : index
  %first = arith.cmpi eq, %block, %c0 : index
  %x = memref.load %a[%thread] : memref<32xf32>
  scf.if %first {
    memref.store %x, %shared[%thread] : memref<32xf32, #tir.scope<shared>>
    %y = memref.load %shared[%c0] : memref<32xf32, #tir.scope<shared>>
    memref.store %y, %a[%thread] : memref<32xf32>
  }
  return
}

// -----

func.func @divergent(%a: memref<32xf32>) attributes {tir.device_function} {
  %thread = gpu.thread_id x
  %shared = tir.alloc_buffer : memref<32xf32, #tir.scope<shared>>
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%thread] : memref<32xf32>
  %first = arith.cmpi eq, %thread, %c0 : index
  // expected-error@+1 {{reads and writes a shared buffer where not all threads of a block are}}
  scf.if %first {
    memref.store %x, %shared[%thread] : memref<32xf32, #tir.scope<shared>>
    %y = memref.load %shared[%c0] : memref<32xf32, #tir.scope<shared>>
    memref.store %y, %a[%thread] : memref<32xf32>
  }
  return
}

// -----

// Sums of threads: each thread has an element of its own until another one reads it.
// CHECK-LABEL: func.func @sums
// CHECK-NOT: gpu.barrier
// CHECK: scf.if
// CHECK-NOT: gpu.barrier
// CHECK: gpu.barrier
// CHECK-NEXT: memref.load %{{.+}}[%c0
// CHECK-NOT: gpu.barrier
func.func @sums(%a: memref<4x32xf32>, %b: memref<32xf32>) attributes {tir.device_function} {
  %thread = gpu.thread_id x
  %shared = tir.alloc_buffer : memref<1x32xf32, #tir.scope<shared>>
  %c0 = arith.constant 0 : index
  %c20 = arith.constant 20 : index
  %zero = arith.constant 0.0 : f32
  memref.store %zero, %shared[%c0, %thread] : memref<1x32xf32, #tir.scope<shared>>
  tir.for %k = 0 to 4 {
    %some = arith.cmpi slt, %thread, %c20 : index
    scf.if %some {
      %x = memref.load %a[%k, %thread] : memref<4x32xf32>
      %sum = memref.load %shared[%c0, %thread] : memref<1x32xf32, #tir.scope<shared>>
      %next = arith.addf %sum, %x : f32
      memref.store %next, %shared[%c0, %thread] : memref<1x32xf32, #tir.scope<shared>>
    }
  }
  %y = memref.load %shared[%c0, %c0] : memref<1x32xf32, #tir.scope<shared>>
  memref.store %y, %b[%thread] : memref<32xf32>
  return
}

// -----

// Threads along two axes: an element that only one of their numbers names is not a thread's own.
// CHECK-LABEL: func.func @two_axes
// CHECK: memref.store
// CHECK: gpu.barrier
func.func @two_axes(%a: memref<32xf32>) attributes {tir.device_function} {
  %x = gpu.thread_id x
  %y = gpu.thread_id y
  %shared = tir.alloc_buffer : memref<32xf32, #tir.scope<shared>>
  %v = memref.load %a[%y] : memref<32xf32>
  memref.store %v, %shared[%x] : memref<32xf32, #tir.scope<shared>>
  %w = memref.load %shared[%x] : memref<32xf32, #tir.scope<shared>>
  memref.store %w, %a[%x] : memref<32xf32>
  return
}

// -----

// A stage that some threads fill, each several elements: no thread waits for its own stores.
// CHECK-LABEL: func.func @fill
// CHECK: scf.if
// CHECK-NOT: gpu.barrier
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK-NEXT: memref.load
func.func @fill(%a: memref<4x32xf32>, %b: memref<32xf32>) attributes {tir.device_function} {
  %thread = gpu.thread_id x
  %shared = tir.alloc_buffer : memref<32x4xf32, #tir.scope<shared>>
  %c0 = arith.constant 0 : index
  %c20 = arith.constant 20 : index
  %some = arith.cmpi slt, %thread, %c20 : index
  scf.if %some {
    tir.for %k = 0 to 4 {
      %x = memref.load %a[%k, %thread] : memref<4x32xf32>
      memref.store %x, %shared[%thread, %k] : memref<32x4xf32, #tir.scope<shared>>
    }
  }
  %y = memref.load %shared[%c0, %c0] : memref<32x4xf32, #tir.scope<shared>>
  memref.store %y, %b[%thread] : memref<32xf32>
  return
}

// A loop that reads what was written before waits once.
// CHECK-LABEL: func.func @once
// CHECK: memref.store
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tir.for
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @once(%a: memref<32xf32>, %b: memref<32x32xf32>) attributes {tir.device_function} {
  %thread = gpu.thread_id x
  %shared = tir.alloc_buffer : memref<32xf32, #tir.scope<shared>>
  %x = memref.load %a[%thread] : memref<32xf32>
  memref.store %x, %shared[%thread] : memref<32xf32, #tir.scope<shared>>
  tir.for %i = 0 to 32 unrolled {
    %y = memref.load %shared[%i] : memref<32xf32, #tir.scope<shared>>
    memref.store %y, %b[%i, %thread] : memref<32x32xf32>
  }
  return
}

// Of two buffers that take turns one is filled while the other one is read: an iteration waits once.
// CHECK-LABEL: func.func @turns
// CHECK: tir.for
// CHECK: gpu.barrier
// CHECK: memref.store
// CHECK-NOT: gpu.barrier
// CHECK: memref.load
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @turns(%a: memref<9x32xf32>, %b: memref<8x32xf32>) attributes {tir.device_function} {
  %thread = gpu.thread_id x
  %shared = tir.alloc_buffer : memref<2x32xf32, #tir.scope<shared>>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  tir.for %k = 0 to 8 {
    %next = arith.addi %k, %c1 : index
    %other = arith.remsi %next, %c2 : index
    %x = memref.load %a[%next, %thread] : memref<9x32xf32>
    memref.store %x, %shared[%other, %thread] : memref<2x32xf32, #tir.scope<shared>>
    %slot = arith.remsi %k, %c2 : index
    %y = memref.load %shared[%slot, %c0] : memref<2x32xf32, #tir.scope<shared>>
    memref.store %y, %b[%k, %thread] : memref<8x32xf32>
  }
  return
}
