// A value that is computed in 40 steps, each of which reads the one before twice, is looked at in 40 steps, not in 2^40.
// RUN: relay-opt %s --lower-block --hoist-if-then-else --loop-partition --tir-simplify -o %t
// RUN: relay-opt %s --vectorize-loop -o %t
// RUN: relay-opt %s --plan-memory -o %t

func.func @products(%a: memref<8xf32>, %b: memref<8xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  tir.for %j = 0 to 8 {
    %x0 = arith.muli %j, %j : index
    %x1 = arith.muli %x0, %x0 : index
    %x2 = arith.muli %x1, %x1 : index
    %x3 = arith.muli %x2, %x2 : index
    %x4 = arith.muli %x3, %x3 : index
    %x5 = arith.muli %x4, %x4 : index
    %x6 = arith.muli %x5, %x5 : index
    %x7 = arith.muli %x6, %x6 : index
    %x8 = arith.muli %x7, %x7 : index
    %x9 = arith.muli %x8, %x8 : index
    %x10 = arith.muli %x9, %x9 : index
    %x11 = arith.muli %x10, %x10 : index
    %x12 = arith.muli %x11, %x11 : index
    %x13 = arith.muli %x12, %x12 : index
    %x14 = arith.muli %x13, %x13 : index
    %x15 = arith.muli %x14, %x14 : index
    %x16 = arith.muli %x15, %x15 : index
    %x17 = arith.muli %x16, %x16 : index
    %x18 = arith.muli %x17, %x17 : index
    %x19 = arith.muli %x18, %x18 : index
    %x20 = arith.muli %x19, %x19 : index
    %x21 = arith.muli %x20, %x20 : index
    %x22 = arith.muli %x21, %x21 : index
    %x23 = arith.muli %x22, %x22 : index
    %x24 = arith.muli %x23, %x23 : index
    %x25 = arith.muli %x24, %x24 : index
    %x26 = arith.muli %x25, %x25 : index
    %x27 = arith.muli %x26, %x26 : index
    %x28 = arith.muli %x27, %x27 : index
    %x29 = arith.muli %x28, %x28 : index
    %x30 = arith.muli %x29, %x29 : index
    %x31 = arith.muli %x30, %x30 : index
    %x32 = arith.muli %x31, %x31 : index
    %x33 = arith.muli %x32, %x32 : index
    %x34 = arith.muli %x33, %x33 : index
    %x35 = arith.muli %x34, %x34 : index
    %x36 = arith.muli %x35, %x35 : index
    %x37 = arith.muli %x36, %x36 : index
    %x38 = arith.muli %x37, %x37 : index
    %x39 = arith.muli %x38, %x38 : index
    %x40 = arith.muli %x39, %x39 : index
    tir.for %i = 0 to 8 vectorized {
      %y = arith.addi %x40, %i : index
      %inside = arith.cmpi slt, %y, %j : index
      scf.if %inside {
        %v = memref.load %a[%i] : memref<8xf32>
        memref.store %v, %b[%x40] : memref<8xf32>
      }
    }
  }
  return
}

func.func @sums(%a: memref<8xf32>, %b: memref<8xf32>) attributes {tir.kernel = #tir.kernel<generated>} {
  tir.for %j = 0 to 8 {
    %x0 = arith.muli %j, %j : index
    %x1 = arith.addi %x0, %x0 : index
    %x2 = arith.addi %x1, %x1 : index
    %x3 = arith.addi %x2, %x2 : index
    %x4 = arith.addi %x3, %x3 : index
    %x5 = arith.addi %x4, %x4 : index
    %x6 = arith.addi %x5, %x5 : index
    %x7 = arith.addi %x6, %x6 : index
    %x8 = arith.addi %x7, %x7 : index
    %x9 = arith.addi %x8, %x8 : index
    %x10 = arith.addi %x9, %x9 : index
    %x11 = arith.addi %x10, %x10 : index
    %x12 = arith.addi %x11, %x11 : index
    %x13 = arith.addi %x12, %x12 : index
    %x14 = arith.addi %x13, %x13 : index
    %x15 = arith.addi %x14, %x14 : index
    %x16 = arith.addi %x15, %x15 : index
    %x17 = arith.addi %x16, %x16 : index
    %x18 = arith.addi %x17, %x17 : index
    %x19 = arith.addi %x18, %x18 : index
    %x20 = arith.addi %x19, %x19 : index
    %x21 = arith.addi %x20, %x20 : index
    %x22 = arith.addi %x21, %x21 : index
    %x23 = arith.addi %x22, %x22 : index
    %x24 = arith.addi %x23, %x23 : index
    %x25 = arith.addi %x24, %x24 : index
    %x26 = arith.addi %x25, %x25 : index
    %x27 = arith.addi %x26, %x26 : index
    %x28 = arith.addi %x27, %x27 : index
    %x29 = arith.addi %x28, %x28 : index
    %x30 = arith.addi %x29, %x29 : index
    %x31 = arith.addi %x30, %x30 : index
    %x32 = arith.addi %x31, %x31 : index
    %x33 = arith.addi %x32, %x32 : index
    %x34 = arith.addi %x33, %x33 : index
    %x35 = arith.addi %x34, %x34 : index
    %x36 = arith.addi %x35, %x35 : index
    %x37 = arith.addi %x36, %x36 : index
    %x38 = arith.addi %x37, %x37 : index
    %x39 = arith.addi %x38, %x38 : index
    %x40 = arith.addi %x39, %x39 : index
    tir.for %i = 0 to 8 vectorized {
      %v = memref.load %a[%x40] : memref<8xf32>
      memref.store %v, %b[%x40] : memref<8xf32>
    }
  }
  return
}

func.func @main(%a: memref<8xf32>, %b: memref<8xf32>) attributes {relay.num_inputs = 1 : i64} {
  func.call @products(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()
  func.call @sums(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}
