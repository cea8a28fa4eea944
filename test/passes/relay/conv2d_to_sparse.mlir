// RUN: relay-opt %s --conv2d-to-sparse='block-size=2x1 sparsity=0.5' | FileCheck %s
// RUN: relay-opt %s --conv2d-to-sparse='block-size=2x1 sparsity=0.9' | FileCheck %s --check-prefix=DENSE
// RUN: relay-opt %s --conv2d-to-sparse='block-size=2x1 sparsity=0.5 kernel-size=3' | FileCheck %s --check-prefix=LARGE
// RUN: relay-opt %s --conv2d-to-sparse='block-size=2x1 sparsity=0.5 layout=NHWC' | FileCheck %s --check-prefix=LAST
// RUN: relay-opt %s --conv2d-to-sparse='weights=small block-size=2x1' | FileCheck %s --check-prefix=NAMED
// RUN: relay-opt %s --conv2d-to-sparse='weights=w:7 block-size=4x2 function=parameters' | FileCheck %s --check-prefix=PARAMETERS
// RUN: not relay-opt %s --conv2d-to-sparse='weights=strided block-size=2x1' 2>&1 | FileCheck %s --check-prefix=STRIDES
// RUN: not relay-opt %s --conv2d-to-sparse='weights=long block-size=2x1' 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: not relay-opt %s --conv2d-to-sparse='weights=turned block-size=2x1' 2>&1 | FileCheck %s --check-prefix=LAYOUTS
// RUN: not relay-opt %s --conv2d-to-sparse='weights=small layout=NHWC block-size=2x1' 2>&1 | FileCheck %s --check-prefix=LAYOUT
// RUN: not relay-opt %s --conv2d-to-sparse='weights=small kernel-size=3 block-size=2x1' 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not relay-opt %s --conv2d-to-sparse='layout=NCHW16c' 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not relay-opt %s --conv2d-to-sparse='kernel-size=5' 2>&1 | FileCheck %s --check-prefix=FIVE
// STRIDES: error: 'relay.nn.conv2d' op weights names 'strided': strides, dilation, groups or a result of another size than the data have no sparse form
// KERNEL: error: 'relay.nn.conv2d' op weights names 'long': a kernel of 1x3 has no sparse form; 1x1 and 3x3 have
// LAYOUTS: error: 'relay.nn.conv2d' op weights names 'turned': layouts NHWC and OIHW have no sparse form; NCHW with OIHW has, and NHWC with HWIO
// LAYOUT: error: 'relay.nn.conv2d' op weights names 'small': its layout is NCHW, not NHWC
// SIZE: error: 'relay.nn.conv2d' op weights names 'small': its kernel is of 1x1
// OTHER: error: 'builtin.module' op layout is NCHW16c, expected NHWC or NCHW
// FIVE: error: 'builtin.module' op kernel-size is 5, expected 1 or 3

// A weight in HWIO has the columns of the matrix together that one in OIHW has as rows.
// CHECK-LABEL: func.func @main
// CHECK: %[[SMALL:.+]] = relay.constant dense<{{\[}}{{\[}}[1.000000e+00], [2.000000e+00]]]> : tensor<1x2x1xf32>
// CHECK: relay.nn.sparse_conv2d %arg0, %[[SMALL]], %{{.*}} {layout = "NCHW"} : {{.*}} -> tensor<1x2x4x4xf32>
// CHECK: relay.nn.sparse_conv2d %arg1, %{{.*}} : {{.*}}tensor<1x2x1xf32>{{.*}} -> tensor<1x4x4x2xf32>
// CHECK: relay.nn.sparse_conv2d %arg0, %{{.*}} {kernel_size = array<i64: 3, 3>, layout = "NCHW"} : {{.*}}tensor<0x2x1xf32>
// CHECK: relay.nn.conv2d {{.*}}strides
// CHECK: relay.nn.conv2d {{.*}}tensor<2x3x1x3xf32>
// CHECK: relay.nn.conv2d {{.*}}"NHWC"
// DENSE-LABEL: func.func @main
// DENSE-COUNT-2: relay.nn.conv2d
// DENSE: relay.nn.sparse_conv2d
// LARGE-LABEL: func.func @main
// LARGE-COUNT-2: relay.nn.conv2d
// LARGE: relay.nn.sparse_conv2d
// LAST-LABEL: func.func @main
// LAST: relay.nn.conv2d
// LAST: relay.nn.sparse_conv2d
// LAST: relay.nn.conv2d
// NAMED-LABEL: func.func @main
// NAMED: relay.nn.sparse_conv2d
// NAMED-COUNT-5: relay.nn.conv2d
func.func @main(%x: tensor<1x3x4x4xf32>, %y: tensor<1x4x4x3xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x4x4x2xf32>, tensor<1x2x4x4xf32>, tensor<1x2x2x2xf32>, tensor<1x2x4x2xf32>, tensor<1x4x4x2xf32>) {
  %small = relay.constant dense<[[[[1.0]], [[0.0]], [[0.0]]], [[[2.0]], [[0.0]], [[0.0]]]]> : tensor<2x3x1x1xf32> loc("small")
  %last = relay.constant dense<[[[[1.0, 2.0], [0.0, 0.0], [0.0, 0.0]]]]> : tensor<1x1x3x2xf32> loc("last")
  %large = relay.constant dense<0.0> : tensor<2x3x3x3xf32> loc("large")
  %strided = relay.constant dense<0.0> : tensor<2x3x1x1xf32> loc("strided")
  %long = relay.constant dense<0.0> : tensor<2x3x1x3xf32> loc("long")
  %turned = relay.constant dense<0.0> : tensor<2x3x1x1xf32> loc("turned")
  %0 = relay.nn.conv2d %x, %small : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = relay.nn.conv2d %y, %last {data_layout = "NHWC", kernel_layout = "HWIO"} : (tensor<1x4x4x3xf32>, tensor<1x1x3x2xf32>) -> tensor<1x4x4x2xf32>
  %2 = relay.nn.conv2d %x, %large {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x3x4x4xf32>, tensor<2x3x3x3xf32>) -> tensor<1x2x4x4xf32>
  %3 = relay.nn.conv2d %x, %strided {strides = array<i64: 2, 2>} : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x2x2xf32>
  %4 = relay.nn.conv2d %x, %long : (tensor<1x3x4x4xf32>, tensor<2x3x1x3xf32>) -> tensor<1x2x4x2xf32>
  %5 = relay.nn.conv2d %y, %turned {data_layout = "NHWC", kernel_layout = "OIHW"} : (tensor<1x4x4x3xf32>, tensor<2x3x1x1xf32>) -> tensor<1x4x4x2xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<1x2x4x4xf32>, tensor<1x4x4x2xf32>, tensor<1x2x4x4xf32>, tensor<1x2x2x2xf32>, tensor<1x2x4x2xf32>, tensor<1x4x4x2xf32>
}

// PARAMETERS-LABEL: func.func @parameters(
// PARAMETERS-SAME: %arg1: tensor<7x4x2xf32> {relay.name = "w.data"}, %arg2: tensor<7xi32> {relay.name = "w.indices"}, %arg3: tensor<3xi32> {relay.name = "w.indptr"})
// PARAMETERS-NEXT: relay.nn.sparse_conv2d %arg0, %arg1, %arg2, %arg3 {kernel_size = array<i64: 3, 3>, layout = "NCHW"}
func.func @parameters(%x: tensor<1x6x4x4xf32> {relay.name = "x"}, %w: tensor<8x6x3x3xf32> {relay.name = "w"}) -> tensor<1x8x4x4xf32> {
  %0 = relay.nn.conv2d %x, %w {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x6x4x4xf32>, tensor<8x6x3x3xf32>) -> tensor<1x8x4x4xf32>
  return %0 : tensor<1x8x4x4xf32>
}
