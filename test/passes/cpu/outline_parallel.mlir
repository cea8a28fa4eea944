// RUN: relay-opt %s --outline-parallel --split-input-file --verify-diagnostics | FileCheck %s

// The loop becomes a function of a range of its iterations.
// CHECK-LABEL: func.func private @kernel_parallel_0
// CHECK-SAME: (%[[BEGIN:.+]]: index, %[[END:.+]]: index, %{{.+}}: index, %[[A:.+]]: memref<16xf32>) attributes {tir.parallel_body}
// CHECK: %[[ONE:.+]] = arith.constant 1.0
// CHECK: tir.for %[[I:.+]] = %[[BEGIN]] to %[[END]] {
// CHECK: memref.store %[[ONE]], %[[A]][%[[I]]]

// CHECK-LABEL: func.func @kernel
// CHECK-SAME: (%[[A:.+]]: memref<16xf32>)
// CHECK: call @kernel_parallel_0(%c0{{.*}}, %c16{{.*}}, %c0{{.*}}, %[[A]])
// CHECK-NOT: tir.for
func.func @kernel(%a: memref<16xf32>) {
  %one = arith.constant 1.0 : f32
  tir.for %i = 0 to 16 parallel {
    memref.store %one, %a[%i] : memref<16xf32>
  }
  return
}

// The runtime counts from 0, whichever the first iteration is.
// CHECK-LABEL: func.func private @later_parallel_0
// CHECK-SAME: (%[[BEGIN:[^:]+]]: index, %[[END:[^:]+]]: index
// CHECK-DAG: %[[LOW:.+]] = arith.addi %[[BEGIN]], %c2
// CHECK-DAG: %[[HIGH:.+]] = arith.addi %[[END]], %c2
// CHECK: tir.for %{{.+}} = %[[LOW]] to %[[HIGH]] {
// CHECK-LABEL: func.func @later
// CHECK-SAME: memref<16xf32>, %[[N:.+]]: index)
// CHECK: %[[COUNT:.+]] = arith.subi %[[N]], %c2
// CHECK: call @later_parallel_0(%c0{{.*}}, %[[COUNT]], %{{.+}}, %{{.+}}) :
func.func @later(%a: memref<16xf32>, %n: index) {
  %one = arith.constant 1.0 : f32
  tir.for %i = 2 to %n parallel {
    memref.store %one, %a[%i] : memref<16xf32>
  }
  return
}

// Which parameters may lie in one place: those of the kernel, and views of them.
// CHECK-LABEL: func.func private @in_place_parallel_0
// CHECK-SAME: (%{{.+}}: index, %{{.+}}: index, %{{.+}}: index, %{{.+}}: memref<4xf32>, %{{.+}}: memref<16xf32>, %{{.+}}: memref<16xf32>)
// CHECK-SAME: attributes {tir.in_place = array<i64: 4, 5>, tir.parallel_body}
func.func @in_place(%a: memref<4x4xf32>, %b: memref<4xf32>, %out: memref<16xf32>) attributes {tir.in_place = array<i64: 0, 2>} {
  %c0 = arith.constant 0 : index
  %flat = memref.collapse_shape %a [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  tir.for %i = 0 to 16 parallel {
    %y = memref.load %b[%c0] : memref<4xf32>
    %x = memref.load %flat[%i] : memref<16xf32>
    %z = arith.addf %x, %y : f32
    memref.store %z, %out[%i] : memref<16xf32>
  }
  return
}

// Two views of one buffer.
// CHECK-LABEL: func.func private @views_parallel_0
// CHECK-SAME: attributes {tir.in_place = array<i64: 3, 4>, tir.parallel_body}
func.func @views(%a: memref<4x4xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %flat = memref.collapse_shape %a [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  tir.for %i = 0 to 16 parallel {
    %x = memref.load %flat[%i] : memref<16xf32>
    memref.store %x, %a[%c0, %c0] : memref<4x4xf32>
    memref.store %x, %out[%i] : memref<16xf32>
  }
  return
}

// A parallel loop inside another loop runs on one thread, a serial loop on the caller's.
// CHECK-LABEL: func.func @nested
// CHECK: tir.for {{.*}} = 0 to 16 {
// CHECK: tir.for {{.*}} = 0 to 16 parallel {
func.func @nested(%a: memref<16xf32>, %v: f32) {
  tir.for %i = 0 to 16 {
    tir.for %j = 0 to 16 parallel {
      memref.store %v, %a[%j] : memref<16xf32>
    }
  }
  return
}

// -----

// A loop of a version, which runs under a condition, is shared like any other.
// CHECK-LABEL: func.func @version(
// CHECK: scf.if
// CHECK: call @version_parallel_0(
// CHECK: } else {
// CHECK: call @version_parallel_1(
func.func @version(%a: memref<16xf32>, %n: index) {
  %one = arith.constant 1.0 : f32
  %c8 = arith.constant 8 : index
  %fits = arith.cmpi sge, %n, %c8 : index
  scf.if %fits {
    tir.for %i = 0 to 16 parallel {
      memref.store %one, %a[%i] : memref<16xf32>
    }
  } else {
    tir.for %i = 0 to %n parallel {
      memref.store %one, %a[%i] : memref<16xf32>
    }
  }
  return
}

// -----

// The work of open extents says how many threads share a loop: here each iteration stores n numbers in the first part of rows, which has
// min(m, 8) rows, and an exponential counts as 8 more.
// CHECK-LABEL: func.func @open(
// CHECK-SAME: %[[M:[^,]+]]: index, %[[N:[^,]+]]: index)
// CHECK: %[[LEFT:.+]] = arith.subi %[[M]], %{{.+}} : index
// CHECK: %[[ROWS:.+]] = arith.minsi %[[LEFT]], %{{.+}} : index
// CHECK: %[[NINE:.+]] = arith.constant 9 : index
// CHECK: %[[ROW:.+]] = arith.muli %[[N]], %[[NINE]]
// CHECK: %[[PART:.+]] = arith.muli %[[ROWS]], %[[ROW]]
// CHECK: %[[WORK:.+]] = arith.muli %[[N]], %[[PART]]
// CHECK: %[[LEAST:.+]] = arith.constant 8192 : index
// CHECK: %[[THREADS:.+]] = arith.divsi %[[WORK]], %[[LEAST]]
// CHECK: %[[MOST:.+]] = arith.maxsi %[[THREADS]], %{{.+}}
// CHECK: call @open_parallel_0(%c0{{.*}}, %[[N]], %[[MOST]],
func.func @open(%a: memref<16xf32>, %m: index, %n: index) {
  tir.for %i = 0 to %n parallel {
    %c8 = arith.constant 8 : index
    %done = arith.muli %i, %c8 : index
    %left = arith.subi %m, %done : index
    %rows = arith.minsi %left, %c8 : index
    tir.for %j = 0 to %rows {
      tir.for %k = 0 to %n {
        %x = memref.load %a[%k] : memref<16xf32>
        %y = math.exp %x : f32
        memref.store %y, %a[%k] : memref<16xf32>
      }
    }
  }
  return
}

// -----

// An extent that is read inside the loop says nothing before it: all threads share it.
// CHECK-LABEL: func.func @read(
// CHECK: call @read_parallel_0(%c0{{.*}}, %{{.+}}, %c0{{.*}},
func.func @read(%a: memref<16xf32>, %counts: memref<16xindex>, %n: index) {
  tir.for %i = 0 to %n parallel {
    %one = arith.constant 1.0 : f32
    %count = memref.load %counts[%i] : memref<16xindex>
    tir.for %j = 0 to %count {
      memref.store %one, %a[%j] : memref<16xf32>
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

// -----

func.func @unknown_start(%a: memref<16xf32>, %n: index) {
  %one = arith.constant 1.0 : f32
  // expected-error@+1 {{is parallel and starts at a number that is not known}}
  tir.for %i = %n to 16 parallel {
    memref.store %one, %a[%i] : memref<16xf32>
  }
  return
}
