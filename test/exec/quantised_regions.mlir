// A layer on integers from end to end is as one on floats between bytes, but for a step of each rounding.
// RUN: %python -c "import numpy; x = numpy.arange(200, dtype=numpy.uint8).reshape(1, 2, 10, 10) * 7; numpy.savez('%t.in.npz', x=x)"
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.floats.npz
// RUN: relay-opt %s --fake-quantization-to-integer="all=true hard-fail=true" -o %t.mlir
// RUN: not grep "tensor<1x[0-9x]*xf32>" %t.mlir
// RUN: relayc run %t.mlir --inputs %t.in.npz --outputs %t.integers.npz
// RUN: %python -c "import numpy; a, b = (list(numpy.load(f).values())[0].astype(int) for f in ['%t.floats.npz', '%t.integers.npz']); assert abs(a - b).max() <= 1 and a.std() > 9, (a, b)"

func.func @main(%x: tensor<1x2x10x10xui8> {relay.name = "x"}) -> tensor<1x4x5x5xui8> {
  %sx = relay.constant dense<0.5> : tensor<f32>
  %zx = relay.constant dense<3> : tensor<i32>
  %w = relay.constant dense<[[[[1, -20, 3], [40, 5, -6], [7, 80, 9]], [[-10, 11, 12], [13, 14, -15], [16, 17, 18]]],
                             [[[9, 8, 70], [6, -5, 4], [3, 2, 1]], [[-1, 2, -3], [40, -5, 6], [-7, 8, -9]]]]> : tensor<2x2x3x3xi8>
  %sw = relay.constant dense<[0.03, 0.05]> : tensor<2xf32>
  %zw = relay.constant dense<0> : tensor<i32>
  %bias = relay.constant dense<[1.0, -20.0]> : tensor<2xf32>
  %so = relay.constant dense<0.8> : tensor<f32>
  %zo = relay.constant dense<70> : tensor<i32>
  %0 = relay.qnn.dequantize %x, %sx, %zx : (tensor<1x2x10x10xui8>, tensor<f32>, tensor<i32>) -> tensor<1x2x10x10xf32>
  %1 = relay.qnn.dequantize %w, %sw, %zw {axis = 0} : (tensor<2x2x3x3xi8>, tensor<2xf32>, tensor<i32>) -> tensor<2x2x3x3xf32>
  %2 = relay.nn.conv2d %0, %1 {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x2x10x10xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x10x10xf32>
  %3 = relay.nn.bias_add %2, %bias : (tensor<1x2x10x10xf32>, tensor<2xf32>) -> tensor<1x2x10x10xf32>
  %4 = relay.nn.relu %3 : (tensor<1x2x10x10xf32>) -> tensor<1x2x10x10xf32>
  %5 = relay.add %4, %0 : (tensor<1x2x10x10xf32>, tensor<1x2x10x10xf32>) -> tensor<1x2x10x10xf32>
  %6 = relay.qnn.quantize %5, %so, %zo {out_dtype = ui8} : (tensor<1x2x10x10xf32>, tensor<f32>, tensor<i32>) -> tensor<1x2x10x10xui8>
  %7 = relay.qnn.dequantize %6, %so, %zo : (tensor<1x2x10x10xui8>, tensor<f32>, tensor<i32>) -> tensor<1x2x10x10xf32>
  %8 = relay.nn.avg_pool2d %7 {pool_size = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x2x10x10xf32>) -> tensor<1x2x5x5xf32>
  %9 = relay.nn.max_pool2d %7 {pool_size = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x2x10x10xf32>) -> tensor<1x2x5x5xf32>
  %10 = relay.concatenate %8, %9 {axis = 1} : (tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) -> tensor<1x4x5x5xf32>
  %11 = relay.qnn.quantize %10, %so, %zx {out_dtype = ui8} : (tensor<1x4x5x5xf32>, tensor<f32>, tensor<i32>) -> tensor<1x4x5x5xui8>
  return %11 : tensor<1x4x5x5xui8>
}
