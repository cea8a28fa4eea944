// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @kind(%i: index) {
  // expected-error@+1 {{iteration type 'parallel' is none of spatial, reduce}}
  tir.block "b" (%i) ["parallel"] {
  ^bb0(%v: index):
  }
  return
}

// -----

func.func @count(%i: index) {
  // expected-error@+1 {{has 1 bindings and 2 iteration types}}
  tir.block "b" (%i) ["spatial", "spatial"] {
  ^bb0(%v: index):
  }
  return
}

// -----

func.func @arguments(%i: index) {
  // expected-error@+1 {{its regions take 1 arguments of type index, one for each binding}}
  tir.block "b" (%i) ["spatial"] {
  ^bb0(%v: i32):
  }
  return
}

// -----

func.func @init(%i: index) {
  // expected-error@+1 {{has an init, but no reduce variable to start from}}
  tir.block "b" (%i) ["spatial"] {
  ^bb0(%v: index):
  } init {
  ^bb0(%v: index):
  }
  return
}
