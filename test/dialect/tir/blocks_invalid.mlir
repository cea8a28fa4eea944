// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @kind(%i: index) {
  // expected-error@+1 {{'parallel' is neither spatial nor reduce}}
  tir.block "b" (%v = %i parallel) {
  }
  return
}

// -----

func.func @count(%i: index) {
  // expected-error@+1 {{has 1 bindings and 2 iteration types}}
  "tir.block"(%i) ({
  ^bb0(%v: index):
  }, {
  }) {iter_types = [0 : i32, 0 : i32], name = "b"} : (index) -> ()
  return
}

// -----

func.func @arguments(%i: index) {
  // expected-error@+1 {{its regions take 1 arguments of type index, one for each binding}}
  "tir.block"(%i) ({
  ^bb0(%v: i32):
  }, {
  }) {iter_types = [0 : i32], name = "b"} : (index) -> ()
  return
}

// -----

func.func @init(%i: index) {
  // expected-error@+1 {{has an init, but no reduce variable to start from}}
  tir.block "b" (%v = %i spatial) {
  } init {
  }
  return
}
