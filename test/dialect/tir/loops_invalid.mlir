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

func.func @thread(%n: index) {
  // expected-error@+1 {{thread 'warp' is none of blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z, vthread}}
  tir.for %n to %n "thread_binding" attributes {thread = "warp"} {
  ^bb0(%i: index):
  }
  return
}
