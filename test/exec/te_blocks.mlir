// A convolution and the places of its rows' largest elements, lowered to blocks and from there to loops, against numpy:
// with reductions, a stage computed in a loop, and splits that do not come out even.
// RUN: %python %S/Inputs/te_blocks.py inputs %t.in.npz
// RUN: relay-opt %s --lower-te=blocks=true --aot-lower-main -o %t.blocks.mlir
// RUN: FileCheck %s --input-file %t.blocks.mlir
// RUN: relayc run %t.blocks.mlir --inputs %t.in.npz --outputs %t.blocks.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.loops.npz
// RUN: %python %S/Inputs/te_blocks.py check %t.in.npz %t.blocks.npz %t.loops.npz

// CHECK-LABEL: func.func private @conv
// CHECK: tir.block "pad"
// CHECK: tir.block "conv"
// CHECK-NEXT: tir.where
// CHECK: } init {
func.func private @conv(%data: tensor<3x10xf32>, %weight: tensor<4x3x3xf32>) -> tensor<4x10xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %pad = te.compute "pad" (%c: 3, %x: 12) {
    %at = arith.subi %x, %c1 : index
    %low = arith.cmpi sge, %at, %c0 : index
    %high = arith.cmpi slt, %at, %c10 : index
    %inside = arith.andi %low, %high : i1
    %value = scf.if %inside -> (f32) {
      %element = tensor.extract %data[%c, %at] : tensor<3x10xf32>
      scf.yield %element : f32
    } else {
      scf.yield %zero : f32
    }
    te.yield %value : f32
  } : tensor<3x12xf32>
  %conv = te.compute "conv" (%c: 4, %x: 10) sum (%rc: 3, %rx: 3) {
    %at = arith.addi %x, %rx : index
    %element = tensor.extract %pad[%rc, %at] : tensor<3x12xf32>
    %factor = tensor.extract %weight[%c, %rc, %rx] : tensor<4x3x3xf32>
    %product = arith.mulf %element, %factor : f32
    te.yield %product : f32
  } : tensor<4x10xf32>
  te.schedule {
    %s = te.stage %conv : tensor<4x10xf32>
    %c, %x, %rc, %rx = te.axes %s
    %xo, %xi = te.split %x {factor = 4}
    %rco, %rci = te.split %rc {factor = 2}
    te.reorder %xo, %rco, %c, %rci, %rx, %xi
    te.parallel %xo
    te.vectorize %xi
    %p = te.stage %pad : tensor<3x12xf32>
    te.compute_at %p, %s, %xo
  }
  return %conv : tensor<4x10xf32>
}

// Partial results of every other element, and of these.
// CHECK-LABEL: func.func private @largest
// CHECK: tir.block "largest.rf" (%v{{[a-z.]+}} = %{{[^ ]+}} spatial, %vr = %{{[^ ]+}} spatial, %v{{[a-z.]+}} = %{{[^ ]+}} reduce)
// CHECK: tir.block "largest" (%vr = %{{[^ ]+}} spatial, %v{{[a-z.]+}} = %{{[^ ]+}} reduce)
func.func private @largest(%rows: tensor<4x10xf32>) -> (tensor<4xf32>) {
  %largest = te.compute "largest" (%r: 4) max (%k: 10) {
    %x = tensor.extract %rows[%r, %k] : tensor<4x10xf32>
    te.yield %x : f32
  } : tensor<4xf32>
  te.schedule {
    %s = te.stage %largest : tensor<4xf32>
    %r, %k = te.axes %s
    %ko, %ki = te.split %k {factor = 4}
    %partial = te.rfactor %s, %ki
  }
  return %largest : tensor<4xf32>
}

// CHECK-LABEL: func.func private @place
// CHECK: tir.block "place"
// CHECK: tir.writes %{{[^[]+}}[%vr]
// CHECK-NEXT: tir.writes %{{[^[]+}}[%vr]
func.func private @place(%rows: tensor<4x10xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %value, %place = te.compute "place" (%r: 4) custom (%k: 10) identity [0xFF800000 : f32, -1 : i32] {
    %x = tensor.extract %rows[%r, %k] : tensor<4x10xf32>
    %n = arith.index_cast %k : index to i32
    te.yield %x, %n : f32, i32
  } combiner {
  ^bb0(%av: f32, %an: i32, %bv: f32, %bn: i32):
    %greater = arith.cmpf ogt, %bv, %av : f32
    %v = arith.select %greater, %bv, %av : f32
    %n = arith.select %greater, %bn, %an : i32
    te.yield %v, %n : f32, i32
  } : tensor<4xf32>, tensor<4xi32>
  return %value, %place : tensor<4xf32>, tensor<4xi32>
}

func.func @main(%data: tensor<3x10xf32> {relay.name = "data"}, %weight: tensor<4x3x3xf32> {relay.name = "weight"})
    -> (tensor<4x10xf32> {relay.name = "conv"}, tensor<4xf32> {relay.name = "largest"},
        tensor<4xf32> {relay.name = "value"}, tensor<4xi32> {relay.name = "place"}) {
  %conv = call @conv(%data, %weight) : (tensor<3x10xf32>, tensor<4x3x3xf32>) -> tensor<4x10xf32>
  %largest = call @largest(%conv) : (tensor<4x10xf32>) -> tensor<4xf32>
  %value, %place = call @place(%conv) : (tensor<4x10xf32>) -> (tensor<4xf32>, tensor<4xi32>)
  return %conv, %largest, %value, %place : tensor<4x10xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>
}
