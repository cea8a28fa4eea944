// RUN: relay-opt %s --canonicalize-cast | FileCheck %s
// Each sum has its own cast in its kernel, and reads eight bits.
// RUN: relay-opt %s --canonicalize-cast --fuse-ops | FileCheck %s --check-prefix=FUSED

// CHECK-LABEL: func.func @shared
// CHECK-NEXT: %[[A:.*]] = relay.cast %arg0 {dtype = i32}
// CHECK-NEXT: %[[S:.*]] = relay.add %[[A]], %arg1
// CHECK-NEXT: %[[B:.*]] = relay.cast %arg0 {dtype = i32}
// CHECK-NEXT: %[[T:.*]] = relay.add %[[B]], %arg2
// CHECK-NEXT: %[[C:.*]] = relay.cast %arg0 {dtype = i32}
// CHECK-NEXT: %[[Q:.*]] = relay.multiply %[[C]], %[[C]]
// CHECK-NEXT: return %[[S]], %[[T]], %[[Q]]
// FUSED-LABEL: func.func @shared
// FUSED: call @fused_cast_add(%arg0, %arg1) : (tensor<1x16x7x7xi8>
// FUSED: call @fused_cast_add(%arg0, %arg2) : (tensor<1x16x7x7xi8>
// FUSED: call @fused_cast_multiply(%arg0) : (tensor<1x16x7x7xi8>
func.func @shared(%x: tensor<1x16x7x7xi8>, %a: tensor<16x1x1xi32>, %b: tensor<16x1x1xi32>)
    -> (tensor<1x16x7x7xi32>, tensor<1x16x7x7xi32>, tensor<1x16x7x7xi32>) {
  %0 = relay.cast %x {dtype = i32} : (tensor<1x16x7x7xi8>) -> tensor<1x16x7x7xi32>
  %1 = relay.add %0, %a : (tensor<1x16x7x7xi32>, tensor<16x1x1xi32>) -> tensor<1x16x7x7xi32>
  %2 = relay.add %0, %b : (tensor<1x16x7x7xi32>, tensor<16x1x1xi32>) -> tensor<1x16x7x7xi32>
  %3 = relay.multiply %0, %0 : (tensor<1x16x7x7xi32>, tensor<1x16x7x7xi32>) -> tensor<1x16x7x7xi32>
  return %1, %2, %3 : tensor<1x16x7x7xi32>, tensor<1x16x7x7xi32>, tensor<1x16x7x7xi32>
}

// A cast to a narrower type stays shared; so does one whose other reader is no element-wise operator.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-2: relay.cast
// CHECK-NOT: relay.cast
func.func @kept(%x: tensor<4x4xf32>, %y: tensor<4x4xf16>, %w: tensor<4x4xf32>)
    -> (tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = relay.cast %x {dtype = f16} : (tensor<4x4xf32>) -> tensor<4x4xf16>
  %1 = relay.abs %0 : (tensor<4x4xf16>) -> tensor<4x4xf16>
  %2 = relay.exp %0 : (tensor<4x4xf16>) -> tensor<4x4xf16>
  %3 = relay.cast %y {dtype = f32} : (tensor<4x4xf16>) -> tensor<4x4xf32>
  %4 = relay.nn.dense %3, %w : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = relay.exp %3 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1, %2, %4, %5 : tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf32>, tensor<4x4xf32>
}

// Readers in a branch get theirs there; of casts in a row, the wider one comes with the reader.
// CHECK-LABEL: func.func @branches
// CHECK: %[[A:.*]] = relay.cast %arg1 {dtype = i16}
// CHECK: relay.if
// CHECK: %[[B:.*]] = relay.cast %[[A]] {dtype = i32}
// CHECK-NEXT: relay.abs %[[B]]
// CHECK: else
// CHECK: %[[C:.*]] = relay.cast %[[A]] {dtype = i32}
// CHECK-NEXT: relay.negative %[[C]]
func.func @branches(%c: tensor<i1>, %x: tensor<4xi8>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = relay.cast %x {dtype = i16} : (tensor<4xi8>) -> tensor<4xi16>
  %1 = relay.cast %0 {dtype = i32} : (tensor<4xi16>) -> tensor<4xi32>
  %2 = relay.sign %1 : (tensor<4xi32>) -> tensor<4xi32>
  %3 = relay.if %c : (tensor<i1>) -> tensor<4xi32> {
    %4 = relay.abs %1 : (tensor<4xi32>) -> tensor<4xi32>
    relay.yield %4 : tensor<4xi32>
  } else {
    %5 = relay.negative %1 : (tensor<4xi32>) -> tensor<4xi32>
    relay.yield %5 : tensor<4xi32>
  }
  return %2, %3 : tensor<4xi32>, tensor<4xi32>
}
