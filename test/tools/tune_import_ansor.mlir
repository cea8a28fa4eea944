// A log of Ansor: what its steps make of a matmul, a convolution and a sum is tried first, and each other line says why it is not taken.
// REQUIRES: time
// RUN: rm -f %t.jsonl %t.here.jsonl
// RUN: relayc tune db import %S/Inputs/ansor.log --model %s --records %t.jsonl --target x86-64-v4 | FileCheck %s
// RUN: relayc tune db import %S/Inputs/ansor.log --records %t.jsonl --target x86-64-v4 | FileCheck %s --check-prefix=AGAIN
// RUN: relayc tune db stats %t.jsonl | FileCheck %s --check-prefix=STATS

// What registers cannot hold is in the next level.
// CHECK: line 2: imported fused_contrib_dense_pack: sketch 0; 0: tile 4x1x8,2x1x32 reduce=4 order=0,1/0,1 parallel=2 lanes=16 unroll=0
// CHECK-NEXT: line 3: imported fused_contrib_dense_pack: sketch 0; 0: tile 1x8x4,1x1x64 reduce=1 order=0,1/0,1 parallel=2 lanes=16 unroll=0

// NHWC in the log, blocks of channels here; the padding is inlined, or in a loop.
// CHECK-NEXT: line 4: imported fused_contrib_conv2d_NCHWc_add_relu: sketch 0; 0: guard; 1: tile 1x1x1,1x1x1,7x1x1,1x1x14,1x1x16 reduce=1,1,3,8 order=0,2,3,1,4/0,2,3,1,4 parallel=2
// CHECK-NEXT: line 5: imported fused_contrib_conv2d_NCHWc_add_relu: sketch 0; 0: nest at=3.0 {{.*}}; 1: tile 1x1x1,2x1x2,2x1x1,1x2x7,1x1x16 reduce=1,3,1,1
// CHECK-NEXT: line 6: not imported: no kernel has 1x14x14x64 sums over 3x3x32 and the tensors of its key
// CHECK-NEXT: line 7: not imported: fused_contrib_dense_pack has 'sketch 0; 0: tile 4x1x8,2x1x32 {{.*}}' already
// CHECK-NEXT: line 8: imported fused_sum: sketch 0; 0: factor root lanes=16 sums=3
// CHECK-NEXT: line 9: not imported: its steps make no tiles and no partial results
// CHECK-NEXT: line 10: imported fused_contrib_dense_pack: sketch 0; 0: tile 4x1x4,2x1x32 {{.*}} (without cache_read storage_align)
// CHECK-NEXT: line 11: not imported: no kernel has 256x512 sums over 512
// CHECK-NEXT: line 12: not imported: is for the target 'cuda', expected llvm or c: its loops are for CPUs
// CHECK-NEXT: line 13: not imported: is of v0.7 of the auto-scheduler's log, expected v0.3 to v0.6
// CHECK-NEXT: line 14: not imported: failed in TVM, with error 4
// CHECK-NEXT: line 15: not imported: has a wrong step 1: it is no order of 4 loops
// CHECK-NEXT: line 16: not imported: has a wrong step: ["SP",2,0,512]: argument 4 is no list of numbers
// CHECK-NEXT: line 17: not imported: has a wrong step: ["XX",2] is of the unknown tag 'XX'
// CHECK-NEXT: line 18: not imported: has no input of a workload's key, a target and more
// CHECK-NEXT: line 19: not imported: is no JSON

// A convolution without a window has its pixels in rows of another length.
// CHECK-NEXT: line 20: imported fused_contrib_conv2d_NCHWc: sketch 0; 0: tile 1x1x1,2x1x1,1x1x1,1x7x2,1x1x16 reduce=1,1,1,4
// CHECK-NEXT: 19 trials: 7 imported, 1 known, 8 not read, 2 of no kernel, 1 without a like choice

// AGAIN: 19 trials: 0 imported, 8 known
// STATS: 4 kernels, 7 trials, 0 of them failed

// They are measured, what took least in TVM first, whatever the tuner is.
// RUN: relayc tune db import %S/Inputs/ansor.log --model %s --records %t.here.jsonl
// RUN: relayc tune %s --records %t.here.jsonl --trials 10 --budget 60s --threads 1 --tuner droplet --strategy round-robin --no-model --json | FileCheck %s --check-prefix=FIRST
// FIRST: "kernel":"fused_contrib_dense_pack"{{.*}}"from":"sketch {\"sketch\":0,\"choices\":[{\"tile\":{{.*}}\"reduce\":[1]{{.*}}"outcome":{"ran"
// FIRST-NEXT: "kernel":"fused_contrib_dense_pack"{{.*}}"from":"sketch {{.*}}\"reduce\":[4]{{.*}}"outcome":{"ran"
// FIRST: "kernel":"fused_contrib_conv2d_NCHWc_add_relu"{{.*}}"from":"sketch {{.*}}\"guard\"{{.*}}"outcome":{"ran"
// FIRST: "kernel":"fused_sum"{{.*}}"from":"sketch {{.*}}\"factor\"{{.*}}"outcome":{"ran"

func.func @main(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>, %x: tensor<1x32x14x14xf32>, %w: tensor<64x32x3x3xf32>, %c: tensor<64xf32>, %y: tensor<64x1000xf32>, %z: tensor<1x32x56x56xf32>, %v: tensor<64x32x1x1xf32>) -> (tensor<512x512xf32>, tensor<1x64x14x14xf32>, tensor<64xf32>, tensor<1x64x56x56xf32>) {
  %0 = relay.nn.dense %a, %b : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %1 = relay.nn.conv2d %x, %w {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x32x14x14xf32>, tensor<64x32x3x3xf32>) -> tensor<1x64x14x14xf32>
  %2 = relay.nn.bias_add %1, %c : (tensor<1x64x14x14xf32>, tensor<64xf32>) -> tensor<1x64x14x14xf32>
  %3 = relay.nn.relu %2 : (tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %4 = relay.sum %y {axis = array<i64: 1>} : (tensor<64x1000xf32>) -> tensor<64xf32>
  %5 = relay.nn.conv2d %z, %v : (tensor<1x32x56x56xf32>, tensor<64x32x1x1xf32>) -> tensor<1x64x56x56xf32>
  return %0, %3, %4, %5 : tensor<512x512xf32>, tensor<1x64x14x14xf32>, tensor<64xf32>, tensor<1x64x56x56xf32>
}
