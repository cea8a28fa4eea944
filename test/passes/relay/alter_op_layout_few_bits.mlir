// Weights of few bits become words for vectors of columns. Where an instruction sums up products of four bytes, data become bytes.
// RUN: relay-opt %s --attach-target="target='x86-64-v4 -mattr=+avx512vnni'" --alter-op-layout --fold-constant | FileCheck %s
// RUN: relay-opt %s --attach-target=target=x86-64-v3 --alter-op-layout --fold-constant | FileCheck %s --check-prefix=FLOATS

// The last block is filled up with zeros, and units to whole vectors.
// CHECK-LABEL: func.func @dense(
// CHECK-DAG: %[[WEIGHT:.+]] = relay.constant {{.*}} : tensor<2x16x16xi32>
// CHECK-DAG: %[[SCALES:.+]] = relay.constant {{.*}} : tensor<2x4x16xf32>
// CHECK: %[[DATA:.+]] = relay.nn.pad {{.*}} -> tensor<3x128xf32>
// CHECK: %[[DIGITS:.+]], %[[OF_DATA:.+]], %[[SUMS:.+]] = relay.nn.contrib_quantize_blocks %[[DATA]] {block = 32 : i64, digits = 3 : i64}
// CHECK: %[[RESULT:.+]] = relay.nn.contrib_dense_digits_pack %[[DIGITS]], %[[OF_DATA]], %[[SUMS]], %[[WEIGHT]], %[[SCALES]], %{{.+}} {bits = 4 : i64}
// CHECK: relay.strided_slice %[[RESULT]]
// FLOATS-LABEL: func.func @dense(
// FLOATS: relay.nn.contrib_dense_blocks_pack %{{.+}} {bits = 4 : i64} : (tensor<3x100xf32>, tensor<3x16x8xi32>, tensor<3x4x8xf32>, tensor<ui8>)
func.func @dense(%x: tensor<3x100xf32>) -> tensor<3x20xf32> {
  %w = relay.constant dense<33> : tensor<20x4x16xui8>
  %s = relay.constant dense<0.5> : tensor<20x4xf32>
  %z = relay.constant dense<8> : tensor<ui8>
  %0 = relay.nn.dense_blocks %x, %w, %s, %z {bits = 4 : i64} : (tensor<3x100xf32>, tensor<20x4x16xui8>, tensor<20x4xf32>, tensor<ui8>) -> tensor<3x20xf32>
  return %0 : tensor<3x20xf32>
}

// Two bytes are as exact as narrow floats.
// CHECK-LABEL: func.func @narrow(
// CHECK: relay.nn.contrib_quantize_blocks {{.*}} {block = 32 : i64, digits = 2 : i64}
// CHECK: relay.nn.contrib_dense_digits_pack
// CHECK: relay.cast {{.*}} {dtype = bf16}
func.func @narrow(%x: tensor<3x64xbf16>) -> tensor<3x16xbf16> {
  %w = relay.constant dense<33> : tensor<16x2x32xui8>
  %s = relay.constant dense<0.5> : tensor<16x2xbf16>
  %z = relay.constant dense<8> : tensor<ui8>
  %0 = relay.nn.dense_blocks %x, %w, %s, %z {bits = 8 : i64} : (tensor<3x64xbf16>, tensor<16x2x32xui8>, tensor<16x2xbf16>, tensor<ui8>) -> tensor<3x16xbf16>
  return %0 : tensor<3x16xbf16>
}

// A weight that is not known stays.
// CHECK-LABEL: func.func @computed(
// CHECK: relay.nn.dense_blocks
func.func @computed(%x: tensor<3x64xf32>, %w: tensor<16x2x32xui8>) -> tensor<3x16xf32> {
  %s = relay.constant dense<0.5> : tensor<16x2xf32>
  %z = relay.constant dense<8> : tensor<ui8>
  %0 = relay.nn.dense_blocks %x, %w, %s, %z {bits = 8 : i64} : (tensor<3x64xf32>, tensor<16x2x32xui8>, tensor<16x2xf32>, tensor<ui8>) -> tensor<3x16xf32>
  return %0 : tensor<3x16xf32>
}
