// RUN: relay-opt %s --plan-memory --verify-diagnostics

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
