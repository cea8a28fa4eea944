// RUN: relay-opt %s --simplify-expr | FileCheck %s

// CHECK-LABEL: func.func @neutral
// CHECK-NEXT: return %arg0
func.func @neutral(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = relay.constant dense<0.0> : tensor<f32>
  %one = relay.constant dense<1.0> : tensor<4xf32>
  %0 = relay.add %zero, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.multiply %0, %one : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.subtract %1, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = relay.divide %2, %one : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// 0 - x is not x, and a zero that widens the shape stays.
// CHECK-LABEL: func.func @not_neutral
// CHECK: relay.subtract
// CHECK: relay.add
func.func @not_neutral(%x: tensor<4xf32>) -> tensor<2x4xf32> {
  %zero = relay.constant dense<0.0> : tensor<f32>
  %zeros = relay.constant dense<0.0> : tensor<2x4xf32>
  %0 = relay.subtract %zero, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.add %0, %zeros : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// A division by one number is a product, by several or by a subnormal one it stays.
// CHECK-LABEL: func.func @reciprocal
// CHECK: %[[FOURTH:.+]] = relay.constant dense<2.500000e-01> : tensor<f32>
// CHECK: relay.multiply %arg0, %[[FOURTH]]
// CHECK: relay.divide
// CHECK: relay.divide
func.func @reciprocal(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %four = relay.constant dense<4.0> : tensor<f32>
  %several = relay.constant dense<[4.0, 5.0]> : tensor<2xf32>
  %small = relay.constant dense<1.0e-40> : tensor<f32>
  %0 = relay.divide %x, %four : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = relay.divide %x, %several : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = relay.divide %x, %small : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @reshapes
// CHECK-NEXT: %[[R:.*]] = relay.reshape %arg0 {newshape = array<i64: 8>}
// CHECK-NEXT: return %[[R]], %arg0
func.func @reshapes(%x: tensor<2x4xf32>) -> (tensor<8xf32>, tensor<2x4xf32>) {
  %0 = relay.reshape %x {newshape = array<i64: 4, 2>} : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %1 = relay.reshape %0 {newshape = array<i64: 8>} : (tensor<4x2xf32>) -> tensor<8xf32>
  %2 = relay.reshape %0 {newshape = array<i64: 2, 4>} : (tensor<4x2xf32>) -> tensor<2x4xf32>
  return %1, %2 : tensor<8xf32>, tensor<2x4xf32>
}

// What is computed between a reshape and one back, with its attributes and its element.
// CHECK-LABEL: func.func @reshape_and_back
// CHECK-NEXT: %[[R:.*]] = relay.nn.relu %arg0 : (tensor<2x4xf32>)
// CHECK-NEXT: %[[C:.*]] = relay.cast %arg0 {dtype = i32} : (tensor<2x4xf32>) -> tensor<2x4xi32>
// CHECK-NEXT: return %[[R]], %[[C]]
func.func @reshape_and_back(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xi32>) {
  %0 = relay.expand_dims %x {axis = 1 : i64} : (tensor<2x4xf32>) -> tensor<2x1x4xf32>
  %1 = relay.nn.relu %0 : (tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
  %2 = relay.squeeze %1 {axis = array<i64: 1>} : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
  %3 = relay.cast %0 {dtype = i32} : (tensor<2x1x4xf32>) -> tensor<2x1x4xi32>
  %4 = relay.squeeze %3 {axis = array<i64: 1>} : (tensor<2x1x4xi32>) -> tensor<2x4xi32>
  return %2, %4 : tensor<2x4xf32>, tensor<2x4xi32>
}

// Not where it is read as it was, where more than one operand has elements, where a row is computed, or where the shape is another
// one.
// CHECK-LABEL: func.func @reshape_and_on
// CHECK-COUNT-1: relay.expand_dims
// CHECK: %[[R:.*]] = relay.nn.relu %{{.*}} : (tensor<2x1x4xf32>)
// CHECK-NEXT: relay.squeeze %[[R]]
// CHECK-NEXT: relay.multiply {{.*}} -> tensor<2x1x4xf32>
// CHECK-NEXT: relay.squeeze
// CHECK-NEXT: relay.nn.softmax {{.*}} -> tensor<2x1x4xf32>
// CHECK-NEXT: relay.squeeze
// CHECK-NEXT: relay.exp {{.*}} -> tensor<2x1x4xf32>
// CHECK-NEXT: relay.reshape
func.func @reshape_and_on(%x: tensor<2x4xf32>, %y: tensor<2x1x4xf32>)
    -> (tensor<2x1x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<4x2xf32>) {
  %0 = relay.expand_dims %x {axis = 1 : i64} : (tensor<2x4xf32>) -> tensor<2x1x4xf32>
  %1 = relay.nn.relu %0 : (tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
  %2 = relay.squeeze %1 {axis = array<i64: 1>} : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
  %3 = relay.multiply %0, %y : (tensor<2x1x4xf32>, tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
  %4 = relay.squeeze %3 {axis = array<i64: 1>} : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
  %5 = relay.nn.softmax %0 {axis = 1 : i64} : (tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
  %6 = relay.squeeze %5 {axis = array<i64: 1>} : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
  %7 = relay.exp %0 : (tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
  %8 = relay.reshape %7 {newshape = array<i64: 4, 2>} : (tensor<2x1x4xf32>) -> tensor<4x2xf32>
  return %1, %2, %4, %6, %8 : tensor<2x1x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: func.func @transposes
// CHECK-NEXT: %[[T:.*]] = relay.transpose %arg0 {axes = array<i64: 2, 0, 1>}
// CHECK-NEXT: return %[[T]], %arg0
func.func @transposes(%x: tensor<2x3x4xf32>) -> (tensor<4x2x3xf32>, tensor<2x3x4xf32>) {
  %0 = relay.transpose %x {axes = array<i64: 1, 2, 0>} : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = relay.transpose %0 {axes = array<i64: 1, 2, 0>} : (tensor<3x4x2xf32>) -> tensor<4x2x3xf32>
  %2 = relay.transpose %1 {axes = array<i64: 1, 2, 0>} : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  return %1, %2 : tensor<4x2x3xf32>, tensor<2x3x4xf32>
}

// Where all but one of the dimensions that move have one element, nothing moves.
// CHECK-LABEL: func.func @columns
// CHECK-NEXT: %[[R:.*]] = relay.reshape %arg0 {newshape = array<i64: 1, 4, 3>}
// CHECK-NEXT: %[[T:.*]] = relay.transpose %arg0 {axes = array<i64: 2, 0, 1>}
// CHECK-NEXT: return %[[R]], %[[T]]
func.func @columns(%x: tensor<4x1x3xf32>) -> (tensor<1x4x3xf32>, tensor<3x4x1xf32>) {
  %0 = relay.transpose %x {axes = array<i64: 1, 0, 2>} : (tensor<4x1x3xf32>) -> tensor<1x4x3xf32>
  %1 = relay.transpose %x {axes = array<i64: 2, 0, 1>} : (tensor<4x1x3xf32>) -> tensor<3x4x1xf32>
  return %0, %1 : tensor<1x4x3xf32>, tensor<3x4x1xf32>
}

// A cast to a wider type can be skipped, one to a narrower type cannot.
// CHECK-LABEL: func.func @casts
// CHECK-NEXT: %[[W:.*]] = relay.cast %arg0 {{.*}} : (tensor<4xi8>) -> tensor<4xf32>
// CHECK-NEXT: %[[N:.*]] = relay.cast %arg1 {{.*}} : (tensor<4xf32>) -> tensor<4xi32>
// CHECK-NEXT: %[[F:.*]] = relay.cast %[[N]] {{.*}} : (tensor<4xi32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[W]], %[[F]]
func.func @casts(%x: tensor<4xi8>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = relay.cast %x {dtype = i32} : (tensor<4xi8>) -> tensor<4xi32>
  %1 = relay.cast %0 {dtype = f32} : (tensor<4xi32>) -> tensor<4xf32>
  %2 = relay.cast %y {dtype = i32} : (tensor<4xf32>) -> tensor<4xi32>
  %3 = relay.cast %2 {dtype = f32} : (tensor<4xi32>) -> tensor<4xf32>
  %4 = relay.cast %3 {dtype = f32} : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %4 : tensor<4xf32>, tensor<4xf32>
}

// By way of a type of as many bits, numbers change: of the other sign, or of a float with fewer digits.
// CHECK-LABEL: func.func @casts_that_change
// CHECK-COUNT-4: relay.cast
// CHECK: return
func.func @casts_that_change(%x: tensor<4xi8>, %y: tensor<4xf16>) -> (tensor<4xi32>, tensor<4xf32>) {
  %0 = relay.cast %x {dtype = ui8} : (tensor<4xi8>) -> tensor<4xui8>
  %1 = relay.cast %0 {dtype = i32} : (tensor<4xui8>) -> tensor<4xi32>
  %2 = relay.cast %y {dtype = bf16} : (tensor<4xf16>) -> tensor<4xbf16>
  %3 = relay.cast %2 {dtype = f32} : (tensor<4xbf16>) -> tensor<4xf32>
  return %1, %3 : tensor<4xi32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @layouts
// CHECK-NEXT: %[[L:.*]] = relay.layout_transform %arg0 {dst_layout = "NCHW8c", src_layout = "NCHW4c"}
// CHECK-NEXT: return %arg0, %[[L]]
func.func @layouts(%x: tensor<1x4x2x2x4xf32>) -> (tensor<1x4x2x2x4xf32>, tensor<1x2x2x2x8xf32>) {
  %0 = relay.layout_transform %x {src_layout = "NCHW4c", dst_layout = "NCHW"} : (tensor<1x4x2x2x4xf32>) -> tensor<1x16x2x2xf32>
  %1 = relay.layout_transform %0 {src_layout = "NCHW", dst_layout = "NCHW4c"} : (tensor<1x16x2x2xf32>) -> tensor<1x4x2x2x4xf32>
  %2 = relay.layout_transform %0 {src_layout = "NCHW", dst_layout = "NCHW8c"} : (tensor<1x16x2x2xf32>) -> tensor<1x2x2x2x8xf32>
  return %1, %2 : tensor<1x4x2x2x4xf32>, tensor<1x2x2x2x8xf32>
}

// Of one pixel, a change of blocks moves nothing.
// CHECK-LABEL: func.func @pixel
// CHECK-NEXT: %[[R:.*]] = relay.reshape %arg0 {newshape = array<i64: 1, 16>}
// CHECK-NEXT: return %[[R]]
func.func @pixel(%x: tensor<1x4x1x1x4xf32>) -> tensor<1x16xf32> {
  %0 = relay.layout_transform %x {src_layout = "NCHW4c", dst_layout = "NCHW"} : (tensor<1x4x1x1x4xf32>) -> tensor<1x16x1x1xf32>
  %1 = relay.reshape %0 {newshape = array<i64: 1, 16>} : (tensor<1x16x1x1xf32>) -> tensor<1x16xf32>
  return %1 : tensor<1x16xf32>
}

// CHECK-LABEL: func.func @constants
// CHECK: %[[C:.*]] = relay.add %{{.*}}, %{{.*}} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %[[S:.*]] = relay.add %arg0, %[[C]]
// CHECK-NEXT: return %[[S]]
func.func @constants(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = relay.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %b = relay.constant dense<5.0> : tensor<f32>
  %0 = relay.add %x, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.add %0, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @roots
// CHECK: %[[R:.*]] = relay.rsqrt %arg0
// CHECK: %[[D:.*]] = relay.divide
// CHECK-NEXT: return %[[R]], %[[D]]
func.func @roots(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %one = relay.constant dense<1.0> : tensor<f32>
  %two = relay.constant dense<2.0> : tensor<f32>
  %0 = relay.sqrt %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.divide %one, %0 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.divide %two, %0 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// Of a known shape, what is filled does not depend on the operand; and then it may change nothing.
// CHECK-LABEL: func.func @filled
// CHECK-NEXT: %[[F:.*]] = relay.full %arg1 {dtype = f32, shape = array<i64: 4>}
// CHECK-NEXT: %[[Z:.*]] = relay.zeros_like %arg2
// CHECK-NEXT: return %arg0, %[[F]], %[[Z]]
func.func @filled(%x: tensor<4xf32>, %v: tensor<f32>, %y: tensor<?xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<?xf32>) {
  %zeros = relay.zeros_like %x : (tensor<4xf32>) -> tensor<4xf32>
  %0 = relay.add %zeros, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %ones = relay.ones_like %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.divide %0, %ones : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.full_like %x, %v : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = relay.zeros_like %y : (tensor<?xf32>) -> tensor<?xf32>
  return %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<?xf32>
}

// Clips that have no number in common stay.
// CHECK-LABEL: func.func @clips
// CHECK-NEXT: %[[F:.*]] = relay.clip %arg0 {a_max = 2.000000e+00 : f64, a_min = 0.000000e+00 : f64}
// CHECK-NEXT: %[[A:.*]] = relay.clip %arg0 {a_max = 2.000000e+00 : f64, a_min = 1.000000e+00 : f64}
// CHECK-NEXT: %[[B:.*]] = relay.clip %[[F]]
// CHECK-NEXT: return %[[A]], %[[B]], %arg1
func.func @clips(%x: tensor<4xf32>, %y: tensor<4xui8>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xui8>) {
  %0 = relay.clip %x {a_min = 0.0, a_max = 2.0} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.clip %0 {a_min = 1.0, a_max = 3.0} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.clip %0 {a_min = 3.0, a_max = 4.0} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.clip %y {a_min = 0.0, a_max = 256.0} : (tensor<4xui8>) -> tensor<4xui8>
  return %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xui8>
}

// CHECK-LABEL: func.func @double
// CHECK-NEXT: %[[TWO:.*]] = relay.constant dense<2> : tensor<i8>
// CHECK-NEXT: %[[D:.*]] = relay.multiply %arg0, %[[TWO]]
// CHECK-NEXT: return %[[D]]
func.func @double(%x: tensor<4xi8>) -> tensor<4xi8> {
  %0 = relay.add %x, %x : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// A factor moves past a sum with a constant, unless the sum is read elsewhere, too.
// CHECK-LABEL: func.func @product_of_sum
// CHECK: %[[P:.*]] = relay.multiply %arg0, %[[B:.*]] :
// CHECK-NEXT: %[[C:.*]] = relay.multiply %[[A:.*]], %[[B]]
// CHECK-NEXT: %[[S:.*]] = relay.add %[[P]], %[[C]]
// CHECK-NEXT: %[[K:.*]] = relay.add %arg0, %[[A]]
// CHECK-NEXT: %[[M:.*]] = relay.multiply %[[K]], %[[B]]
// CHECK-NEXT: return %[[S]], %[[K]], %[[M]]
func.func @product_of_sum(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = relay.constant dense<3.0> : tensor<f32>
  %b = relay.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = relay.add %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = relay.multiply %0, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.add %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = relay.multiply %2, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Constants of sums and differences come together, unless the difference is read elsewhere, too.
// CHECK-LABEL: func.func @sums_and_differences
// CHECK: %[[D:.*]] = relay.subtract %[[B:.*]], %[[A:.*]] :
// CHECK-NEXT: %[[S:.*]] = relay.add %arg0, %[[D]]
// CHECK-NEXT: %[[E:.*]] = relay.subtract %[[A]], %[[B]]
// CHECK-NEXT: %[[T:.*]] = relay.add %arg0, %[[E]]
// CHECK-NEXT: %[[K:.*]] = relay.subtract %arg0, %[[A]]
// CHECK-NEXT: %[[M:.*]] = relay.add %[[K]], %[[B]]
// CHECK-NEXT: return %[[S]], %[[T]], %[[K]], %[[M]]
func.func @sums_and_differences(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = relay.constant dense<3.0> : tensor<f32>
  %b = relay.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = relay.subtract %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = relay.add %0, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.add %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = relay.subtract %2, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = relay.subtract %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %5 = relay.add %4, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Pools compare bytes.
// CHECK-LABEL: func.func @pool_of_bytes
// CHECK-SAME: (%[[X:.*]]: tensor<1x1x4x4xui8>)
// CHECK: %[[POOL:.*]] = relay.nn.max_pool2d %[[X]] {{.*}} -> tensor<1x1x2x2xui8>
// CHECK: relay.cast %[[POOL]]
// CHECK: relay.subtract
// CHECK: relay.multiply
func.func @pool_of_bytes(%x: tensor<1x1x4x4xui8>) -> tensor<1x1x2x2xf32> {
  %zero = relay.constant dense<7.0> : tensor<f32>
  %scale = relay.constant dense<0.1> : tensor<f32>
  %0 = relay.cast %x {dtype = f32} : (tensor<1x1x4x4xui8>) -> tensor<1x1x4x4xf32>
  %1 = relay.subtract %0, %zero : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
  %2 = relay.multiply %1, %scale : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
  %3 = relay.nn.max_pool2d %2 {pool_size = array<i64: 2, 2>, strides = array<i64: 2, 2>}
      : (tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
  return %3 : tensor<1x1x2x2xf32>
}

// A negative scale turns the order round.
// CHECK-LABEL: func.func @pool_of_negatives
// CHECK: relay.nn.max_pool2d {{.*}} -> tensor<1x1x2x2xf32>
func.func @pool_of_negatives(%x: tensor<1x1x4x4xui8>) -> tensor<1x1x2x2xf32> {
  %scale = relay.constant dense<-0.1> : tensor<f32>
  %0 = relay.cast %x {dtype = f32} : (tensor<1x1x4x4xui8>) -> tensor<1x1x4x4xf32>
  %1 = relay.multiply %0, %scale : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
  %2 = relay.nn.max_pool2d %1 {pool_size = array<i64: 2, 2>, strides = array<i64: 2, 2>}
      : (tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
  return %2 : tensor<1x1x2x2xf32>
}

// Bytes that are quantised as before stay as they are. Another scale is applied, and other limits.
// CHECK-LABEL: func.func @quantized_again
// CHECK-SAME: (%[[X:.*]]: tensor<4xui8>)
// CHECK: relay.multiply
// CHECK: relay.clip
// CHECK: relay.clip {{.*}} {a_max = 2.000000e+02
// CHECK: return %[[X]], %{{.*}}, %{{.*}}
func.func @quantized_again(%x: tensor<4xui8>) -> (tensor<4xui8>, tensor<4xui8>, tensor<4xui8>) {
  %zero = relay.constant dense<7.0> : tensor<f32>
  %around = relay.constant dense<7> : tensor<i32>
  %same = relay.constant dense<0.9999999> : tensor<f32>
  %other = relay.constant dense<1.1> : tensor<f32>
  %0 = relay.cast %x {dtype = f32} : (tensor<4xui8>) -> tensor<4xf32>
  %1 = relay.subtract %0, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = relay.multiply %1, %same : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = relay.clip %2 {a_max = 248.0, a_min = -7.0} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = relay.round %3 : (tensor<4xf32>) -> tensor<4xf32>
  %5 = relay.cast %4 {dtype = i32} : (tensor<4xf32>) -> tensor<4xi32>
  %6 = relay.add %5, %around : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %7 = relay.cast %6 {dtype = ui8} : (tensor<4xi32>) -> tensor<4xui8>
  %8 = relay.multiply %1, %other : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %9 = relay.clip %8 {a_max = 248.0, a_min = -7.0} : (tensor<4xf32>) -> tensor<4xf32>
  %10 = relay.round %9 : (tensor<4xf32>) -> tensor<4xf32>
  %11 = relay.cast %10 {dtype = i32} : (tensor<4xf32>) -> tensor<4xi32>
  %12 = relay.add %11, %around : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %13 = relay.cast %12 {dtype = ui8} : (tensor<4xi32>) -> tensor<4xui8>
  %14 = relay.clip %0 {a_max = 200.0, a_min = 0.0} : (tensor<4xf32>) -> tensor<4xf32>
  %15 = relay.round %14 : (tensor<4xf32>) -> tensor<4xf32>
  %16 = relay.cast %15 {dtype = i32} : (tensor<4xf32>) -> tensor<4xi32>
  %17 = relay.cast %16 {dtype = ui8} : (tensor<4xi32>) -> tensor<4xui8>
  return %7, %13, %17 : tensor<4xui8>, tensor<4xui8>, tensor<4xui8>
}

// What the bytes' scales bound is cut off as integers, behind the zero point. What has no bound,
// or one that 32 bits do not hold, is cut off as a float.
// CHECK-LABEL: func.func @clip_of_steps
// CHECK-SAME: (%[[X:[^:]*]]: tensor<4xi32>
// CHECK: %[[ROUND:.*]] = relay.round
// CHECK-NEXT: %[[STEPS:.*]] = relay.cast %[[ROUND]] {dtype = i32}
// CHECK-NEXT: %[[MOVED:.*]] = relay.add %[[STEPS]]
// CHECK-NEXT: %[[CLIP:.*]] = relay.clip %[[MOVED]] {a_max = 2.550000e+02 : f64, a_min = 0.000000e+00 : f64} : (tensor<4xi32>)
// CHECK-NEXT: relay.cast %[[CLIP]] {dtype = ui8}
// CHECK: relay.clip {{.*}} : (tensor<4xi32>) -> tensor<4xi32>
// CHECK-NEXT: relay.cast {{.*}} {dtype = i8}
// CHECK: relay.clip {{.*}} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: relay.cast {{.*}} {dtype = ui8}
// CHECK: relay.clip {{.*}} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: relay.cast {{.*}} {dtype = ui8}
func.func @clip_of_steps(%x: tensor<4xi32>, %y: tensor<4xf32>)
    -> (tensor<4xui8>, tensor<4xi8>, tensor<4xui8>, tensor<4xui8>) {
  %scale = relay.constant dense<[0.1, 0.2, -0.3, 0.4]> : tensor<4xf32>
  %bias = relay.constant dense<[0.1, 2.0, -3.0, 4.0]> : tensor<4xf32>
  %large = relay.constant dense<[0.1, 2.0, -3.0, 4.0]> : tensor<4xf32>
  %zero = relay.constant dense<5> : tensor<i32>
  %0 = relay.cast %x {dtype = f32} : (tensor<4xi32>) -> tensor<4xf32>
  %1 = relay.multiply %0, %scale : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.add %1, %bias : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.clip %2 {a_max = 250.0, a_min = -5.0} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = relay.round %3 : (tensor<4xf32>) -> tensor<4xf32>
  %5 = relay.cast %4 {dtype = i32} : (tensor<4xf32>) -> tensor<4xi32>
  %6 = relay.add %5, %zero : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %7 = relay.cast %6 {dtype = ui8} : (tensor<4xi32>) -> tensor<4xui8>

  %8 = relay.clip %2 {a_max = 127.0, a_min = -128.0} : (tensor<4xf32>) -> tensor<4xf32>
  %9 = relay.round %8 : (tensor<4xf32>) -> tensor<4xf32>
  %10 = relay.cast %9 {dtype = i32} : (tensor<4xf32>) -> tensor<4xi32>
  %11 = relay.cast %10 {dtype = i8} : (tensor<4xi32>) -> tensor<4xi8>

  %12 = relay.clip %y {a_max = 255.0, a_min = 0.0} : (tensor<4xf32>) -> tensor<4xf32>
  %13 = relay.round %12 : (tensor<4xf32>) -> tensor<4xf32>
  %14 = relay.cast %13 {dtype = i32} : (tensor<4xf32>) -> tensor<4xi32>
  %15 = relay.cast %14 {dtype = ui8} : (tensor<4xi32>) -> tensor<4xui8>

  %16 = relay.multiply %0, %large : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %17 = relay.clip %16 {a_max = 255.0, a_min = 0.0} : (tensor<4xf32>) -> tensor<4xf32>
  %18 = relay.round %17 : (tensor<4xf32>) -> tensor<4xf32>
  %19 = relay.cast %18 {dtype = i32} : (tensor<4xf32>) -> tensor<4xi32>
  %20 = relay.cast %19 {dtype = ui8} : (tensor<4xi32>) -> tensor<4xui8>
  return %7, %11, %15, %20 : tensor<4xui8>, tensor<4xi8>, tensor<4xui8>, tensor<4xui8>
}

// A relu is no work of its own where what is negative is cut off. Before other clips it stays.
// CHECK-LABEL: func.func @relu_before_clip
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
// CHECK: relay.multiply %[[X]]
// CHECK: relay.clip {{.*}} a_min = 0.000000e+00
// CHECK: relay.nn.relu
// CHECK: relay.clip {{.*}} a_min = -1.000000e+00
func.func @relu_before_clip(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %scale = relay.constant dense<0.5> : tensor<f32>
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.multiply %0, %scale : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = relay.clip %1 {a_max = 255.0, a_min = 0.0} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %4 = relay.multiply %3, %scale : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %5 = relay.clip %4 {a_max = 255.0, a_min = -1.0} : (tensor<4xf32>) -> tensor<4xf32>
  return %2, %5 : tensor<4xf32>, tensor<4xf32>
}

// A mask that hides nothing.
// CHECK-LABEL: func.func @mask
// CHECK-NEXT: return %arg0
func.func @mask(%scores: tensor<8x4x4xf32>) -> tensor<8x4x4xf32> {
  %seen = relay.constant dense<true> : tensor<4x1xi1>
  %all = relay.broadcast_to %seen {shape = array<i64: 4, 4>} : (tensor<4x1xi1>) -> tensor<4x4xi1>
  %zero = relay.constant dense<0.0> : tensor<f32>
  %hidden = relay.constant dense<0xFF800000> : tensor<f32>
  %0 = relay.where %seen, %zero, %hidden : (tensor<4x1xi1>, tensor<f32>, tensor<f32>) -> tensor<4x1xf32>
  %1 = relay.add %scores, %0 : (tensor<8x4x4xf32>, tensor<4x1xf32>) -> tensor<8x4x4xf32>
  %2 = relay.where %all, %1, %hidden : (tensor<4x4xi1>, tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x4x4xf32>
  return %2 : tensor<8x4x4xf32>
}

// One that hides something.
// CHECK-LABEL: func.func @mask_of_some
// CHECK: relay.where
func.func @mask_of_some(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %seen = relay.constant dense<[true, false]> : tensor<2xi1>
  %0 = relay.where %seen, %x, %y : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// A reshape back to an open shape is none, if symbols say that it is the same one.
// CHECK-LABEL: func.func @open_reshape_and_back
// CHECK-NEXT: return %arg0
func.func @open_reshape_and_back(%x: tensor<?x4xf32, ["12*b"]>) -> tensor<?x4xf32, ["12*b"]> {
  %0 = relay.reshape %x {newshape = ["b", 12, 4]} : (tensor<?x4xf32, ["12*b"]>) -> tensor<?x12x4xf32, ["b"]>
  %1 = relay.reshape %0 {newshape = ["12*b", 4]} : (tensor<?x12x4xf32, ["b"]>) -> tensor<?x4xf32, ["12*b"]>
  return %1 : tensor<?x4xf32, ["12*b"]>
}
