// RUN: relay-opt %s --combine-parallel-dense=min-num-branches=2 | FileCheck %s --check-prefix=BATCH
// RUN: relay-opt %s --combine-parallel-dense='min-num-branches=2 to-batch=false' | FileCheck %s --check-prefix=FLAT
// RUN: relay-opt %s --combine-parallel-dense=min-num-branches=5 | FileCheck %s --check-prefix=FIVE
// RUN: not relay-opt %s --combine-parallel-dense=min-num-branches=-3 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: 'func.func' op min-num-branches is -3, expected at least 2

// A batch takes weights of one shape, one product weights of any number of units.
// BATCH-LABEL: func.func @plain
// BATCH-NEXT: %[[X:.*]] = relay.expand_dims %arg0 {axis = 0 : i64}
// BATCH-NEXT: %[[W:.*]] = relay.stack %arg1, %arg2, %arg4 :
// BATCH-NEXT: %[[Y:.*]] = relay.nn.batch_matmul %[[X]], %[[W]] {transpose_b = true} : (tensor<1x3x4xf32>, tensor<3x5x4xf32>) -> tensor<3x3x5xf32>
// BATCH-NEXT: %[[S:.*]]:3 = relay.split %[[Y]] {axis = 0 : i64, indices = array<i64: 1, 2>}
// BATCH-NEXT: %[[A:.*]] = relay.squeeze %[[S]]#0 {axis = array<i64: 0>}
// BATCH-NEXT: %[[B:.*]] = relay.squeeze %[[S]]#1 {axis = array<i64: 0>}
// BATCH-NEXT: %[[D:.*]] = relay.squeeze %[[S]]#2 {axis = array<i64: 0>}
// BATCH-NEXT: %[[C:.*]] = relay.nn.dense %arg0, %arg3
// BATCH-NEXT: return %[[A]], %[[B]], %[[C]], %[[D]]
// FLAT-LABEL: func.func @plain
// FLAT-NEXT: %[[W:.*]] = relay.concatenate %arg1, %arg2, %arg3, %arg4 {axis = 0 : i64}
// FLAT-NEXT: %[[Y:.*]] = relay.nn.dense %arg0, %[[W]] : (tensor<3x4xf32>, tensor<21x4xf32>) -> tensor<3x21xf32>
// FLAT-NEXT: %[[A:.*]] = relay.strided_slice %[[Y]] {axes = array<i64: 1>, begin = array<i64: 0>, end = array<i64: 5>, strides = array<i64: 1>}
// FLAT-NEXT: %[[B:.*]] = relay.strided_slice %[[Y]] {axes = array<i64: 1>, begin = array<i64: 5>, end = array<i64: 10>, strides = array<i64: 1>}
// FLAT-NEXT: %[[C:.*]] = relay.strided_slice %[[Y]] {axes = array<i64: 1>, begin = array<i64: 10>, end = array<i64: 16>, strides = array<i64: 1>}
// FLAT-NEXT: %[[D:.*]] = relay.strided_slice %[[Y]] {axes = array<i64: 1>, begin = array<i64: 16>, end = array<i64: 21>, strides = array<i64: 1>}
// FLAT-NEXT: return %[[A]], %[[B]], %[[C]], %[[D]]
// FIVE-LABEL: func.func @plain
// FIVE-COUNT-4: relay.nn.dense
func.func @plain(%x: tensor<3x4xf32>, %w1: tensor<5x4xf32>, %w2: tensor<5x4xf32>, %w3: tensor<6x4xf32>, %w4: tensor<5x4xf32>)
    -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x6xf32>, tensor<3x5xf32>) {
  %0 = relay.nn.dense %x, %w1 : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<3x5xf32>
  %1 = relay.nn.dense %x, %w2 : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<3x5xf32>
  %2 = relay.nn.dense %x, %w3 : (tensor<3x4xf32>, tensor<6x4xf32>) -> tensor<3x6xf32>
  %3 = relay.nn.dense %x, %w4 : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<3x5xf32>
  return %0, %1, %2, %3 : tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x6xf32>, tensor<3x5xf32>
}

// Biases and factors; a reshape of each result ends what is combined.
// BATCH-LABEL: func.func @bias_scale_reshape
// BATCH: %[[Y:.*]] = relay.nn.batch_matmul
// BATCH-NEXT: %[[B1:.*]] = relay.expand_dims %arg3 {axis = 0 : i64}
// BATCH-NEXT: %[[B2:.*]] = relay.expand_dims %arg4 {axis = 0 : i64}
// BATCH-NEXT: %[[B:.*]] = relay.stack %[[B1]], %[[B2]] : {{.*}} -> tensor<2x1x5xf32>
// BATCH-NEXT: %[[Z:.*]] = relay.add %[[Y]], %[[B]]
// BATCH-NEXT: %[[S1:.*]] = relay.expand_dims %arg5 {axis = 0 : i64, num_newaxis = 2 : i64}
// BATCH-NEXT: %[[S2:.*]] = relay.expand_dims %arg6 {axis = 0 : i64, num_newaxis = 2 : i64}
// BATCH-NEXT: %[[S:.*]] = relay.stack %[[S1]], %[[S2]] : {{.*}} -> tensor<2x1x1xf32>
// BATCH-NEXT: %[[M:.*]] = relay.multiply %[[Z]], %[[S]]
// BATCH-NEXT: %[[P:.*]]:2 = relay.split %[[M]]
// BATCH-NEXT: %[[Q1:.*]] = relay.squeeze %[[P]]#0
// BATCH-NEXT: %[[Q2:.*]] = relay.squeeze %[[P]]#1
// BATCH-DAG: relay.reshape %[[Q1]]
// BATCH-DAG: relay.reshape %[[Q2]]
// FLAT-LABEL: func.func @bias_scale_reshape
// FLAT: %[[Y:.*]] = relay.nn.dense
// FLAT-NEXT: %[[B:.*]] = relay.concatenate %arg3, %arg4 {axis = 0 : i64}
// FLAT-NEXT: %[[Z:.*]] = relay.add %[[Y]], %[[B]]
// FLAT-NEXT: %[[S1:.*]] = relay.broadcast_to %arg5 {shape = array<i64: 5>}
// FLAT-NEXT: %[[S2:.*]] = relay.broadcast_to %arg6 {shape = array<i64: 5>}
// FLAT-NEXT: %[[S:.*]] = relay.concatenate %[[S1]], %[[S2]] {axis = 0 : i64}
// FLAT-NEXT: %[[M:.*]] = relay.multiply %[[Z]], %[[S]]
// FLAT-NEXT: %[[Q1:.*]] = relay.strided_slice %[[M]]
// FLAT-NEXT: %[[Q2:.*]] = relay.strided_slice %[[M]]
// FLAT-DAG: relay.reshape %[[Q1]]
// FLAT-DAG: relay.reshape %[[Q2]]
func.func @bias_scale_reshape(%x: tensor<3x4xf32>, %w1: tensor<5x4xf32>, %w2: tensor<5x4xf32>, %b1: tensor<5xf32>, %b2: tensor<5xf32>,
                              %s1: tensor<f32>, %s2: tensor<f32>) -> (tensor<1x1x15xf32>, tensor<1x1x15xf32>) {
  %0 = relay.nn.dense %x, %w1 : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<3x5xf32>
  %1 = relay.nn.dense %x, %w2 : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<3x5xf32>
  %2 = relay.add %0, %b1 : (tensor<3x5xf32>, tensor<5xf32>) -> tensor<3x5xf32>
  %3 = relay.add %1, %b2 : (tensor<3x5xf32>, tensor<5xf32>) -> tensor<3x5xf32>
  %4 = relay.multiply %2, %s1 : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x5xf32>
  %5 = relay.multiply %3, %s2 : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x5xf32>
  %6 = relay.reshape %4 {newshape = array<i64: 1, 1, 15>} : (tensor<3x5xf32>) -> tensor<1x1x15xf32>
  %7 = relay.reshape %5 {newshape = array<i64: 1, 1, 15>} : (tensor<3x5xf32>) -> tensor<1x1x15xf32>
  return %6, %7 : tensor<1x1x15xf32>, tensor<1x1x15xf32>
}

// A bias of its own for each row, and one number for each row, in one product: the latter is repeated.
// FLAT-LABEL: func.func @rows
// FLAT: %[[R:.*]] = relay.broadcast_to %arg3 {shape = array<i64: 3, 5>}
// FLAT-NEXT: %[[B:.*]] = relay.concatenate %[[R]], %arg4 {axis = 1 : i64} : {{.*}} -> tensor<3x15xf32>
// FLAT-NEXT: relay.add %{{.*}}, %[[B]]
// BATCH-LABEL: func.func @rows
// BATCH-COUNT-2: relay.nn.dense
func.func @rows(%x: tensor<3x4xf32>, %w1: tensor<5x4xf32>, %w2: tensor<10x4xf32>, %b1: tensor<3x1xf32>, %b2: tensor<3x10xf32>)
    -> (tensor<3x5xf32>, tensor<3x10xf32>) {
  %0 = relay.nn.dense %x, %w1 : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<3x5xf32>
  %1 = relay.nn.dense %x, %w2 : (tensor<3x4xf32>, tensor<10x4xf32>) -> tensor<3x10xf32>
  %2 = relay.add %0, %b1 : (tensor<3x5xf32>, tensor<3x1xf32>) -> tensor<3x5xf32>
  %3 = relay.add %1, %b2 : (tensor<3x10xf32>, tensor<3x10xf32>) -> tensor<3x10xf32>
  return %2, %3 : tensor<3x5xf32>, tensor<3x10xf32>
}

// A dimension more in front moves the units back in one product; a batch ends before it.
// FLAT-LABEL: func.func @higher
// FLAT: %[[B:.*]] = relay.concatenate %arg3, %arg4 {axis = 2 : i64} : {{.*}} -> tensor<9x3x10xf32>
// FLAT-NEXT: %[[Z:.*]] = relay.add %[[B]], %{{.*}}
// FLAT-NEXT: relay.strided_slice %[[Z]] {axes = array<i64: 2>, begin = array<i64: 0>, end = array<i64: 5>
// BATCH-LABEL: func.func @higher
// BATCH: relay.squeeze
// BATCH-NEXT: %[[B:.*]] = relay.squeeze
// BATCH-COUNT-2: relay.add
func.func @higher(%x: tensor<3x4xf32>, %w1: tensor<5x4xf32>, %w2: tensor<5x4xf32>, %b1: tensor<9x3x5xf32>, %b2: tensor<9x3x5xf32>)
    -> (tensor<9x3x5xf32>, tensor<9x3x5xf32>) {
  %0 = relay.nn.dense %x, %w1 : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<3x5xf32>
  %1 = relay.nn.dense %x, %w2 : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<3x5xf32>
  %2 = relay.add %b1, %0 : (tensor<9x3x5xf32>, tensor<3x5xf32>) -> tensor<9x3x5xf32>
  %3 = relay.add %b2, %1 : (tensor<9x3x5xf32>, tensor<3x5xf32>) -> tensor<9x3x5xf32>
  return %2, %3 : tensor<9x3x5xf32>, tensor<9x3x5xf32>
}

// Dimensions of 1 behind the units, and between rows and units, leave the slices on the units. Then a vector belongs to
// that last dimension, and is repeated for the units.
// FLAT-LABEL: func.func @expand_dims
// FLAT: %[[Y:.*]] = relay.nn.dense %{{.*}} -> tensor<2x24xf32>
// FLAT-NEXT: %[[E:.*]] = relay.expand_dims %[[Y]] {axis = 2 : i64}
// FLAT-NEXT: %[[F:.*]] = relay.expand_dims %[[E]] {axis = -3 : i64}
// FLAT-NEXT: %[[B1:.*]] = relay.broadcast_to %arg3 {shape = array<i64: 16, 5>}
// FLAT-NEXT: %[[B2:.*]] = relay.broadcast_to %arg4 {shape = array<i64: 8, 5>}
// FLAT-NEXT: %[[B:.*]] = relay.concatenate %[[B1]], %[[B2]] {axis = 0 : i64}
// FLAT-NEXT: %[[Z:.*]] = relay.add %[[F]], %[[B]] : {{.*}} -> tensor<2x1x24x5xf32>
// FLAT-NEXT: relay.strided_slice %[[Z]] {axes = array<i64: 2>, begin = array<i64: 0>, end = array<i64: 16>
// FLAT-NEXT: relay.strided_slice %[[Z]] {axes = array<i64: 2>, begin = array<i64: 16>, end = array<i64: 24>
func.func @expand_dims(%x: tensor<2x32xf32>, %w1: tensor<16x32xf32>, %w2: tensor<8x32xf32>, %b1: tensor<5xf32>, %b2: tensor<5xf32>)
    -> (tensor<2x1x16x5xf32>, tensor<2x1x8x5xf32>) {
  %0 = relay.nn.dense %x, %w1 : (tensor<2x32xf32>, tensor<16x32xf32>) -> tensor<2x16xf32>
  %1 = relay.expand_dims %0 {axis = 2 : i64} : (tensor<2x16xf32>) -> tensor<2x16x1xf32>
  %2 = relay.nn.dense %x, %w2 : (tensor<2x32xf32>, tensor<8x32xf32>) -> tensor<2x8xf32>
  %3 = relay.expand_dims %2 {axis = 2 : i64} : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
  %4 = relay.expand_dims %1 {axis = -3 : i64} : (tensor<2x16x1xf32>) -> tensor<2x1x16x1xf32>
  %5 = relay.expand_dims %3 {axis = -3 : i64} : (tensor<2x8x1xf32>) -> tensor<2x1x8x1xf32>
  %6 = relay.add %4, %b1 : (tensor<2x1x16x1xf32>, tensor<5xf32>) -> tensor<2x1x16x5xf32>
  %7 = relay.add %5, %b2 : (tensor<2x1x8x1xf32>, tensor<5xf32>) -> tensor<2x1x8x5xf32>
  return %6, %7 : tensor<2x1x16x5xf32>, tensor<2x1x8x5xf32>
}

// One unit that broadcasts to several is not an axis that a slice finds.
// FLAT-LABEL: func.func @single
// FLAT: relay.nn.dense
// FLAT-NEXT: relay.strided_slice
// FLAT-NEXT: relay.strided_slice
// FLAT-COUNT-2: relay.add
func.func @single(%x: tensor<3x4xf32>, %w1: tensor<1x4xf32>, %w2: tensor<1x4xf32>, %b1: tensor<3x7xf32>, %b2: tensor<3x7xf32>)
    -> (tensor<3x7xf32>, tensor<3x7xf32>) {
  %0 = relay.nn.dense %x, %w1 : (tensor<3x4xf32>, tensor<1x4xf32>) -> tensor<3x1xf32>
  %1 = relay.nn.dense %x, %w2 : (tensor<3x4xf32>, tensor<1x4xf32>) -> tensor<3x1xf32>
  %2 = relay.add %0, %b1 : (tensor<3x1xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
  %3 = relay.add %1, %b2 : (tensor<3x1xf32>, tensor<3x7xf32>) -> tensor<3x7xf32>
  return %2, %3 : tensor<3x7xf32>, tensor<3x7xf32>
}
