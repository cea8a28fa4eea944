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
