// Loop bounds, extents and factors near 2^63: every pass of tir ends, and says what it cannot do.
// RUN: split-file %s %t
// RUN: relay-opt %t/serial.mlir --lower-block -o %t.out
// RUN: relay-opt %t/serial.mlir --lower-thread-binding -o %t.out
// RUN: relay-opt %t/serial.mlir --hoist-if-then-else -o %t.out
// RUN: relay-opt %t/serial.mlir --loop-partition -o %t.out
// RUN: relay-opt %t/serial.mlir --tir-simplify -o %t.out
// RUN: relay-opt %t/serial.mlir --plan-memory -o %t.out
// RUN: relay-opt %t/serial.mlir --vectorize-loop -o %t.out
// RUN: relay-opt %t/serial.mlir --outline-parallel -o %t.out
// RUN: relay-opt %t/serial.mlir --plan-workspace -o %t.out
// RUN: relay-opt %t/serial.mlir --lower-tir -o %t.out
// RUN: relay-opt %t/serial.mlir --erase-scopes -o %t.out
// RUN: relay-opt %t/serial.mlir --approximate-math -o %t.out
// RUN: relay-opt %t/serial.mlir --promote-accumulators -o %t.out
// RUN: relay-opt %t/never.mlir --lower-block --lower-thread-binding --hoist-if-then-else --loop-partition --tir-simplify --plan-memory --vectorize-loop --unroll-loop --outline-parallel --plan-workspace --lower-tir --erase-scopes --promote-accumulators -o %t.out
// RUN: not relay-opt %t/unrolled.mlir --unroll-loop 2>&1 | FileCheck %s
// RUN: relay-opt %t/buffers.mlir --lower-block --loop-partition --tir-simplify --plan-memory --vectorize-loop --unroll-loop --outline-parallel --plan-workspace --lower-tir --erase-scopes --promote-accumulators -o %t.out
// RUN: relay-opt %t/comparisons.mlir --loop-partition -o %t.out
// RUN: relay-opt %t/comparisons.mlir --tir-simplify --canonicalize | FileCheck %s --check-prefix=COMPARED
// RUN: relay-opt %t/remainders.mlir --tir-simplify -o %t.out
// RUN: relay-opt %t/subscripts.mlir --plan-memory -o %t.out
// RUN: relay-opt %t/accumulators.mlir --promote-accumulators -o %t.out
// RUN: relay-opt %t/gathered.mlir --vectorize-loop -o %t.out
// CHECK: 'tir.for' op is unrolled into {{[0-9]+}} ops, which would take minutes to compile and gigabytes; at most 1048576 are

//--- serial.mlir
func.func @main(%a: memref<4xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %z = arith.constant 0.0 : f32
  tir.for %i = -9223372036854775807 to 9223372036854775807 parallel {
    %c = arith.constant 9223372036854775807 : index
    %k = arith.addi %i, %c : index
    %m = arith.muli %k, %c : index
    %d = arith.divsi %m, %c : index
    %r = arith.remsi %d, %c : index
    %q = arith.cmpi slt, %r, %c : index
    scf.if %q {
      memref.store %z, %a[%r] : memref<4xf32>
    }
  }
  return
}

//--- never.mlir
func.func @main(%a: memref<4xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %z = arith.constant 0.0 : f32
  tir.for %i = 9223372036854775807 to 4 {
    memref.store %z, %a[%i] : memref<4xf32>
  }
  tir.for %i = 9223372036854775807 to -9223372036854775807 parallel {
    memref.store %z, %a[%i] : memref<4xf32>
  }
  tir.for %i = 9223372036854775807 to -9223372036854775807 unrolled {
    memref.store %z, %a[%i] : memref<4xf32>
  }
  tir.for %i = 9223372036854775807 to -9223372036854775807 vectorized {
    memref.store %z, %a[%i] : memref<4xf32>
  }
  return
}

//--- buffers.mlir
func.func @main(%a: memref<8x2147483648x2147483648x32xf32>, %b: memref<0x1099511627776x1099511627776xf32>, %c: memref<32xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  tir.for %i = 0 to 8 parallel {
    %l = tir.alloc_buffer : memref<1048576x1048576x32xf32>
    tir.for %j = 0 to 2147483648 {
      tir.for %k = 0 to 16 vectorized {
        %x = memref.load %a[%i, %j, %k, %k] : memref<8x2147483648x2147483648x32xf32>
        memref.store %x, %b[%i, %k, %j] : memref<0x1099511627776x1099511627776xf32>
        %y = memref.load %b[%i, %j, %k] : memref<0x1099511627776x1099511627776xf32>
        memref.store %y, %l[%k, %j, %i] : memref<1048576x1048576x32xf32>
        memref.store %y, %c[%k] : memref<32xf32>
      }
    }
  }
  return
}

//--- unrolled.mlir
func.func @main(%a: memref<4xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %z = arith.constant 0.0 : f32
  tir.for %j = 0 to 9223372036854775806 unrolled {
    memref.store %z, %a[%j] : memref<4xf32>
  }
  return
}

//--- comparisons.mlir
func.func @main(%a: memref<4xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %z = arith.constant 0.0 : f32
  %most = arith.constant 9223372036854775807 : index
  %least = arith.constant -9223372036854775808 : index
  %five = arith.constant 5 : index
  // COMPARED: tir.for %[[I:.*]] = 0 to 3
  tir.for %i = 0 to 3 {
    // It holds for 1 and 2, where the sum wraps around.
    // COMPARED-DAG: %[[SUM:.*]] = arith.addi %[[I]]
    // COMPARED-DAG: arith.cmpi slt, %[[SUM]]
    %wraps = arith.addi %i, %most : index
    %less = arith.cmpi slt, %wraps, %five : index
    scf.if %less {
      memref.store %z, %a[%i] : memref<4xf32>
    }
    // COMPARED: arith.minsi %[[SUM]]
    %min = arith.minsi %wraps, %five : index
    memref.store %z, %a[%min] : memref<4xf32>
    %at_most = arith.cmpi sle, %i, %most : index
    scf.if %at_most {
      memref.store %z, %a[%i] : memref<4xf32>
    }
    %more = arith.cmpi sgt, %i, %least : index
    scf.if %more {
      memref.store %z, %a[%i] : memref<4xf32>
    }
    %below = arith.cmpi slt, %most, %i : index
    scf.if %below {
      memref.store %z, %a[%i] : memref<4xf32>
    }
    // It never holds, and the difference of both is below 0 when it has wrapped around.
    %constants = arith.cmpi slt, %most, %least : index
    scf.if %constants {
      // COMPARED-NOT: 7.000000e+00
      %seven = arith.constant 7.0 : f32
      memref.store %seven, %a[%i] : memref<4xf32>
    }
  }
  tir.for %i = -9223372036854775807 to 9223372036854775807 {
    %q = arith.cmpi slt, %i, %five : index
    scf.if %q {
      memref.store %z, %a[%i] : memref<4xf32>
    }
  }
  return
}

//--- remainders.mlir
func.func @remainders(%a: memref<4xf32>, %n: index) attributes {tir.kernel = #tir.kernel<generated>} {
  %z = arith.constant 0.0 : f32
  %most = arith.constant 9223372036854775807 : index
  %half = arith.constant 4611686018427387904 : index
  %least = arith.constant -9223372036854775808 : index
  tir.for %i = 0 to 8 {
    tir.for %j = 0 to 8 {
      %x = arith.muli %i, %half : index
      %y = arith.muli %j, %most : index
      %product = arith.muli %x, %y : index
      %w = arith.muli %i, %least : index
      %again = arith.muli %product, %w : index
      %c = arith.addi %again, %least : index
      %p = arith.cmpi eq, %c, %y : index
      scf.if %p {
        memref.store %z, %a[%i] : memref<4xf32>
      }
    }
  }
  return
}

//--- subscripts.mlir
func.func @scattered(%a: memref<4xf32>, %b: memref<4611686018427387904x4611686018427387904xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %half = arith.constant 4611686018427387904 : index
  tir.for %i = 0 to 8 {
    %x = arith.muli %i, %half : index
    %y = arith.addi %x, %x : index
    %w = arith.addi %y, %y : index
    %v = memref.load %a[%w] : memref<4xf32>
    memref.store %v, %b[%x, %y] : memref<4611686018427387904x4611686018427387904xf32>
  }
  return
}
func.func @strided(%a: memref<4xf32>, %b: memref<9223372036854775807xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %c = arith.constant 2147483648 : index
  tir.for %i = 0 to 4 {
    tir.for %j = 0 to 4611686018427387904 {
      %x = arith.muli %j, %c : index
      %y = arith.addi %x, %i : index
      %v = memref.load %b[%y] : memref<9223372036854775807xf32>
      memref.store %v, %b[%y] : memref<9223372036854775807xf32>
    }
  }
  return
}
func.func @copies(%a: memref<9223372036854775807xf32>, %b: memref<9223372036854775807xf32>, %c: memref<9223372036854775807xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %most = arith.constant 9223372036854775807 : index
  tir.for %i = 0 to 9223372036854775807 {
      %v = memref.load %a[%i] : memref<9223372036854775807xf32>
      memref.store %v, %c[%i] : memref<9223372036854775807xf32>
      %w = memref.load %b[%i] : memref<9223372036854775807xf32>
      %y = arith.addi %i, %most : index
      memref.store %w, %c[%y] : memref<9223372036854775807xf32>
  }
  return
}
func.func @main(%a: memref<4xf32>, %b: memref<4611686018427387904x4611686018427387904xf32>, %c: memref<9223372036854775807xf32>) attributes {relay.num_inputs = 1 : i64} {
  func.call @scattered(%a, %b) : (memref<4xf32>, memref<4611686018427387904x4611686018427387904xf32>) -> ()
  func.call @strided(%a, %c) : (memref<4xf32>, memref<9223372036854775807xf32>) -> ()
  func.call @copies(%c, %c, %c) : (memref<9223372036854775807xf32>, memref<9223372036854775807xf32>, memref<9223372036854775807xf32>) -> ()
  return
}

//--- accumulators.mlir
func.func @k(%a: memref<4xf32>, %b: memref<4xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %most = arith.constant 9223372036854775807 : index
  %near = arith.constant 9223372036854775806 : index
  %z = arith.constant 0.0 : f32
  %l = memref.alloca() : memref<4xf32>
  memref.store %z, %l[%most] : memref<4xf32>
  memref.store %z, %l[%near] : memref<4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %l[%near] : memref<4xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %l[%near] : memref<4xf32>
  }
  %r = memref.load %l[%most] : memref<4xf32>
  memref.store %r, %b[%c0] : memref<4xf32>
  return
}

//--- gathered.mlir
func.func @k(%a: memref<4x8xf32>, %b: memref<16xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  %half = arith.constant 4611686018427387904 : index
  tir.for %i = 0 to 16 vectorized {
    %x = arith.muli %i, %half : index
    %v = memref.load %a[%x, %i] : memref<4x8xf32>
    memref.store %v, %b[%i] : memref<16xf32>
  }
  return
}
