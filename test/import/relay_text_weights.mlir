// Weights without types in Relay's text, and what operators say of them: while a weight has no type, it is kept; afterwards
// the text has it from the type.
// RUN: split-file %s %t
// RUN: relay-translate --from-relay-text %t/weights.relay -o %t/weights.mlir
// RUN: FileCheck %s --input-file %t/weights.mlir
// RUN: relay-translate --to-relay-text %t/weights.mlir | FileCheck %s --check-prefix=OPEN
// RUN: relay-opt --infer-type %t/weights.mlir | FileCheck %s --check-prefix=TYPES
// RUN: relay-opt --infer-type %t/weights.mlir | relay-translate --to-relay-text | FileCheck %s --check-prefix=TEXT

// CHECK: relay.nn.conv2d %arg0, %arg1 {channels = 16 : i64, kernel_size = array<i64: 3, 3>}
// CHECK: relay.nn.dense %{{.+}}, %arg2 {units = 10 : i64}
// OPEN: nn.conv2d(%x, %w, {{.*}}channels=16, {{.*}}kernel_size=[3, 3]
// OPEN: nn.dense(%{{.+}}, %v, units=10)

// TYPES: func.func @main(%arg0: tensor<1x3x8x8xf32> {{.*}}, %arg1: tensor<16x3x3x3xf32> {{.*}}, %arg2: tensor<10x576xf32> {{.*}}) -> tensor<1x10xf32>
// TYPES-NEXT: relay.nn.conv2d %arg0, %arg1 : (
// TYPES: relay.nn.dense %{{.+}}, %arg2 : (
// TEXT: %w: Tensor[(16, 3, 3, 3), float32], %v: Tensor[(10, 576), float32])
// TEXT: nn.conv2d(%x, %w, {{.*}}channels=16, kernel_size=[3, 3])
// TEXT: nn.dense(%{{.+}}, %v, units=10)

//--- weights.relay
fn (%x: Tensor[(1, 3, 8, 8), float32], %w, %v) {
  %0 = nn.conv2d(%x, %w, channels=16, kernel_size=[3, 3]);
  %1 = nn.batch_flatten(%0);
  nn.dense(%1, %v, units=10)
}
