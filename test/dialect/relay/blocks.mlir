// RUN: relay-opt %s | relay-opt | FileCheck %s

// CHECK-LABEL: func.func @products
func.func @products(%x: tensor<?x100xf32, ["m"]>, %w: tensor<20x4x16xui8>, %s: tensor<20x4xf32>, %z: tensor<20x4xui8>,
                    %one: tensor<ui8>, %words: tensor<2x16x16xi32>, %scales: tensor<2x4x16xf16>, %zeros: tensor<2x4x16xui8>,
                    %filled: tensor<?x128xf32, ["m"]>) {
  // CHECK: relay.nn.dense_blocks {{.*}} {bits = 4 : i64} : {{.*}} -> tensor<?x20xf32, ["m"]>
  %0 = relay.nn.dense_blocks %x, %w, %s, %z {bits = 4 : i64}
      : (tensor<?x100xf32, ["m"]>, tensor<20x4x16xui8>, tensor<20x4xf32>, tensor<20x4xui8>) -> tensor<?x20xf32, ["m"]>
  %1 = relay.nn.dense_blocks %x, %w, %s, %one {bits = 4 : i64}
      : (tensor<?x100xf32, ["m"]>, tensor<20x4x16xui8>, tensor<20x4xf32>, tensor<ui8>) -> tensor<?x20xf32, ["m"]>
  // CHECK: relay.nn.contrib_dense_blocks_pack {{.*}} {bits = 4 : i64} : {{.*}} -> tensor<?x32xf32, ["m"]>
  %2 = relay.nn.contrib_dense_blocks_pack %x, %words, %scales, %zeros {bits = 4 : i64}
      : (tensor<?x100xf32, ["m"]>, tensor<2x16x16xi32>, tensor<2x4x16xf16>, tensor<2x4x16xui8>) -> tensor<?x32xf32, ["m"]>
  // CHECK: relay.nn.dequantize_blocks {{.*}} {bits = 4 : i64, columns = 100 : i64} : {{.*}} -> tensor<20x100xf32>
  %4 = relay.nn.dequantize_blocks %w, %s, %z {bits = 4 : i64, columns = 100 : i64}
      : (tensor<20x4x16xui8>, tensor<20x4xf32>, tensor<20x4xui8>) -> tensor<20x100xf32>
  // CHECK: relay.nn.contrib_quantize_blocks {{.*}} -> (tensor<3x?x32xi32, ["m"]>, tensor<?x4xf32, ["m"]>, tensor<?x4xf32, ["m"]>)
  %digits, %of_data, %sums = relay.nn.contrib_quantize_blocks %filled {block = 32 : i64, digits = 3 : i64}
      : (tensor<?x128xf32, ["m"]>) -> (tensor<3x?x32xi32, ["m"]>, tensor<?x4xf32, ["m"]>, tensor<?x4xf32, ["m"]>)
  // CHECK: relay.nn.contrib_dense_digits_pack {{.*}} -> tensor<?x32xf32, ["m"]>
  %3 = relay.nn.contrib_dense_digits_pack %digits, %of_data, %sums, %words, %scales, %one {bits = 4 : i64}
      : (tensor<3x?x32xi32, ["m"]>, tensor<?x4xf32, ["m"]>, tensor<?x4xf32, ["m"]>, tensor<2x16x16xi32>, tensor<2x4x16xf16>, tensor<ui8>)
      -> tensor<?x32xf32, ["m"]>
  return
}
