// Products with weights that are dequantised from blocks read the blocks.
// RUN: relay-opt %s --qnn-legalize | FileCheck %s

// CHECK-LABEL: func.func @products(
// CHECK-SAME: %[[X:.+]]: tensor<3x100xf32>
// CHECK: relay.nn.dense_blocks %[[X]], {{.*}} {bits = 4 : i64}
// CHECK: relay.nn.dense_blocks %[[X]], {{.*}} {bits = 4 : i64}
// CHECK: relay.nn.dense_blocks %[[X]], {{.*}} {bits = 4 : i64}
func.func @products(%x: tensor<3x100xf32>) -> (tensor<3x20xf32>, tensor<3x20xf32>, tensor<3x20xf32>) {
  %w = relay.constant dense<33> : tensor<20x4x16xui8>
  %s = relay.constant dense<0.5> : tensor<20x4xf32>
  %z = relay.constant dense<8> : tensor<ui8>
  %0 = relay.nn.dequantize_blocks %w, %s, %z {bits = 4 : i64, columns = 100 : i64} : (tensor<20x4x16xui8>, tensor<20x4xf32>, tensor<ui8>) -> tensor<20x100xf32>
  %1 = relay.nn.dense %x, %0 : (tensor<3x100xf32>, tensor<20x100xf32>) -> tensor<3x20xf32>
  %2 = relay.nn.matmul %x, %0 {transpose_b = true} : (tensor<3x100xf32>, tensor<20x100xf32>) -> tensor<3x20xf32>
  %3 = relay.transpose %0 {axes = array<i64: 1, 0>} : (tensor<20x100xf32>) -> tensor<100x20xf32>
  %4 = relay.nn.matmul %x, %3 : (tensor<3x100xf32>, tensor<100x20xf32>) -> tensor<3x20xf32>
  return %1, %2, %4 : tensor<3x20xf32>, tensor<3x20xf32>, tensor<3x20xf32>
}

// What does not read the weight's rows as the second operand stays, and so does a weight that is not known.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: relay.nn.dense_blocks
func.func @others(%x: tensor<3x20xf32>, %y: tensor<3x100xf32>, %v: tensor<20x4x16xui8>) -> (tensor<3x100xf32>, tensor<3x20xf32>) {
  %w = relay.constant dense<33> : tensor<20x4x16xui8>
  %s = relay.constant dense<0.5> : tensor<20x4xf32>
  %z = relay.constant dense<8> : tensor<ui8>
  %0 = relay.nn.dequantize_blocks %w, %s, %z {bits = 4 : i64, columns = 100 : i64} : (tensor<20x4x16xui8>, tensor<20x4xf32>, tensor<ui8>) -> tensor<20x100xf32>
  %1 = relay.nn.matmul %x, %0 : (tensor<3x20xf32>, tensor<20x100xf32>) -> tensor<3x100xf32>
  %2 = relay.nn.dequantize_blocks %v, %s, %z {bits = 4 : i64, columns = 100 : i64} : (tensor<20x4x16xui8>, tensor<20x4xf32>, tensor<ui8>) -> tensor<20x100xf32>
  %3 = relay.nn.dense %y, %2 : (tensor<3x100xf32>, tensor<20x100xf32>) -> tensor<3x20xf32>
  return %1, %3 : tensor<3x100xf32>, tensor<3x20xf32>
}
