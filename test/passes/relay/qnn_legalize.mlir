// RUN: relay-opt %s --qnn-legalize | FileCheck %s

// CHECK-LABEL: func.func @quantize(
// CHECK-SAME: %[[X:.+]]: tensor<2x3xf32>, %[[S:.+]]: tensor<2xf32>, %[[Z:.+]]: tensor<2xi32>)
// CHECK: %[[SS:.+]] = relay.reshape %[[S]] {newshape = array<i64: 2, 1>}
// CHECK: %[[Q:.+]] = relay.divide %[[X]], %[[SS]]
// CHECK: %[[R:.+]] = relay.round %[[Q]]
// CHECK: relay.add %[[R]],
// CHECK: relay.clip %{{.+}} {a_max = 1.270000e+02 : f64, a_min = -1.280000e+02 : f64}
// CHECK: relay.cast %{{.+}} {dtype = i8}
// CHECK: relay.subtract
// CHECK: relay.multiply
func.func @quantize(%x: tensor<2x3xf32>, %s: tensor<2xf32>, %z: tensor<2xi32>) -> tensor<2x3xf32> {
  %0 = relay.qnn.quantize %x, %s, %z {axis = 0, out_dtype = i8} : (tensor<2x3xf32>, tensor<2xf32>, tensor<2xi32>) -> tensor<2x3xi8>
  %1 = relay.qnn.dequantize %0, %s, %z {axis = 0} : (tensor<2x3xi8>, tensor<2xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// Around a zero point that is known, numbers are clipped before they are rounded.
// CHECK-LABEL: func.func @known_zero(
// CHECK: relay.divide
// CHECK: relay.clip %{{.+}} {a_max = 1.250000e+02 : f64, a_min = -1.300000e+02 : f64}
// CHECK: relay.round
// CHECK: relay.cast %{{.+}} {dtype = i32}
// CHECK: relay.add
// CHECK: relay.cast %{{.+}} {dtype = ui8}
func.func @known_zero(%x: tensor<2x3xf32>, %s: tensor<f32>) -> tensor<2x3xui8> {
  %z = relay.constant dense<130> : tensor<i32>
  %0 = relay.qnn.quantize %x, %s, %z {out_dtype = ui8} : (tensor<2x3xf32>, tensor<f32>, tensor<i32>) -> tensor<2x3xui8>
  return %0 : tensor<2x3xui8>
}

// A zero point of the data is what pads it, and is subtracted behind the product. Signed data changes by 128.
// CHECK-LABEL: func.func @conv2d(
// CHECK-SAME: %[[X:.+]]: tensor<1x4x5x5xi8>
// CHECK-DAG: %[[BITS:.+]] = relay.reinterpret %[[X]] {dtype = ui8}
// CHECK-DAG: %[[DATA:.+]] = relay.bitwise_xor %[[BITS]]
// CHECK: %[[PADDED:.+]] = relay.nn.pad %[[DATA]], %{{.+}} {pad_width = array<i64: 0, 0, 0, 0, 1, 1, 1, 1>}
// CHECK: %[[SUMS:.+]] = relay.qnn.conv2d %[[PADDED]]
// CHECK-SAME: (tensor<1x4x7x7xui8>, tensor<2x4x3x3xi8>
// CHECK: relay.sum %{{.+}} {axis = array<i64: 1, 2, 3>}
// CHECK: relay.subtract %[[SUMS]],
func.func @conv2d(%x: tensor<1x4x5x5xi8>, %s: tensor<f32>) -> tensor<1x2x5x5xi32> {
  %w = relay.constant dense<3> : tensor<2x4x3x3xi8>
  %zx = relay.constant dense<5> : tensor<i32>
  %zw = relay.constant dense<0> : tensor<2xi32>
  %0 = relay.qnn.conv2d %x, %w, %zx, %zw, %s, %s {padding = array<i64: 1, 1, 1, 1>}
      : (tensor<1x4x5x5xi8>, tensor<2x4x3x3xi8>, tensor<i32>, tensor<2xi32>, tensor<f32>, tensor<f32>) -> tensor<1x2x5x5xi32>
  return %0 : tensor<1x2x5x5xi32>
}

// An unsigned weight around 128 has a zero point of 0 when it is signed. Another one takes the sums of the data.
// CHECK-LABEL: func.func @dense(
// CHECK-SAME: %[[X:.+]]: tensor<6x4xui8>
// CHECK: %[[A:.+]] = relay.qnn.dense %[[X]], %{{.+}} : (tensor<6x4xui8>, tensor<5x4xi8>
// CHECK: %[[B:.+]] = relay.qnn.dense %[[X]], %{{.+}} : (tensor<6x4xui8>, tensor<5x4xi8>
// CHECK: %[[WIDE:.+]] = relay.cast %[[X]] {dtype = i32}
// CHECK: %[[SUMS:.+]] = relay.sum %[[WIDE]] {axis = array<i64: 1>, keepdims = true}
// CHECK: %[[MORE:.+]] = relay.multiply %[[SUMS]]
// CHECK: %[[R:.+]] = relay.subtract %[[B]], %[[MORE]]
// CHECK: return %[[A]], %[[R]]
func.func @dense(%x: tensor<6x4xui8>, %s: tensor<f32>) -> (tensor<6x5xi32>, tensor<6x5xi32>) {
  %w = relay.constant dense<3> : tensor<5x4xui8>
  %zero = relay.constant dense<0> : tensor<i32>
  %half = relay.constant dense<128> : tensor<i32>
  %other = relay.constant dense<130> : tensor<i32>
  %0 = relay.qnn.dense %x, %w, %zero, %half, %s, %s
      : (tensor<6x4xui8>, tensor<5x4xui8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<6x5xi32>
  %1 = relay.qnn.dense %x, %w, %zero, %other, %s, %s
      : (tensor<6x4xui8>, tensor<5x4xui8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<6x5xi32>
  return %0, %1 : tensor<6x5xi32>, tensor<6x5xi32>
}

// The zero point of a convolution's weight takes the sums of the data that each window meets.
// CHECK-LABEL: func.func @windows(
// CHECK-SAME: %[[X:.+]]: tensor<1x8x5x5xui8>
// CHECK: %[[A:.+]] = relay.qnn.conv2d %[[X]], %{{.+}} : (tensor<1x8x5x5xui8>, tensor<4x8x3x3xi8>
// CHECK: %[[WIDE:.+]] = relay.cast %[[X]] {dtype = f32}
// CHECK: %[[CHANNELS:.+]] = relay.sum %[[WIDE]] {axis = array<i64: 1>, keepdims = true}
// CHECK: %[[WINDOWS:.+]] = relay.nn.conv2d %[[CHANNELS]], %{{.+}} : (tensor<1x1x5x5xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x3x3xf32>
// CHECK: %[[SUMS:.+]] = relay.cast %[[WINDOWS]] {dtype = i32}
// CHECK: %[[MORE:.+]] = relay.multiply %[[SUMS]]
// CHECK: relay.subtract %[[A]], %[[MORE]]
func.func @windows(%x: tensor<1x8x5x5xui8>, %s: tensor<f32>) -> tensor<1x4x3x3xi32> {
  %w = relay.constant dense<3> : tensor<4x8x3x3xui8>
  %zero = relay.constant dense<0> : tensor<i32>
  %other = relay.constant dense<130> : tensor<i32>
  %0 = relay.qnn.conv2d %x, %w, %zero, %other, %s, %s
      : (tensor<1x8x5x5xui8>, tensor<4x8x3x3xui8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<1x4x3x3xi32>
  return %0 : tensor<1x4x3x3xi32>
}

// The phases of a transposed convolution are one convolution.
// CHECK-LABEL: func.func @transposed(
// CHECK: relay.qnn.conv2d %{{.+}} : (tensor<1x8x5x5xui8>, tensor<16x8x1x1xi8>
// CHECK: relay.transpose
func.func @transposed(%x: tensor<1x8x5x5xui8>, %s: tensor<f32>) -> tensor<1x4x10x10xi32> {
  %w = relay.constant dense<3> : tensor<8x4x2x2xi8>
  %zero = relay.constant dense<0> : tensor<i32>
  %0 = relay.qnn.conv2d_transpose %x, %w, %zero, %zero, %s, %s {strides = array<i64: 2, 2>}
      : (tensor<1x8x5x5xui8>, tensor<8x4x2x2xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<1x4x10x10xi32>
  return %0 : tensor<1x4x10x10xi32>
}

// Depthwise convolutions stay for `alter-op-layout`. Others of groups become convolutions of f32, which holds their sums, and long ones of
// f64. A product whose weight is not known is one of 32-bit integers.
// CHECK-LABEL: func.func @others(
// CHECK: relay.qnn.conv2d %{{.+}} {groups = 4 : i64}
// CHECK: relay.nn.conv2d %{{.+}} {groups = 2 : i64} : (tensor<1x4x5x5xf32>, tensor<4x2x3x3xf32>)
// CHECK: relay.nn.conv2d %{{.+}} {groups = 2 : i64} : (tensor<1x512x5x5xf64>, tensor<4x256x3x3xf64>)
// CHECK: relay.nn.dense %{{.+}} : (tensor<1x1024xi32>, tensor<5x1024xi32>)
func.func @others(%long: tensor<1x512x5x5xui8>, %x: tensor<1x4x5x5xui8>, %row: tensor<1x1024xui8>, %unknown: tensor<5x1024xi8>, %s: tensor<f32>)
    -> (tensor<1x4x3x3xi32>, tensor<1x4x3x3xi32>, tensor<1x4x3x3xi32>, tensor<1x5xi32>) {
  %deep = relay.constant dense<3> : tensor<4x256x3x3xi8>
  %v = relay.constant dense<3> : tensor<4x2x3x3xi8>
  %w = relay.constant dense<3> : tensor<4x1x3x3xi8>
  %zero = relay.constant dense<0> : tensor<i32>
  %0 = relay.qnn.conv2d %x, %w, %zero, %zero, %s, %s {groups = 4}
      : (tensor<1x4x5x5xui8>, tensor<4x1x3x3xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<1x4x3x3xi32>
  %2 = relay.qnn.conv2d %x, %v, %zero, %zero, %s, %s {groups = 2}
      : (tensor<1x4x5x5xui8>, tensor<4x2x3x3xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<1x4x3x3xi32>
  %3 = relay.qnn.conv2d %long, %deep, %zero, %zero, %s, %s {groups = 2}
      : (tensor<1x512x5x5xui8>, tensor<4x256x3x3xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<1x4x3x3xi32>
  %1 = relay.qnn.dense %row, %unknown, %zero, %zero, %s, %s
      : (tensor<1x1024xui8>, tensor<5x1024xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<1x5xi32>
  return %0, %2, %3, %1 : tensor<1x4x3x3xi32>, tensor<1x4x3x3xi32>, tensor<1x4x3x3xi32>, tensor<1x5xi32>
}

// Floats are multiplied by the quotient of the scales, and rounded upward.
// CHECK-LABEL: func.func @requantize(
// CHECK: relay.subtract
// CHECK: %[[RATIO:.+]] = relay.divide
// CHECK: relay.multiply
// CHECK: relay.floor
// CHECK: relay.clip %{{.+}} {a_max = 1.270000e+02 : f64, a_min = -1.280000e+02 : f64}
// CHECK: relay.cast %{{.+}} {dtype = i8}
// CHECK-NOT: relay.qnn
func.func @requantize(%x: tensor<2x3xi32>, %s: tensor<f32>, %z: tensor<i32>) -> tensor<2x3xi8> {
  %out = relay.constant dense<0.5> : tensor<f32>
  %0 = relay.qnn.requantize %x, %s, %z, %out, %z {out_dtype = i8}
      : (tensor<2x3xi32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<2x3xi8>
  return %0 : tensor<2x3xi8>
}

// In fixed point, along an axis.
// CHECK-LABEL: func.func @fixed_point(
// CHECK: relay.fixed_point_multiply_per_axis {{.*}} {axes = array<i64: 0>, {{.*}}rounding = "TONEAREST"} : (tensor<2x3xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
func.func @fixed_point(%x: tensor<2x3xi32>, %rows: tensor<2xf32>, %s: tensor<f32>, %z: tensor<i32>) -> tensor<2x3xi8> {
  %0 = relay.qnn.requantize %x, %rows, %z, %s, %z {axis = 0, compute_dtype = "int64", out_dtype = i8, rounding = "TONEAREST"}
      : (tensor<2x3xi32>, tensor<2xf32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<2x3xi8>
  return %0 : tensor<2x3xi8>
}

// An operand in the output's steps is only widened.
// CHECK-LABEL: func.func @add(
// CHECK-SAME: %[[X:.+]]: tensor<3xi8>, %[[Y:.+]]: tensor<3xi8>
// CHECK-DAG: %[[WIDE:.+]] = relay.cast %[[X]] {dtype = i32}
// CHECK-DAG: relay.cast %[[Y]] {dtype = f32}
// CHECK: relay.add %[[WIDE]],
func.func @add(%x: tensor<3xi8>, %y: tensor<3xi8>, %s: tensor<f32>, %z: tensor<i32>) -> tensor<3xi8> {
  %other = relay.constant dense<0.5> : tensor<f32>
  %0 = relay.qnn.add %x, %y, %s, %z, %other, %z, %s, %z
      : (tensor<3xi8>, tensor<3xi8>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<3xi8>
  return %0 : tensor<3xi8>
}

// A function whose arithmetic takes longer than reading is a table, if what is in it is known.
// CHECK-LABEL: func.func @functions(
// CHECK: %[[TABLE:.+]] = relay.cast %{{.+}} : (tensor<256xi32>) -> tensor<256xi8>
// CHECK: relay.take %[[TABLE]],
// CHECK: relay.sigmoid %{{.+}} : (tensor<3xf32>)
// CHECK: relay.sqrt %{{.+}} : (tensor<3xf32>)
func.func @functions(%x: tensor<3xi8>, %unknown: tensor<f32>) -> (tensor<3xi8>, tensor<3xi8>, tensor<3xi8>) {
  %s = relay.constant dense<0.5> : tensor<f32>
  %z = relay.constant dense<3> : tensor<i32>
  %0 = relay.qnn.sigmoid %x, %s, %z, %s, %z : (tensor<3xi8>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<3xi8>
  %1 = relay.qnn.sigmoid %x, %unknown, %z, %s, %z : (tensor<3xi8>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<3xi8>
  %2 = relay.qnn.sqrt %x, %s, %z, %s, %z : (tensor<3xi8>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<i32>) -> tensor<3xi8>
  return %0, %1, %2 : tensor<3xi8>, tensor<3xi8>, tensor<3xi8>
}

// The second operand of a product of data is packed into words, if there are many rows. Each four of its rows are slices of their own.
// CHECK-LABEL: func.func @batch_matmul(
// CHECK-COUNT-4: relay.strided_slice
// CHECK: relay.qnn.contrib_batch_matmul_pack %{{.+}} : (tensor<2x32x8xui8>, tensor<2x2x5xi32>)
// CHECK: relay.nn.batch_matmul %{{.+}} : (tensor<2x3x8xi32>, tensor<2x8x5xi32>)
func.func @batch_matmul(%x: tensor<2x32x8xui8>, %few: tensor<2x3x8xui8>, %y: tensor<2x8x5xi8>, %s: tensor<f32>)
    -> (tensor<2x32x5xi32>, tensor<2x3x5xi32>) {
  %z = relay.constant dense<0> : tensor<i32>
  %0 = relay.qnn.batch_matmul %x, %y, %z, %z, %s, %s
      : (tensor<2x32x8xui8>, tensor<2x8x5xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<2x32x5xi32>
  %1 = relay.qnn.batch_matmul %few, %y, %z, %z, %s, %s
      : (tensor<2x3x8xui8>, tensor<2x8x5xi8>, tensor<i32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<2x3x5xi32>
  return %0, %1 : tensor<2x32x5xi32>, tensor<2x3x5xi32>
}
