// Tensors without elements, whatever the schedule is: loops over them have no iterations, and what stands in those needs
// nothing of other stages. test/oracle/zero_sizes.py compares numbers.
// RUN: relay-opt %s --relay-to-te --lower-te --split-input-file | FileCheck %s

// CHECK-LABEL: func.func private @reshape
// CHECK: %arg0: memref<0xf32> {relay.shape = array<i64: 0, 7>}
func.func private @reshape(%x: tensor<0x7xf32>) -> tensor<1x0x7xf32> attributes {relay.primitive} {
  %0 = relay.reshape %x {newshape = array<i64: 1, 0, 7>} : (tensor<0x7xf32>) -> tensor<1x0x7xf32>
  return %0 : tensor<1x0x7xf32>
}

// -----

// CHECK-LABEL: func.func private @softmax
// CHECK-NOT: memref.{{load|store}}
func.func private @softmax(%x: tensor<2x0xf32>) -> tensor<2x0xf32> attributes {relay.primitive} {
  %0 = relay.nn.softmax %x {axis = 1 : i64} : (tensor<2x0xf32>) -> tensor<2x0xf32>
  return %0 : tensor<2x0xf32>
}

// -----

// The branch that would read the empty tensor never runs, and reads nothing.
// CHECK-LABEL: func.func private @concatenate
// CHECK-NOT: memref.load %arg1
// CHECK: return
func.func private @concatenate(%x: tensor<2x4xf32>, %y: tensor<0x4xf32>, %z: tensor<7x4xf32>) -> tensor<9x4xf32> attributes {relay.primitive} {
  %0 = relay.concatenate %x, %y, %z {axis = 0 : i64} : (tensor<2x4xf32>, tensor<0x4xf32>, tensor<7x4xf32>) -> tensor<9x4xf32>
  return %0 : tensor<9x4xf32>
}

// -----

// CHECK-LABEL: func.func private @no_sums
func.func private @no_sums(%a: tensor<4x0xf32>) -> tensor<4xf32> {
  %d = te.compute "d" (%i: 4, %k: 0) {
    %x = tensor.extract %a[%i, %k] : tensor<4x0xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  } : tensor<4x0xf32>
  %s = te.compute "s" (%i: 4) sum (%k: 0) {
    %x = tensor.extract %d[%i, %k] : tensor<4x0xf32>
    te.yield %x : f32
  } : tensor<4xf32>
  te.schedule {
    %ds = te.stage %d : tensor<4x0xf32>
    %ss = te.stage %s : tensor<4xf32>
    %i, %k = te.axes %ss
    te.compute_at %ds, %ss, %i
  }
  return %s : tensor<4xf32>
}
