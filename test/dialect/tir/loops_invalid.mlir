// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @kind(%n: index) {
  // expected-error@+1 {{'fast' is no kind of loop; expected serial, parallel, vectorized, unrolled or thread_binding}}
  tir.for %i = %n to %n fast {
  }
  return
}

// -----

func.func @argument(%n: index) {
  // expected-error@+1 {{the body takes one argument of type index (C1)}}
  "tir.for"() ({
  ^bb0(%i: index, %j: index):
  }) {kind = 0 : i32, static_bounds = array<i64: 0, 1>} : () -> ()
  return
}

// -----

func.func @bounds(%n: index) {
  // expected-error@+1 {{has 1 values for 0 dynamic bounds of 2 (C2)}}
  "tir.for"(%n) ({
  ^bb0(%i: index):
  }) {kind = 0 : i32, static_bounds = array<i64: 0, 1>} : (index) -> ()
  return
}

// -----

func.func @thread(%n: index) {
  // expected-error@+1 {{for an axis of a grid of threads, got: warp}}
  tir.for %i = %n to %n thread_binding warp {
  }
  return
}

// -----

func.func @no_thread() {
  // expected-error@+1 {{a loop has a thread if it is of kind thread_binding, and only then (C3)}}
  "tir.for"() ({
  ^bb0(%i: index):
  }) {kind = 4 : i32, static_bounds = array<i64: 0, 1>} : () -> ()
  return
}
