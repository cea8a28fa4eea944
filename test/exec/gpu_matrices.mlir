// Products by the matrix instructions of GPUs, in the emulated driver, beside numpy.
// RUN: %python %S/Inputs/gpu_matrices.py inputs %t.npz

// One matrix of a warp at a time, and several: along rows, along columns, and along the rows of an image.
// RUN: relay-opt %s --attach-target='target="nvidia/a100 -emulated"' --simplify-inference --fuse-ops --relay-to-te -o %t.1.mlir
// RUN: relayc compile %t.1.mlir -o %t.1.so --target "nvidia/a100 -emulated"
// RUN: env RELAY_EMULATOR_ORDER=forward relayc run %t.1.so --inputs %t.npz --outputs %t.1.npz
// RUN: relay-opt %s --attach-target='target="nvidia/a100 -emulated"' --simplify-inference --fuse-ops --relay-to-te='knobs="gpu/matrix warps=1x2 matrices=2x2 beside=1 depth=16"' -o %t.2.mlir
// RUN: FileCheck %s --check-prefix=MANY < %t.2.mlir
// RUN: relayc compile %t.2.mlir -o %t.2.so --target "nvidia/a100 -emulated"
// RUN: env RELAY_EMULATOR_ORDER=shuffled:1 relayc run %t.2.so --inputs %t.npz --outputs %t.2.npz
// RUN: relay-opt %s --attach-target='target="nvidia/a100 -emulated"' --simplify-inference --fuse-ops --relay-to-te='knobs="gpu/matrix warps=1x1 matrices=1x1 beside=4 depth=32"' -o %t.3.mlir
// RUN: FileCheck %s --check-prefix=BESIDE < %t.3.mlir
// RUN: relayc compile %t.3.mlir -o %t.3.so --target "nvidia/a100 -emulated"
// RUN: env RELAY_EMULATOR_ORDER=backward relayc run %t.3.so --inputs %t.npz --outputs %t.3.npz
// RUN: %python %S/Inputs/gpu_matrices.py check %t.npz %t.1.npz
// RUN: %python %S/Inputs/gpu_matrices.py check %t.npz %t.2.npz
// RUN: %python %S/Inputs/gpu_matrices.py check %t.npz %t.3.npz

// AMD's warps have 64 lanes.
// RUN: relayc compile %s -o %t.4.so --target "amd/mi300x -emulated"
// RUN: env RELAY_EMULATOR_ORDER=shuffled:2 relayc run %t.4.so --inputs %t.npz --outputs %t.4.npz
// RUN: %python %S/Inputs/gpu_matrices.py check %t.npz %t.4.npz

// MANY-COUNT-1: te.knobs = "gpu/matrix warps=1x2 matrices=2x2 beside=1 depth=16"
// BESIDE-COUNT-2: te.knobs = "gpu/matrix warps=1x1 matrices=1x1 beside=4 depth=32"

// The instructions themselves, in PTX and in assembly. A copy goes on while the step before it is computed.
// RUN: relayc compile %s --target nvidia/a100 --emit gpu | FileCheck %s --check-prefix=PTX
// RUN: relayc compile %s --target nvidia/t4 --emit gpu | FileCheck %s --check-prefix=OLD
// RUN: relayc compile %s --target amd/mi300x --emit gpu | FileCheck %s --check-prefix=AMD
// PTX-DAG: cp.async.cg.shared.global
// PTX-DAG: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// PTX-DAG: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// OLD-NOT: mma.sync
// OLD-NOT: cp.async
// AMD-DAG: v_mfma_f32_16x16x16_f16
// AMD-DAG: v_mfma_f32_16x16x16_bf16

func.func @main(%rows: tensor<64x96xf16> {relay.name = "rows"},
                %weight: tensor<64x96xf16> {relay.name = "weight"},
                %few: tensor<8x33xf16> {relay.name = "few"},
                %many: tensor<40x33xf16> {relay.name = "many"},
                %first: tensor<2x20x24xf16> {relay.name = "first"},
                %second: tensor<2x24x23xf16> {relay.name = "second"},
                %image: tensor<1x20x9x14xf16> {relay.name = "image"},
                %filter: tensor<24x20x3x3xf16> {relay.name = "filter"},
                %low: tensor<1x32x7x7xf16> {relay.name = "low"},
                %point: tensor<16x32x1x1xf16> {relay.name = "point"})
    -> (tensor<64x64xf16> {relay.name = "dense"},
        tensor<8x40xf16> {relay.name = "short"},
        tensor<2x20x23xf32> {relay.name = "batch"},
        tensor<1x24x9x14xf16> {relay.name = "conv"},
        tensor<1x16x7x7xf16> {relay.name = "pointwise"}) {
  %dense = relay.nn.dense %rows, %weight : (tensor<64x96xf16>, tensor<64x96xf16>) -> tensor<64x64xf16>
  %short = relay.nn.dense %few, %many : (tensor<8x33xf16>, tensor<40x33xf16>) -> tensor<8x40xf16>
  %a = relay.cast %first {dtype = bf16} : (tensor<2x20x24xf16>) -> tensor<2x20x24xbf16>
  %b = relay.cast %second {dtype = bf16} : (tensor<2x24x23xf16>) -> tensor<2x24x23xbf16>
  %product = relay.nn.batch_matmul %a, %b {transpose_b = false} : (tensor<2x20x24xbf16>, tensor<2x24x23xbf16>) -> tensor<2x20x23xbf16>
  %batch = relay.cast %product {dtype = f32} : (tensor<2x20x23xbf16>) -> tensor<2x20x23xf32>
  %sums = relay.nn.conv2d %image, %filter {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x20x9x14xf16>, tensor<24x20x3x3xf16>) -> tensor<1x24x9x14xf16>
  %conv = relay.nn.relu %sums : (tensor<1x24x9x14xf16>) -> tensor<1x24x9x14xf16>
  %pointwise = relay.nn.conv2d %low, %point : (tensor<1x32x7x7xf16>, tensor<16x32x1x1xf16>) -> tensor<1x16x7x7xf16>
  return %dense, %short, %batch, %conv, %pointwise : tensor<64x64xf16>, tensor<8x40xf16>, tensor<2x20x23xf32>, tensor<1x24x9x14xf16>, tensor<1x16x7x7xf16>
}
