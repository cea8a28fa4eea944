// RUN: relay-opt %s --pass-pipeline='builtin.module(func.func(combine-parallel-conv2d{min-num-branches=2}))' | FileCheck %s
// RUN: relay-opt %s --combine-parallel-conv2d | FileCheck %s --check-prefix=THREE
// RUN: not relay-opt %s --combine-parallel-conv2d=min-num-branches=1 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: error: 'func.func' op min-num-branches is 1, expected at least 2

// Those with the same window are one; another kernel, another stride and a group of its own stay.
// CHECK-LABEL: func.func @plain
// CHECK-NEXT: %[[W:.*]] = relay.concatenate %arg1, %arg2, %arg4 {axis = 0 : i64}
// CHECK-NEXT: %[[Y:.*]] = relay.nn.conv2d %arg0, %[[W]] : (tensor<1x4x16x16xf32>, tensor<19x4x1x1xf32>) -> tensor<1x19x16x16xf32>
// CHECK-NEXT: %[[A:.*]] = relay.strided_slice %[[Y]] {axes = array<i64: 1>, begin = array<i64: 0>, end = array<i64: 4>, strides = array<i64: 1>}
// CHECK-NEXT: %[[B:.*]] = relay.strided_slice %[[Y]] {axes = array<i64: 1>, begin = array<i64: 4>, end = array<i64: 12>, strides = array<i64: 1>}
// CHECK-NEXT: %[[D:.*]] = relay.strided_slice %[[Y]] {axes = array<i64: 1>, begin = array<i64: 12>, end = array<i64: 19>, strides = array<i64: 1>}
// CHECK-NEXT: %[[C:.*]] = relay.nn.conv2d %arg0, %arg3 : {{.*}}tensor<4x4x3x3xf32>
// CHECK-NEXT: %[[E:.*]] = relay.nn.conv2d %arg0, %arg1 {strides = array<i64: 2, 2>}
// CHECK-NEXT: %[[F:.*]] = relay.nn.conv2d %arg0, %arg5 {groups = 2 : i64}
// CHECK-NEXT: %[[P:.*]] = relay.nn.max_pool2d %arg0
// CHECK-NEXT: return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]], %[[F]], %[[P]]
func.func @plain(%x: tensor<1x4x16x16xf32>, %w1: tensor<4x4x1x1xf32>, %w2: tensor<8x4x1x1xf32>, %w3: tensor<4x4x3x3xf32>,
                 %w4: tensor<7x4x1x1xf32>, %w5: tensor<4x2x1x1xf32>)
    -> (tensor<1x4x16x16xf32>, tensor<1x8x16x16xf32>, tensor<1x4x14x14xf32>, tensor<1x7x16x16xf32>, tensor<1x4x8x8xf32>, tensor<1x4x16x16xf32>, tensor<1x4x16x16xf32>) {
  %0 = relay.nn.conv2d %x, %w1 : (tensor<1x4x16x16xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x16x16xf32>
  // What is a default may be written.
  %1 = relay.nn.conv2d %x, %w2 {padding = array<i64: 0, 0, 0, 0>, groups = 1 : i64, data_layout = "NCHW"} : (tensor<1x4x16x16xf32>, tensor<8x4x1x1xf32>) -> tensor<1x8x16x16xf32>
  %2 = relay.nn.conv2d %x, %w3 : (tensor<1x4x16x16xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x14x14xf32>
  %3 = relay.nn.conv2d %x, %w4 : (tensor<1x4x16x16xf32>, tensor<7x4x1x1xf32>) -> tensor<1x7x16x16xf32>
  %4 = relay.nn.conv2d %x, %w1 {strides = array<i64: 2, 2>} : (tensor<1x4x16x16xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  %5 = relay.nn.conv2d %x, %w5 {groups = 2 : i64} : (tensor<1x4x16x16xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x16x16xf32>
  %6 = relay.nn.max_pool2d %x {pool_size = array<i64: 1, 1>} : (tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
  return %0, %1, %2, %3, %4, %5, %6
    : tensor<1x4x16x16xf32>, tensor<1x8x16x16xf32>, tensor<1x4x14x14xf32>, tensor<1x7x16x16xf32>, tensor<1x4x8x8xf32>, tensor<1x4x16x16xf32>, tensor<1x4x16x16xf32>
}

// What follows both is combined, up to where one branch has more. Three branches, the default, are not there.
// CHECK-LABEL: func.func @scale_relu
// CHECK-NEXT: %[[W:.*]] = relay.concatenate %arg1, %arg2 {axis = 0 : i64}
// CHECK-NEXT: %[[Y:.*]] = relay.nn.conv2d %arg0, %[[W]]
// CHECK-NEXT: %[[S:.*]] = relay.concatenate %arg3, %arg4 {axis = 0 : i64} : {{.*}} -> tensor<12x1x1xf32>
// CHECK-NEXT: %[[M:.*]] = relay.multiply %[[Y]], %[[S]]
// CHECK-NEXT: %[[R:.*]] = relay.nn.relu %[[M]]
// CHECK-NEXT: %[[A:.*]] = relay.strided_slice %[[R]] {{.*}}end = array<i64: 4>
// CHECK-NEXT: %[[B:.*]] = relay.strided_slice %[[R]] {{.*}}end = array<i64: 12>
// CHECK-NEXT: %[[C:.*]] = relay.add %[[B]], %arg5
// CHECK-NEXT: return %[[A]], %[[C]]
// THREE-LABEL: func.func @scale_relu
// THREE-COUNT-2: relay.nn.conv2d
func.func @scale_relu(%x: tensor<1x4x16x16xf32>, %w1: tensor<4x4x1x1xf32>, %w2: tensor<8x4x1x1xf32>, %s1: tensor<4x1x1xf32>,
                      %s2: tensor<8x1x1xf32>, %b: tensor<8x1x1xf32>) -> (tensor<1x4x16x16xf32>, tensor<1x8x16x16xf32>) {
  %0 = relay.nn.conv2d %x, %w1 : (tensor<1x4x16x16xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x16x16xf32>
  %1 = relay.multiply %0, %s1 : (tensor<1x4x16x16xf32>, tensor<4x1x1xf32>) -> tensor<1x4x16x16xf32>
  %2 = relay.nn.relu %1 : (tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
  %3 = relay.nn.conv2d %x, %w2 : (tensor<1x4x16x16xf32>, tensor<8x4x1x1xf32>) -> tensor<1x8x16x16xf32>
  %4 = relay.multiply %3, %s2 : (tensor<1x8x16x16xf32>, tensor<8x1x1xf32>) -> tensor<1x8x16x16xf32>
  %5 = relay.nn.relu %4 : (tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  %6 = relay.add %5, %b : (tensor<1x8x16x16xf32>, tensor<8x1x1xf32>) -> tensor<1x8x16x16xf32>
  return %2, %6 : tensor<1x4x16x16xf32>, tensor<1x8x16x16xf32>
}

// Factors of one number are not combined, but where it is the same one for all.
// CHECK-LABEL: func.func @scale
// CHECK: %[[Y:.*]] = relay.nn.conv2d
// CHECK-NEXT: %[[Z:.*]] = relay.add %[[Y]], %arg5 : (tensor<1x12x16x16xf32>, tensor<f32>)
// CHECK-NEXT: %[[A:.*]] = relay.strided_slice %[[Z]]
// CHECK-NEXT: %[[B:.*]] = relay.strided_slice %[[Z]]
// CHECK-DAG: relay.multiply %[[A]], %arg3
// CHECK-DAG: relay.multiply %[[B]], %arg4
func.func @scale(%x: tensor<1x4x16x16xf32>, %w1: tensor<4x4x1x1xf32>, %w2: tensor<8x4x1x1xf32>, %s1: tensor<1xf32>, %s2: tensor<1xf32>,
                 %common: tensor<f32>) -> (tensor<1x4x16x16xf32>, tensor<1x8x16x16xf32>) {
  %0 = relay.nn.conv2d %x, %w1 : (tensor<1x4x16x16xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x16x16xf32>
  %1 = relay.nn.conv2d %x, %w2 : (tensor<1x4x16x16xf32>, tensor<8x4x1x1xf32>) -> tensor<1x8x16x16xf32>
  %2 = relay.add %0, %common : (tensor<1x4x16x16xf32>, tensor<f32>) -> tensor<1x4x16x16xf32>
  %3 = relay.add %1, %common : (tensor<1x8x16x16xf32>, tensor<f32>) -> tensor<1x8x16x16xf32>
  %4 = relay.multiply %2, %s1 : (tensor<1x4x16x16xf32>, tensor<1xf32>) -> tensor<1x4x16x16xf32>
  %5 = relay.multiply %3, %s2 : (tensor<1x8x16x16xf32>, tensor<1xf32>) -> tensor<1x8x16x16xf32>
  return %4, %5 : tensor<1x4x16x16xf32>, tensor<1x8x16x16xf32>
}

// Biases along the channels are combined; what differs in an attribute, or in the operand that it reads the branch by,
// is not.
// CHECK-LABEL: func.func @biases
// CHECK: %[[Y:.*]] = relay.nn.conv2d
// CHECK-NEXT: %[[S:.*]] = relay.concatenate %arg3, %arg4 {axis = 0 : i64} : (tensor<4xf32>, tensor<8xf32>) -> tensor<12xf32>
// CHECK-NEXT: %[[B:.*]] = relay.nn.bias_add %[[Y]], %[[S]]
// CHECK-NEXT: relay.strided_slice %[[B]]
// CHECK-NEXT: relay.strided_slice %[[B]]
// CHECK-DAG: relay.clip {{.*}}a_max = 1.0
// CHECK-DAG: relay.clip {{.*}}a_max = 6.0
func.func @biases(%x: tensor<1x4x16x16xf32>, %w1: tensor<4x4x1x1xf32>, %w2: tensor<8x4x1x1xf32>, %b1: tensor<4xf32>, %b2: tensor<8xf32>)
    -> (tensor<1x4x16x16xf32>, tensor<1x8x16x16xf32>) {
  %0 = relay.nn.conv2d %x, %w1 : (tensor<1x4x16x16xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x16x16xf32>
  %1 = relay.nn.conv2d %x, %w2 : (tensor<1x4x16x16xf32>, tensor<8x4x1x1xf32>) -> tensor<1x8x16x16xf32>
  %2 = relay.nn.bias_add %0, %b1 {axis = 1 : i64} : (tensor<1x4x16x16xf32>, tensor<4xf32>) -> tensor<1x4x16x16xf32>
  %3 = relay.nn.bias_add %1, %b2 {axis = 1 : i64} : (tensor<1x8x16x16xf32>, tensor<8xf32>) -> tensor<1x8x16x16xf32>
  %4 = relay.clip %2 {a_min = 0.0, a_max = 1.0} : (tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
  %5 = relay.clip %3 {a_min = 0.0, a_max = 6.0} : (tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  return %4, %5 : tensor<1x4x16x16xf32>, tensor<1x8x16x16xf32>
}

// One block after the other: what was combined first is what the next ones read.
// CHECK-LABEL: func.func @blocks
// CHECK-NEXT: %[[W1:.*]] = relay.concatenate %arg1, %arg1
// CHECK-NEXT: %[[Y1:.*]] = relay.nn.conv2d %arg0, %[[W1]]
// CHECK-NEXT: %[[A1:.*]] = relay.strided_slice %[[Y1]]
// CHECK-NEXT: %[[B1:.*]] = relay.strided_slice %[[Y1]]
// CHECK-NEXT: %[[C1:.*]] = relay.concatenate %[[A1]], %[[B1]]
// CHECK-NEXT: %[[W2:.*]] = relay.concatenate %arg1, %arg1
// CHECK-NEXT: %[[Y2:.*]] = relay.nn.conv2d %[[C1]], %[[W2]]
// CHECK-NEXT: %[[A2:.*]] = relay.strided_slice %[[Y2]]
// CHECK-NEXT: %[[B2:.*]] = relay.strided_slice %[[Y2]]
// CHECK-NEXT: %[[C2:.*]] = relay.concatenate %[[A2]], %[[B2]]
// CHECK-NEXT: return %[[C2]]
func.func @blocks(%x: tensor<1x4x16x16xf32>, %w: tensor<2x4x1x1xf32>) -> tensor<1x4x16x16xf32> {
  %0 = relay.nn.conv2d %x, %w : (tensor<1x4x16x16xf32>, tensor<2x4x1x1xf32>) -> tensor<1x2x16x16xf32>
  %1 = relay.nn.conv2d %x, %w : (tensor<1x4x16x16xf32>, tensor<2x4x1x1xf32>) -> tensor<1x2x16x16xf32>
  %2 = relay.concatenate %0, %1 {axis = 1 : i64} : (tensor<1x2x16x16xf32>, tensor<1x2x16x16xf32>) -> tensor<1x4x16x16xf32>
  %3 = relay.nn.conv2d %2, %w : (tensor<1x4x16x16xf32>, tensor<2x4x1x1xf32>) -> tensor<1x2x16x16xf32>
  %4 = relay.nn.conv2d %2, %w : (tensor<1x4x16x16xf32>, tensor<2x4x1x1xf32>) -> tensor<1x2x16x16xf32>
  %5 = relay.concatenate %3, %4 {axis = 1 : i64} : (tensor<1x2x16x16xf32>, tensor<1x2x16x16xf32>) -> tensor<1x4x16x16xf32>
  return %5 : tensor<1x4x16x16xf32>
}

// A weight that is computed later moves up; one that is computed from the first convolution cannot.
// CHECK-LABEL: func.func @order
// CHECK-NEXT: %[[V:.*]] = relay.abs %arg2
// CHECK-NEXT: %[[W:.*]] = relay.concatenate %arg1, %[[V]]
// CHECK-NEXT: %[[Y:.*]] = relay.nn.conv2d %arg0, %[[W]]
// CHECK-NEXT: %[[A:.*]] = relay.strided_slice %[[Y]]
// CHECK-NEXT: %[[B:.*]] = relay.strided_slice %[[Y]]
// CHECK-NEXT: %[[U:.*]] = relay.reshape %[[A]]
// CHECK-NEXT: %[[C:.*]] = relay.nn.conv2d %arg0, %[[U]]
// CHECK-NEXT: return %[[A]], %[[B]], %[[C]]
func.func @order(%x: tensor<1x4x4x4xf32>, %w1: tensor<4x4x1x1xf32>, %w2: tensor<4x4x1x1xf32>)
    -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x16x4x4xf32>) {
  %0 = relay.nn.conv2d %x, %w1 : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = relay.reshape %0 {newshape = array<i64: 16, 4, 1, 1>} : (tensor<1x4x4x4xf32>) -> tensor<16x4x1x1xf32>
  %2 = relay.nn.conv2d %x, %1 : (tensor<1x4x4x4xf32>, tensor<16x4x1x1xf32>) -> tensor<1x16x4x4xf32>
  %3 = relay.abs %w2 : (tensor<4x4x1x1xf32>) -> tensor<4x4x1x1xf32>
  %4 = relay.nn.conv2d %x, %3 : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  return %0, %4, %2 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>, tensor<1x16x4x4xf32>
}

// A branch that is added to another one ends what is combined.
// CHECK-LABEL: func.func @residual
// CHECK: %[[Y:.*]] = relay.nn.conv2d
// CHECK-NEXT: %[[A:.*]] = relay.strided_slice %[[Y]]
// CHECK-NEXT: %[[B:.*]] = relay.strided_slice %[[Y]]
// CHECK-NEXT: %[[C:.*]] = relay.add %[[A]], %[[B]]
// CHECK-NEXT: return %[[C]]
func.func @residual(%x: tensor<1x4x4x4xf32>, %w1: tensor<4x4x1x1xf32>, %w2: tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %0 = relay.nn.conv2d %x, %w1 : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = relay.nn.conv2d %x, %w2 : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %2 = relay.add %0, %1 : (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %2 : tensor<1x4x4x4xf32>
}

// Convolutions in different branches of an if are not computed together.
// CHECK-LABEL: func.func @branches
// CHECK-COUNT-2: relay.nn.conv2d %arg1
// CHECK: else
// CHECK: relay.concatenate
// CHECK: relay.nn.conv2d %arg1
func.func @branches(%c: tensor<i1>, %x: tensor<1x4x4x4xf32>, %w: tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %0 = relay.nn.conv2d %x, %w : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = relay.if %c : (tensor<i1>) -> tensor<1x4x4x4xf32> {
    %2 = relay.nn.conv2d %x, %w : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
    %3 = relay.add %2, %0 : (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    relay.yield %3 : tensor<1x4x4x4xf32>
  } else {
    %4 = relay.nn.conv2d %x, %w : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
    %5 = relay.nn.conv2d %x, %w : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
    %6 = relay.subtract %4, %5 : (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    relay.yield %6 : tensor<1x4x4x4xf32>
  }
  return %1 : tensor<1x4x4x4xf32>
}

// What the convolutions say of their own weights is not said of the joined one.
// CHECK-LABEL: func.func @hints
// CHECK: relay.nn.conv2d %arg0, %{{.+}} : (tensor<1x4x8x8xf32>, tensor<24x4x1x1xf32>)
func.func @hints(%x: tensor<1x4x8x8xf32>, %a: tensor<8x4x1x1xf32>, %b: tensor<16x4x1x1xf32>) -> (tensor<1x8x8x8xf32>, tensor<1x16x8x8xf32>) {
  %0 = relay.nn.conv2d %x, %a {channels = 8 : i64, kernel_size = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<8x4x1x1xf32>) -> tensor<1x8x8x8xf32>
  %1 = relay.nn.conv2d %x, %b {channels = 16 : i64, kernel_size = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<16x4x1x1xf32>) -> tensor<1x16x8x8xf32>
  return %0, %1 : tensor<1x8x8x8xf32>, tensor<1x16x8x8xf32>
}
