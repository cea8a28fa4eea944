// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @kind(%n: index) {
  // expected-error@+1 {{kind 'fast' is none of serial, parallel, vectorized, unrolled}}
  tir.for %n to %n "fast" {
  ^bb0(%i: index):
  }
  return
}

// -----

func.func @argument(%n: index) {
  // expected-error@+1 {{the body takes one argument of type index}}
  tir.for %n to %n "serial" {
  ^bb0(%i: index, %j: index):
  }
  return
}

// -----

func.func @scope() {
  // expected-error@+1 {{scope 'heap' is none of global, local}}
  %0 = tir.alloc_buffer "heap" : memref<4xf32>
  return
}

// -----

func.func @constant() {
  // expected-error@+1 {{the value is not of the buffer's shape and element type, memref<3xf32>}}
  %0 = tir.allocate_const {value = dense<1.0> : tensor<2xf32>} : memref<3xf32>
  return
}
