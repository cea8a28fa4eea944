// RUN: relay-opt %s --relay-to-te | FileCheck %s

// Threads share sixteen parts of a sum of everything, in vectors each.
// CHECK-LABEL: func.func private @everything
// CHECK: te.schedule
// CHECK: %[[SUM:.+]] = te.stage
// CHECK: %[[PART:.+]], %{{.+}} = te.split %{{.+}} {factor = 4 : i64}
// CHECK-NEXT: %[[PARTS:.+]] = te.rfactor %[[SUM]], %[[PART]]
// CHECK: %[[VECTORS:.+]] = te.rfactor %[[PARTS]],
// CHECK: %[[SHARED:.+]] = te.fuse
// CHECK-NEXT: te.parallel %[[SHARED]]
// CHECK-NEXT: te.compute_at %[[VECTORS]], %[[PARTS]], %[[SHARED]]
func.func private @everything(%x: tensor<64x256x256xf32>) -> tensor<f32> attributes {relay.primitive} {
  %0 = relay.sum %x {axis = array<i64: 0, 1, 2>} : (tensor<64x256x256xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// Parts of an axis that they do not divide are of whole vectors.
// CHECK-LABEL: func.func private @uneven
// CHECK: te.split %{{.+}} {factor = 62592 : i64}
// CHECK-NEXT: te.rfactor
// CHECK: te.parallel
func.func private @uneven(%x: tensor<1000003xf32>) -> tensor<f32> attributes {relay.primitive} {
  %0 = relay.max %x {axis = array<i64: 0>} : (tensor<1000003xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// A sum of few columns: as many sums as fill registers, of some rows each.
// CHECK-LABEL: func.func private @columns
// CHECK: %[[SUM:.+]] = te.stage
// CHECK: %[[PARTS:.+]] = te.rfactor %[[SUM]],
// CHECK: te.split %{{.+}} {factor = 4 : i64}
// CHECK-NEXT: %[[SUMS:.+]] = te.rfactor %[[PARTS]],
// CHECK: te.parallel
// CHECK-NEXT: te.compute_at %[[SUMS]], %[[PARTS]],
func.func private @columns(%x: tensor<65536x32xf32>) -> tensor<32xf32> attributes {relay.primitive} {
  %0 = relay.sum %x {axis = array<i64: 0>} : (tensor<65536x32xf32>) -> tensor<32xf32>
  return %0 : tensor<32xf32>
}

// Of one row, each stage of softmax is shared.
// CHECK-LABEL: func.func private @softmax
// CHECK-COUNT-4: te.parallel
func.func private @softmax(%x: tensor<1x1000000xf32>) -> tensor<1x1000000xf32> attributes {relay.primitive} {
  %0 = relay.nn.softmax %x {axis = -1 : i64} : (tensor<1x1000000xf32>) -> tensor<1x1000000xf32>
  return %0 : tensor<1x1000000xf32>
}

// Little work is done before other threads wake up; many rows are shared themselves.
// CHECK-LABEL: func.func private @little
// CHECK-NOT: te.parallel
// CHECK-LABEL: func.func private @rows
// CHECK: te.parallel
// CHECK-NOT: te.parallel
func.func private @little(%x: tensor<256x256xf32>) -> tensor<f32> attributes {relay.primitive} {
  %0 = relay.sum %x {axis = array<i64: 0, 1>} : (tensor<256x256xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

func.func private @rows(%x: tensor<64x65536xf32>) -> tensor<64xf32> attributes {relay.primitive} {
  %0 = relay.sum %x {axis = array<i64: 1>} : (tensor<64x65536xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
