// RUN: relay-opt %s --convert-layout='desired-layouts=nn.conv2d:NCHW,default;nn.conv2d_transpose:NCHW,IOHW' --split-input-file | FileCheck %s --check-prefix=NCHW
// RUN: relay-opt %s --convert-layout='desired-layouts=nn.conv2d:NHWC,default' --split-input-file | FileCheck %s --check-prefix=NHWC
// RUN: relay-opt %s --convert-layout='desired-layouts=nn.conv2d:NCHW,OIHW;nn.max_pool2d:NHWC' --split-input-file | FileCheck %s --check-prefix=POOL
// RUN: relay-opt %s --pass-pipeline='builtin.module(func.func(convert-layout{desired-layouts=nn.conv2d:NCHW,OIHW skip-layers=0,2}))' --split-input-file | FileCheck %s --check-prefix=SKIP

// One convolution and what follows; in its own layout, nothing changes.
// NCHW-LABEL: func.func @one
// NCHW-DAG: %[[X:.*]] = relay.layout_transform %arg0 {dst_layout = "NCHW", src_layout = "NHWC"} : {{.*}} -> tensor<1x4x8x9xf32>
// NCHW-DAG: %[[W:.*]] = relay.layout_transform %arg1 {dst_layout = "OIHW", src_layout = "HWIO"} : {{.*}} -> tensor<6x4x3x3xf32>
// NCHW: %[[Y:.*]] = relay.nn.conv2d %[[X]], %[[W]] {padding = array<i64: 1, 1, 1, 1>} : {{.*}} -> tensor<1x6x8x9xf32>
// NCHW-NEXT: %[[R:.*]] = relay.nn.relu %[[Y]]
// NCHW-NEXT: %[[Z:.*]] = relay.layout_transform %[[R]] {dst_layout = "NHWC", src_layout = "NCHW"}
// NCHW-NEXT: return %[[Z]]
// NHWC-LABEL: func.func @one
// NHWC-NEXT: relay.nn.conv2d %arg0, %arg1
// NHWC-NEXT: relay.nn.relu
// NHWC-NEXT: return
func.func @one(%x: tensor<1x8x9x4xf32>, %w: tensor<3x3x4x6xf32>) -> tensor<1x8x9x6xf32> {
  %0 = relay.nn.conv2d %x, %w {padding = array<i64: 1, 1, 1, 1>, data_layout = "NHWC", kernel_layout = "HWIO"} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x8x9x6xf32>
  %1 = relay.nn.relu %0 : (tensor<1x8x9x6xf32>) -> tensor<1x8x9x6xf32>
  return %1 : tensor<1x8x9x6xf32>
}

// -----

// A depthwise weight has its outputs first with NHWC.
// NHWC-LABEL: func.func @depthwise
// NHWC: %[[W:.*]] = relay.layout_transform %arg1 {dst_layout = "HWOI", src_layout = "OIHW"} : {{.*}} -> tensor<3x3x4x1xf32>
// NHWC: relay.nn.conv2d %{{.*}}, %[[W]] {data_layout = "NHWC", groups = 4 : i64, kernel_layout = "HWOI"
func.func @depthwise(%x: tensor<1x4x8x9xf32>, %w: tensor<4x1x3x3xf32>) -> tensor<1x4x6x7xf32> {
  %0 = relay.nn.conv2d %x, %w {groups = 4 : i64} : (tensor<1x4x8x9xf32>, tensor<4x1x3x3xf32>) -> tensor<1x4x6x7xf32>
  return %0 : tensor<1x4x6x7xf32>
}

// -----

// NCHW-LABEL: func.func @transposed
// NCHW-DAG: %[[W:.*]] = relay.layout_transform %arg1 {dst_layout = "IOHW", src_layout = "HWIO"}
// NCHW: relay.nn.conv2d_transpose %{{.*}}, %[[W]] : (tensor<1x4x8x9xf32>, tensor<4x6x3x3xf32>) -> tensor<1x6x10x11xf32>
func.func @transposed(%x: tensor<1x8x9x4xf32>, %w: tensor<3x3x4x6xf32>) -> tensor<1x10x11x6xf32> {
  %0 = relay.nn.conv2d_transpose %x, %w {data_layout = "NHWC", kernel_layout = "HWIO"} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x10x11x6xf32>
  return %0 : tensor<1x10x11x6xf32>
}

// -----

// A bias, a pool and a cast follow; what takes the order for granted gets the model's. A pool of its own layout has transforms
// around it.
// NCHW-LABEL: func.func @bias_pool
// NCHW: %[[Y:.*]] = relay.nn.conv2d
// NCHW-NEXT: %[[B:.*]] = relay.nn.bias_add %[[Y]], %arg2 :
// NCHW-NEXT: %[[R:.*]] = relay.nn.relu %[[B]]
// NCHW-NEXT: %[[P:.*]] = relay.nn.max_pool2d %[[R]] {pool_size = array<i64: 2, 2>} : {{.*}} -> tensor<1x6x5x6xf32>
// NCHW-NEXT: %[[C:.*]] = relay.cast %[[P]]
// NCHW-NEXT: %[[Z:.*]] = relay.layout_transform %[[C]] {dst_layout = "NHWC", src_layout = "NCHW"}
// NCHW-NEXT: relay.nn.batch_flatten %[[Z]]
// POOL-LABEL: func.func @bias_pool
// POOL: %[[R:.*]] = relay.nn.relu
// POOL-NEXT: %[[T:.*]] = relay.layout_transform %[[R]] {dst_layout = "NHWC", src_layout = "NCHW"}
// POOL-NEXT: %[[P:.*]] = relay.nn.max_pool2d %[[T]] {layout = "NHWC"
// POOL-NEXT: %[[C:.*]] = relay.cast %[[P]]
// POOL-NEXT: relay.nn.batch_flatten %[[C]]
func.func @bias_pool(%x: tensor<1x8x9x4xf32>, %w: tensor<3x3x4x6xf32>, %b: tensor<6xf32>) -> tensor<1x180xi32> {
  %0 = relay.nn.conv2d %x, %w {data_layout = "NHWC", kernel_layout = "HWIO"} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x7x6xf32>
  %1 = relay.nn.bias_add %0, %b {axis = 3 : i64} : (tensor<1x6x7x6xf32>, tensor<6xf32>) -> tensor<1x6x7x6xf32>
  %2 = relay.nn.relu %1 : (tensor<1x6x7x6xf32>) -> tensor<1x6x7x6xf32>
  %3 = relay.nn.max_pool2d %2 {pool_size = array<i64: 2, 2>, layout = "NHWC"} : (tensor<1x6x7x6xf32>) -> tensor<1x5x6x6xf32>
  %4 = relay.cast %3 {dtype = i32} : (tensor<1x5x6x6xf32>) -> tensor<1x5x6x6xi32>
  %5 = relay.nn.batch_flatten %4 : (tensor<1x5x6x6xi32>) -> tensor<1x180xi32>
  return %5 : tensor<1x180xi32>
}

// -----

// Of three convolutions, the second one alone is converted if the others are skipped. Between two that are
// converted there is no transform, and a concatenation is along the same dimension.
// NCHW-LABEL: func.func @concatenation
// NCHW: %[[X:.*]] = relay.layout_transform %arg0
// NCHW: %[[A:.*]] = relay.nn.conv2d %[[X]],
// NCHW: %[[B:.*]] = relay.nn.conv2d %[[A]],
// NCHW: %[[C:.*]] = relay.nn.conv2d %[[B]],
// NCHW: %[[D:.*]] = relay.concatenate %[[A]], %[[C]], %{{.*}} {axis = 1 : i64}
// NCHW-NEXT: %[[E:.*]] = relay.layout_transform %[[D]]
// NCHW-NEXT: return %[[E]]
// SKIP-LABEL: func.func @concatenation
// SKIP: %[[A:.*]] = relay.nn.conv2d %arg0, %arg1 {data_layout = "NHWC"
// SKIP: %[[T:.*]] = relay.layout_transform %[[A]] {dst_layout = "NCHW"
// SKIP: %[[B:.*]] = relay.nn.conv2d %[[T]], %{{.*}} {padding = array<i64: 1, 1, 1, 1>}
// SKIP: %[[U:.*]] = relay.layout_transform %[[B]] {dst_layout = "NHWC"
// SKIP: %[[C:.*]] = relay.nn.conv2d %[[U]], %arg1 {data_layout = "NHWC"
// SKIP: relay.concatenate %[[A]], %[[C]], %arg0
func.func @concatenation(%x: tensor<1x8x9x4xf32>, %w: tensor<3x3x4x4xf32>) -> tensor<1x8x9x12xf32> {
  %0 = relay.nn.conv2d %x, %w {padding = array<i64: 1, 1, 1, 1>, data_layout = "NHWC", kernel_layout = "HWIO"} : (tensor<1x8x9x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x8x9x4xf32>
  %1 = relay.nn.conv2d %0, %w {padding = array<i64: 1, 1, 1, 1>, data_layout = "NHWC", kernel_layout = "HWIO"} : (tensor<1x8x9x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x8x9x4xf32>
  %2 = relay.nn.conv2d %1, %w {padding = array<i64: 1, 1, 1, 1>, data_layout = "NHWC", kernel_layout = "HWIO"} : (tensor<1x8x9x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x8x9x4xf32>
  %3 = relay.concatenate %0, %2, %x {axis = -1 : i64} : (tensor<1x8x9x4xf32>, tensor<1x8x9x4xf32>, tensor<1x8x9x4xf32>) -> tensor<1x8x9x12xf32>
  return %3 : tensor<1x8x9x12xf32>
}

// -----

// Operands of fewer dimensions get those that are missing; a number stays. A transpose to the new order is none.
// NCHW-LABEL: func.func @broadcasting
// NCHW: %[[Y:.*]] = relay.nn.conv2d
// NCHW-NEXT: %[[Z:.*]] = relay.expand_dims %arg2 {axis = 0 : i64} : {{.*}} -> tensor<1x6x7x6xf32>
// NCHW-NEXT: %[[ZT:.*]] = relay.layout_transform %[[Z]] {dst_layout = "NCHW", src_layout = "NHWC"}
// NCHW-NEXT: %[[A:.*]] = relay.add %[[Y]], %[[ZT]]
// NCHW-NEXT: %[[C:.*]] = relay.expand_dims %arg3 {axis = 0 : i64, num_newaxis = 3 : i64}
// NCHW-NEXT: %[[CT:.*]] = relay.layout_transform %[[C]]
// NCHW-NEXT: %[[M:.*]] = relay.multiply %[[CT]], %[[A]]
// NCHW-NEXT: %[[S:.*]] = relay.maximum %[[M]], %arg4 : (tensor<1x6x6x7xf32>, tensor<f32>)
// NCHW-NEXT: %[[O:.*]] = relay.minimum %[[S]], %arg5 : (tensor<1x6x6x7xf32>, tensor<1xf32>)
// NCHW-NEXT: %[[T:.*]] = relay.transpose %[[O]] {axes = array<i64: 0, 1, 2, 3>}
// NCHW-NEXT: return %[[T]]
func.func @broadcasting(%x: tensor<1x8x9x4xf32>, %w: tensor<3x3x4x6xf32>, %z: tensor<6x7x6xf32>, %c: tensor<6xf32>, %s: tensor<f32>, %o: tensor<1xf32>) -> tensor<1x6x6x7xf32> {
  %0 = relay.nn.conv2d %x, %w {data_layout = "NHWC", kernel_layout = "HWIO"} : (tensor<1x8x9x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x7x6xf32>
  %1 = relay.add %0, %z : (tensor<1x6x7x6xf32>, tensor<6x7x6xf32>) -> tensor<1x6x7x6xf32>
  %2 = relay.multiply %c, %1 : (tensor<6xf32>, tensor<1x6x7x6xf32>) -> tensor<1x6x7x6xf32>
  %3 = relay.maximum %2, %s : (tensor<1x6x7x6xf32>, tensor<f32>) -> tensor<1x6x7x6xf32>
  %4 = relay.minimum %3, %o : (tensor<1x6x7x6xf32>, tensor<1xf32>) -> tensor<1x6x7x6xf32>
  %5 = relay.transpose %4 {axes = array<i64: 0, 3, 1, 2>} : (tensor<1x6x7x6xf32>) -> tensor<1x6x6x7xf32>
  return %5 : tensor<1x6x6x7xf32>
}

// -----

// Axes move with their dimensions: norms, paddings, slices, splits.
// NHWC-LABEL: func.func @axes
// NHWC: %[[Y:.*]] = relay.nn.conv2d {{.*}} -> tensor<1x8x9x6xf32>
// NHWC-NEXT: %[[B:.*]] = relay.nn.batch_norm %[[Y]], %arg2, %arg2, %arg2, %arg2 {axis = 3 : i64
// NHWC-NEXT: %[[I:.*]] = relay.nn.instance_norm %[[B]], %arg2, %arg2 {axis = 3 : i64
// NHWC-NEXT: %[[S:.*]] = relay.nn.softmax %[[I]] {axis = 3 : i64}
// NHWC-NEXT: %[[P:.*]] = relay.nn.pad %[[S]], %{{.*}} {pad_width = array<i64: 0, 0, 3, 4, 5, 6, 1, 2>}
// NHWC-NEXT: %[[L:.*]] = relay.strided_slice %[[P]] {axes = array<i64: 3, 1>
// NHWC-NEXT: %[[R:.*]] = relay.image.resize2d %[[L]] {{.*}}layout = "NHWC"
// NHWC-NEXT: %[[V:.*]]:2 = relay.split %[[R]] {axis = 3 : i64, indices = array<i64: 2>} : {{.*}} -> (tensor<1x4x4x2xf32>, tensor<1x4x4x4xf32>)
// NHWC-NEXT: %[[V0:.*]] = relay.layout_transform %[[V]]#0 {dst_layout = "NCHW"
// NHWC-NEXT: %[[V1:.*]] = relay.layout_transform %[[V]]#1 {dst_layout = "NCHW"
// NHWC-NEXT: return %[[V0]], %[[V1]]
func.func @axes(%x: tensor<1x4x10x11xf32>, %w: tensor<6x4x3x3xf32>, %v: tensor<6xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x4x4x4xf32>) {
  %zero = relay.constant dense<0.0> : tensor<f32>
  %0 = relay.nn.conv2d %x, %w : (tensor<1x4x10x11xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x8x9xf32>
  %1 = relay.nn.batch_norm %0, %v, %v, %v, %v : (tensor<1x6x8x9xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<1x6x8x9xf32>
  %2 = relay.nn.instance_norm %1, %v, %v : (tensor<1x6x8x9xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<1x6x8x9xf32>
  %3 = relay.nn.softmax %2 {axis = 1 : i64} : (tensor<1x6x8x9xf32>) -> tensor<1x6x8x9xf32>
  %4 = relay.nn.pad %3, %zero {pad_width = array<i64: 0, 0, 1, 2, 3, 4, 5, 6>} : (tensor<1x6x8x9xf32>, tensor<f32>) -> tensor<1x9x15x20xf32>
  %5 = relay.strided_slice %4 {begin = array<i64: 1, 0>, end = array<i64: 7, 8>, strides = array<i64: 1, 2>, axes = array<i64: 1, -2>} : (tensor<1x9x15x20xf32>) -> tensor<1x6x4x20xf32>
  %6 = relay.image.resize2d %5 {size = array<i64: 4, 4>} : (tensor<1x6x4x20xf32>) -> tensor<1x6x4x4xf32>
  %7:2 = relay.split %6 {axis = 1 : i64, indices = array<i64: 2>} : (tensor<1x6x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x4x4x4xf32>)
  return %7#0, %7#1 : tensor<1x2x4x4xf32>, tensor<1x4x4x4xf32>
}

// -----

// Dimensions that are reduced or squeezed away leave the order of the others; where that is the model's, nothing moves.
// NHWC-LABEL: func.func @reductions
// NHWC: %[[Y:.*]] = relay.nn.conv2d {{.*}} -> tensor<1x8x9x6xf32>
// NHWC-NEXT: %[[M:.*]] = relay.mean %[[Y]] {axis = array<i64: 1, 2>} : {{.*}} -> tensor<1x6xf32>
// NHWC-NEXT: %[[S:.*]] = relay.sum %[[Y]] {axis = array<i64: 0, 1>, keepdims = true} : {{.*}} -> tensor<1x1x9x6xf32>
// NHWC-NEXT: %[[SB:.*]] = relay.layout_transform %[[S]] {dst_layout = "NCHW", src_layout = "NHWC"}
// NHWC-NEXT: %[[Q:.*]] = relay.squeeze %[[Y]] {axis = array<i64: 0>} : {{.*}} -> tensor<8x9x6xf32>
// NHWC-NEXT: %[[E:.*]] = relay.exp %[[Q]]
// NHWC-NEXT: %[[QB:.*]] = relay.layout_transform %[[E]] {dst_layout = "CHW", src_layout = "HWC"}
// NHWC-NEXT: %[[A:.*]] = relay.max %[[Y]] {axis = array<i64: 0, 3, 1, 2>} : {{.*}} -> tensor<f32>
// NHWC-NEXT: return %[[M]], %[[SB]], %[[QB]], %[[A]]
func.func @reductions(%x: tensor<1x4x10x11xf32>, %w: tensor<6x4x3x3xf32>) -> (tensor<1x6xf32>, tensor<1x6x1x9xf32>, tensor<6x8x9xf32>, tensor<f32>) {
  %0 = relay.nn.conv2d %x, %w : (tensor<1x4x10x11xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x8x9xf32>
  %1 = relay.mean %0 {axis = array<i64: 2, 3>} : (tensor<1x6x8x9xf32>) -> tensor<1x6xf32>
  %2 = relay.sum %0 {axis = array<i64: 1, 3>, exclude = true, keepdims = true} : (tensor<1x6x8x9xf32>) -> tensor<1x6x1x9xf32>
  %3 = relay.squeeze %0 {axis = array<i64: 0>} : (tensor<1x6x8x9xf32>) -> tensor<6x8x9xf32>
  %4 = relay.exp %3 : (tensor<6x8x9xf32>) -> tensor<6x8x9xf32>
  %5 = relay.max %0 {axis = array<i64>} : (tensor<1x6x8x9xf32>) -> tensor<f32>
  return %1, %2, %4, %5 : tensor<1x6xf32>, tensor<1x6x1x9xf32>, tensor<6x8x9xf32>, tensor<f32>
}

// -----

// Branches read what is outside of them in the new layout; what they yield is the model's.
// NHWC-LABEL: func.func @branches
// NHWC: %[[Y:.*]] = relay.nn.conv2d
// NHWC: relay.if
// NHWC-NEXT: %[[A:.*]] = relay.abs %[[Y]]
// NHWC-NEXT: %[[B:.*]] = relay.layout_transform %[[A]] {dst_layout = "NCHW"
// NHWC-NEXT: relay.yield %[[B]]
func.func @branches(%c: tensor<i1>, %x: tensor<1x4x10x11xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x6x8x9xf32> {
  %0 = relay.nn.conv2d %x, %w : (tensor<1x4x10x11xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x8x9xf32>
  %1 = relay.if %c : (tensor<i1>) -> tensor<1x6x8x9xf32> {
    %2 = relay.abs %0 : (tensor<1x6x8x9xf32>) -> tensor<1x6x8x9xf32>
    relay.yield %2 : tensor<1x6x8x9xf32>
  } else {
    relay.yield %0 : tensor<1x6x8x9xf32>
  }
  return %1 : tensor<1x6x8x9xf32>
}
