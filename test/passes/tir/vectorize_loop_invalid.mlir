// RUN: relay-opt %s --vectorize-loop --verify-diagnostics

func.func @bounds(%b: memref<4xf32>, %v: f32, %n: index) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{is vectorized, but its bounds are not constants}}
  tir.for %i = 0 to %n vectorized {
    memref.store %v, %b[%i] : memref<4xf32>
  }
  return
}

func.func @long(%b: memref<1099511627776xf32>, %v: f32) {
  // expected-error@+1 {{is vectorized, and has more than 512 iterations; split it}}
  tir.for %i = 0 to 1099511627776 vectorized {
    memref.store %v, %b[%i] : memref<1099511627776xf32>
  }
  return
}
