// RUN: relay-opt %s --plan-memory --split-input-file --verify-diagnostics

func.func private @both(%a: memref<30000000000000xf32>, %b: memref<30000000000000xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  return
}
// expected-error@+1 {{its arena of 240000000000000 bytes takes more than 2^47 bytes}}
func.func @main(%in: memref<16xf32>, %out: memref<16xf32>) attributes {relay.num_inputs = 1 : i64} {
  %0 = tir.alloc_buffer : memref<30000000000000xf32>
  %1 = tir.alloc_buffer : memref<30000000000000xf32>
  call @both(%0, %1) : (memref<30000000000000xf32>, memref<30000000000000xf32>) -> ()
  return
}

// -----

func.func @main(%x: memref<9223372036854775807xf32>, %y: memref<9223372036854775807xf32>) attributes {relay.num_inputs = 1 : i64} {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{makes vector<9223372036854775807xf32>: a vector has at most 512 elements; take several, in a loop}}
  %v = vector.load %x[%c0] : memref<9223372036854775807xf32>, vector<9223372036854775807xf32>
  %a = math.cbrt %v : vector<9223372036854775807xf32>
  vector.store %a, %y[%c0] : memref<9223372036854775807xf32>, vector<9223372036854775807xf32>
  return
}
