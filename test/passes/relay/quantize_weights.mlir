// RUN: relay-opt %s --quantize-weights="least=16 block=16" | FileCheck %s
// RUN: relay-opt %s --quantize-weights="least=16 block=16 bits=8 keep=dense_*" | FileCheck %s --check-prefix=KEPT
// RUN: not relay-opt %s --quantize-weights=block=24 2>&1 | FileCheck %s --check-prefix=BLOCK
// BLOCK: bits is 4 and block is 24, expected 2, 4 or 8 and a power of two from 16 to 256

// The range of a block holds zero: 0 to 15 are sixteen steps of one, exactly.
// CHECK-LABEL: func.func @dense(
// CHECK-DAG: %[[WEIGHT:.+]] = relay.constant dense<{{\[\[\[}}16, 50, 84, 118, 152, 186, 220, 254]]]> : tensor<1x1x8xui8>
// CHECK-DAG: %[[SCALE:.+]] = relay.constant dense<1.000000e+00> : tensor<1x1xbf16>
// CHECK-DAG: %[[ZERO:.+]] = relay.constant dense<0> : tensor<1x1xui8>
// CHECK: relay.nn.dense_blocks %{{.+}}, %[[WEIGHT]], %[[SCALE]], %[[ZERO]] {bits = 4 : i64}
// KEPT-LABEL: func.func @dense(
// KEPT: relay.nn.dense %
func.func @dense(%x: tensor<2x16xf32>) -> tensor<2x1xf32> {
  %w = relay.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0]]> : tensor<1x16xf32>
  %0 = relay.nn.dense %x, %w : (tensor<2x16xf32>, tensor<1x16xf32>) -> tensor<2x1xf32> loc("dense_1")
  return %0 : tensor<2x1xf32>
}

// Columns become rows, and zeros fill up the last block of each: 8 of -8 and 7 of 7 steps.
// CHECK-LABEL: func.func @matmul(
// CHECK-DAG: relay.constant dense<{{.*}}> : tensor<2x2x8xui8>
// CHECK-DAG: relay.constant dense<8> : tensor<2x2xui8>
// CHECK: relay.nn.dense_blocks {{.*}} -> tensor<3x2xf16>
// KEPT-LABEL: func.func @matmul(
// KEPT: relay.nn.dense_blocks {{.*}} {bits = 8 : i64} : (tensor<3x20xf16>, tensor<2x2x16xui8>, tensor<2x2xbf16>, tensor<2x2xui8>)
func.func @matmul(%x: tensor<3x20xf16>) -> tensor<3x2xf16> {
  %w = relay.constant dense<[
    [-8.0, 7.0], [7.0, -8.0], [1.0, 2.0], [1.0, 2.0], [1.0, 2.0], [1.0, 2.0], [1.0, 2.0], [1.0, 2.0], [1.0, 2.0], [1.0, 2.0],
    [1.0, 2.0], [1.0, 2.0], [1.0, 2.0], [1.0, 2.0], [1.0, 2.0], [1.0, 2.0], [-8.0, 7.0], [7.0, -8.0], [1.0, 2.0], [1.0, 2.0]]> : tensor<20x2xf16>
  %0 = relay.nn.matmul %x, %w : (tensor<3x20xf16>, tensor<20x2xf16>) -> tensor<3x2xf16>
  return %0 : tensor<3x2xf16>
}

// What is not known, not finite, or small stays.
// CHECK-LABEL: func.func @others(
// CHECK: relay.nn.dense %
// CHECK: relay.nn.dense %
// CHECK: relay.nn.dense %
func.func @others(%x: tensor<2x16xf32>, %v: tensor<1x16xf32>, %y: tensor<2x3xf32>) -> (tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>) {
  %w = relay.constant dense<0x7F800000> : tensor<1x16xf32>
  %s = relay.constant dense<1.0> : tensor<1x3xf32>
  %0 = relay.nn.dense %x, %v : (tensor<2x16xf32>, tensor<1x16xf32>) -> tensor<2x1xf32>
  %1 = relay.nn.dense %x, %w : (tensor<2x16xf32>, tensor<1x16xf32>) -> tensor<2x1xf32>
  %2 = relay.nn.dense %y, %s : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x1xf32>
  return %0, %1, %2 : tensor<2x1xf32>, tensor<2x1xf32>, tensor<2x1xf32>
}
