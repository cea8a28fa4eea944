// A log of AutoTVM: what it has for the kernels of a model is tried first, and each other line says why it is not taken.
// REQUIRES: time
// RUN: rm -f %t.jsonl %t.here.jsonl
// RUN: relayc tune db import %S/Inputs/autotvm.log --model %s --records %t.jsonl --target x86-64-v4 | FileCheck %s
// RUN: relayc tune db import %S/Inputs/autotvm.log --records %t.jsonl --target x86-64-v4 | FileCheck %s --check-prefix=AGAIN
// RUN: relayc tune db stats %t.jsonl | FileCheck %s --check-prefix=STATS
// RUN: not relayc tune db import %t.none --records %t.jsonl 2>&1 | FileCheck %s --check-prefix=NO-LOG

// Channels may be in blocks already; the padding of the convolution is a part of what it is.
// CHECK: line 2: imported fused_contrib_conv2d_NCHWc_relu: packed-conv columns=14 blocks=1 order=channels (without tile_ic unroll_kw=true)
// CHECK-NEXT: line 3: imported fused_contrib_conv2d_NCHWc_relu: packed-conv columns=7 blocks=2 order=channels (without tile_ic unroll_kw=false)
// CHECK-NEXT: line 4: not imported: no kernel is conv2d float32 of data 1x32x14x14 and weight 64x32x3x3, strides 1,1, padding 2,2,2,2, dilation 2,2
// CHECK-NEXT: line 5: imported fused_contrib_depthwise_conv2d_NCHWc: depthwise-conv columns=7 band={{[0-9]+}} (without tile_ic tile_oc unroll_kw=true)
// CHECK-NEXT: line 6: imported fused_contrib_dense_pack: product rows=8 vectors=2 part={{[0-9]+}} taken={{[0-9]+}} copied=false (without tile_inner tile_k)
// CHECK-NEXT: line 7: not imported: fused_contrib_conv2d_NCHWc_relu has 'packed-conv columns=14 blocks=1 order=channels' already
// CHECK-NEXT: line 8: not imported: failed in TVM, with error 4
// CHECK-NEXT: line 9: not imported: fused_contrib_conv2d_NCHWc_relu: the config has no split 'tile_ow'
// CHECK-NEXT: line 10: not imported: has no dilation
// CHECK-NEXT: line 11: not imported: is of template conv3d_ncdhw.x86, expected conv2d_NCHWc.x86, depthwise_conv2d_NCHWc.x86 or dense_pack.x86
// CHECK-NEXT: line 12: not imported: is of version 0.3 of AutoTVM's log, expected 0.2
// CHECK-NEXT: line 13: not imported: is of version 0.1 of AutoTVM's log, expected 0.2
// CHECK-NEXT: line 14: not imported: its steps make no tiles and no partial results
// CHECK-NEXT: line 15: not imported: is of AutoTVM's pickle protocol
// CHECK-NEXT: line 16: not imported: is no JSON
// CHECK-NEXT: 15 trials: 4 imported, 1 known, 7 not read, 1 of no kernel, 2 without a like choice

// AGAIN: 15 trials: 0 imported, 5 known
// STATS: 3 kernels, 4 trials, 0 of them failed
// NO-LOG: tune_import.mlir.tmp.none

// What took least in TVM comes first; then the tuner goes on by itself. The target says which schedules are the nearest ones, on any machine.
// RUN: relayc tune db import %S/Inputs/autotvm.log --model %s --records %t.here.jsonl --target x86-64-v3
// RUN: relayc tune %s --records %t.here.jsonl --target x86-64-v3 --no-layouts --trials 24 --budget 60s --threads 1 --tuner droplet --strategy round-robin --json | FileCheck %s --check-prefix=FIRST
// FIRST: packed-conv columns=6 blocks=2 order=channels
// FIRST-NEXT: packed-conv columns=13 blocks=1 order=channels

func.func @main(%x: tensor<1x32x14x14xf32>, %w: tensor<64x32x3x3xf32>, %d: tensor<64x1x3x3xf32>, %y: tensor<32x64xf32>, %v: tensor<128x64xf32>) -> (tensor<1x64x14x14xf32>, tensor<32x128xf32>) {
  %0 = relay.nn.conv2d %x, %w {padding = array<i64: 1, 1, 1, 1>} : (tensor<1x32x14x14xf32>, tensor<64x32x3x3xf32>) -> tensor<1x64x14x14xf32>
  %1 = relay.nn.relu %0 : (tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32>
  %2 = relay.nn.conv2d %1, %d {padding = array<i64: 1, 1, 1, 1>, groups = 64 : i64} : (tensor<1x64x14x14xf32>, tensor<64x1x3x3xf32>) -> tensor<1x64x14x14xf32>
  %3 = relay.nn.dense %y, %v : (tensor<32x64xf32>, tensor<128x64xf32>) -> tensor<32x128xf32>
  return %2, %3 : tensor<1x64x14x14xf32>, tensor<32x128xf32>
}
