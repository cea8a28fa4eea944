// RUN: relay-opt %s --relay-to-te | FileCheck %s

// A row goes through all stages of a softmax: its maximum and sum in vectors, whose lanes are combined
// last; what is one number of a row is computed once for it. Its exponentials fetch later rows meanwhile.
// CHECK-LABEL: func.func private @softmax
// CHECK: %[[MAX:.+]] = te.compute "max" ({{.*}}) custom (%{{.+}}: 128)
// CHECK: %[[EXP:.+]] = te.compute "exp" (
// CHECK: %[[SUM:.+]] = te.compute "sum" ({{.*}}) sum (%{{.+}}: 128)
// CHECK: %[[OF_ROW:.+]] = te.compute "of_row" (
// CHECK: %[[RESULT:.+]] = te.compute "softmax" (
// CHECK: te.schedule
// CHECK: %[[M:.+]] = te.stage %[[MAX]]
// CHECK: %[[PARTIAL:.+]] = te.rfactor %[[M]],
// CHECK: te.vectorize
// CHECK: %[[COMBINED:.+]] = te.rfactor %[[M]],
// CHECK: te.vectorize
// CHECK: %{{.+}}, %[[LANES:.+]] = te.axes %[[M]]
// CHECK-NEXT: te.vectorize %[[LANES]]
// CHECK: %[[E:.+]] = te.stage %[[EXP]]
// CHECK: %{{.+}}, %[[ALONG:.+]] = te.axes %[[E]]
// CHECK: %[[VECTORS:.+]], %{{.+}} = te.split %[[ALONG]] {factor = 16
// CHECK: %[[R:.+]] = te.stage %[[RESULT]]
// CHECK: %[[ROW:.+]] = te.fuse
// CHECK-NEXT: te.parallel %[[ROW]]
// CHECK-NEXT: te.compute_at %[[PARTIAL]], %[[R]], %[[ROW]]
// CHECK-NEXT: te.compute_at %[[COMBINED]], %[[R]], %[[ROW]]
// CHECK-COUNT-6: te.compute_at %{{.+}}, %[[R]], %[[ROW]]
// CHECK-NOT: te.compute_at
// CHECK: te.prefetch %arg0, %[[ROW]] over %[[VECTORS]]
// CHECK-NEXT: te.prefetch %[[RESULT]], %[[ROW]] over %[[VECTORS]]
// CHECK: return
func.func private @softmax(%x: tensor<256x128xf32>) -> tensor<256x128xf32> attributes {relay.primitive} {
  %0 = relay.nn.softmax %x {axis = -1 : i64} : (tensor<256x128xf32>) -> tensor<256x128xf32>
  return %0 : tensor<256x128xf32>
}

// Rows behind a reshape are the same rows. These are in the first cache without being asked for.
// CHECK-LABEL: func.func private @centred
// CHECK: %[[SUM:.+]] = te.compute "sum" ({{.*}}) sum (%{{.+}}: 64)
// CHECK: %[[RESULT:.+]] = te.compute "subtract" (
// CHECK: te.schedule
// CHECK-DAG: %[[S:.+]] = te.stage %[[SUM]]
// CHECK-DAG: %[[R:.+]] = te.stage %[[RESULT]]
// CHECK: te.compute_at %[[S]], %[[R]],
// CHECK-NOT: te.prefetch
func.func private @centred(%x: tensor<1x32x64xf32>, %y: tensor<32x64xf32>) -> tensor<32x64xf32> attributes {relay.primitive} {
  %0 = relay.mean %x {axis = array<i64: -1>, keepdims = true} : (tensor<1x32x64xf32>) -> tensor<1x32x1xf32>
  %1 = relay.reshape %0 {newshape = array<i64: 32, 1>} : (tensor<1x32x1xf32>) -> tensor<32x1xf32>
  %2 = relay.subtract %y, %1 : (tensor<32x64xf32>, tensor<32x1xf32>) -> tensor<32x64xf32>
  return %2 : tensor<32x64xf32>
}

// What is reduced lies apart, what is left together: vectors of the result, in registers.
// CHECK-LABEL: func.func private @columns
// CHECK: %[[SUM:.+]] = te.compute "sum" ({{.*}}) sum (%{{.+}}: 512)
// CHECK: te.schedule
// CHECK: %[[S:.+]] = te.stage %[[SUM]]
// CHECK-NEXT: %[[TILE:.+]] = te.cache_write %[[S]] in local
// CHECK-NOT: te.rfactor
// CHECK: te.compute_at %[[TILE]], %[[S]],
func.func private @columns(%x: tensor<512x64xf32>) -> tensor<64xf32> attributes {relay.primitive} {
  %0 = relay.sum %x {axis = array<i64: 0>} : (tensor<512x64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// Another row's maximum is not there yet: no rows.
// CHECK-LABEL: func.func private @of_another_row
// CHECK: te.schedule
// CHECK-NOT: te.compute_at
// CHECK: return
func.func private @of_another_row(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {relay.primitive} {
  %0 = relay.max %x {axis = array<i64: 1>} : (tensor<64x64xf32>) -> tensor<64xf32>
  %1 = relay.subtract %x, %0 : (tensor<64x64xf32>, tensor<64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

// What is read along another dimension than written: a tile of both, whose columns are gathered.
// CHECK-LABEL: func.func private @transpose
// CHECK: %[[S:.+]] = te.stage
// CHECK-NEXT: %i0, %i1, %i2 = te.axes %[[S]]
// CHECK-NEXT: %i1.outer, %i1.inner = te.split %i1 {factor = 16
// CHECK-NEXT: %i2.outer, %i2.inner = te.split %i2 {factor = 16
// CHECK-NEXT: te.reorder %i0, %i1.outer, %i2.outer, %i1.inner, %i2.inner
// CHECK-NEXT: te.vectorize %i2.inner
func.func private @transpose(%x: tensor<2x64x32xf32>) -> tensor<2x32x64xf32> attributes {relay.primitive} {
  %0 = relay.transpose %x {axes = array<i64: 0, 2, 1>} : (tensor<2x64x32xf32>) -> tensor<2x32x64xf32>
  return %0 : tensor<2x32x64xf32>
}

// Rows that stay whole are copied as they lie.
// CHECK-LABEL: func.func private @whole_rows
// CHECK: te.schedule
// CHECK-NOT: te.split
// CHECK: return
func.func private @whole_rows(%x: tensor<64x32x16xf32>) -> tensor<32x64x16xf32> attributes {relay.primitive} {
  %0 = relay.transpose %x {axes = array<i64: 1, 0, 2>} : (tensor<64x32x16xf32>) -> tensor<32x64x16xf32>
  return %0 : tensor<32x64x16xf32>
}

// Two tiles of ten pixels, not two of sixteen that share twelve.
// CHECK-LABEL: func.func private @even_tiles
// CHECK: te.split %{{.+}} {factor = 10 : i64, shift_inwards}
func.func private @even_tiles(%x: tensor<1x256x20x20xf32>) -> tensor<1x16x20x20x16xf32> attributes {relay.primitive} {
  %0 = relay.layout_transform %x {src_layout = "NCHW", dst_layout = "NCHW16c"} : (tensor<1x256x20x20xf32>) -> tensor<1x16x20x20x16xf32>
  return %0 : tensor<1x16x20x20x16xf32>
}
