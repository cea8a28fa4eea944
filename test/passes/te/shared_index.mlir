// An index that is computed in 40 steps, each of which reads the one before twice, is looked at and copied in 40 steps.
// RUN: relay-opt %s --lower-te -o %t

func.func @main(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %b = te.compute "b" (%i: 8, %j: 16) {
    %x = tensor.extract %a[%i, %j] : tensor<8x16xf32>
    te.yield %x : f32
  } : tensor<8x16xf32>
  %c = te.compute "c" (%i: 8, %j: 16) {
    %c8 = arith.constant 8 : index
    %x0 = arith.remsi %i, %c8 : index
    %x1 = arith.maxsi %x0, %x0 : index
    %x2 = arith.maxsi %x1, %x1 : index
    %x3 = arith.maxsi %x2, %x2 : index
    %x4 = arith.maxsi %x3, %x3 : index
    %x5 = arith.maxsi %x4, %x4 : index
    %x6 = arith.maxsi %x5, %x5 : index
    %x7 = arith.maxsi %x6, %x6 : index
    %x8 = arith.maxsi %x7, %x7 : index
    %x9 = arith.maxsi %x8, %x8 : index
    %x10 = arith.maxsi %x9, %x9 : index
    %x11 = arith.maxsi %x10, %x10 : index
    %x12 = arith.maxsi %x11, %x11 : index
    %x13 = arith.maxsi %x12, %x12 : index
    %x14 = arith.maxsi %x13, %x13 : index
    %x15 = arith.maxsi %x14, %x14 : index
    %x16 = arith.maxsi %x15, %x15 : index
    %x17 = arith.maxsi %x16, %x16 : index
    %x18 = arith.maxsi %x17, %x17 : index
    %x19 = arith.maxsi %x18, %x18 : index
    %x20 = arith.maxsi %x19, %x19 : index
    %x21 = arith.maxsi %x20, %x20 : index
    %x22 = arith.maxsi %x21, %x21 : index
    %x23 = arith.maxsi %x22, %x22 : index
    %x24 = arith.maxsi %x23, %x23 : index
    %x25 = arith.maxsi %x24, %x24 : index
    %x26 = arith.maxsi %x25, %x25 : index
    %x27 = arith.maxsi %x26, %x26 : index
    %x28 = arith.maxsi %x27, %x27 : index
    %x29 = arith.maxsi %x28, %x28 : index
    %x30 = arith.maxsi %x29, %x29 : index
    %x31 = arith.maxsi %x30, %x30 : index
    %x32 = arith.maxsi %x31, %x31 : index
    %x33 = arith.maxsi %x32, %x32 : index
    %x34 = arith.maxsi %x33, %x33 : index
    %x35 = arith.maxsi %x34, %x34 : index
    %x36 = arith.maxsi %x35, %x35 : index
    %x37 = arith.maxsi %x36, %x36 : index
    %x38 = arith.maxsi %x37, %x37 : index
    %x39 = arith.maxsi %x38, %x38 : index
    %x40 = arith.maxsi %x39, %x39 : index
    %x = tensor.extract %b[%x40, %j] : tensor<8x16xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<8x16xf32>
  te.schedule {
    %s = te.stage %b : tensor<8x16xf32>
    %t = te.stage %c : tensor<8x16xf32>
    %i, %j = te.axes %t
    te.compute_at %s, %t, %i
  }
  return %c : tensor<8x16xf32>
}
