// The tour of the README.
// RUN: relay-opt --lower-te --canonicalize %S/../../examples/tour/matmul.mlir | FileCheck %s --check-prefix=TIR
// RUN: relay-translate --to-llvm %S/../../examples/tour/matmul.mlir | FileCheck %s --check-prefix=LLVM
// RUN: relay-translate --to-asm %S/../../examples/tour/matmul.mlir | FileCheck %s --check-prefix=ASM
// RUN: rm -rf %t.passes
// RUN: relayc compile %S/../../examples/tour/matmul.mlir -o %t.so --dump-ir %t.passes --verify-each
// RUN: ls %t.passes | FileCheck %s --check-prefix=DUMP
// RUN: relayc run %t.so --outputs %t.npz --print-time | FileCheck %s --check-prefix=TIME
// RUN: relayc compile %S/../../examples/tour/matmul.mlir -o %t.tir.mlir --emit tir
// RUN: FileCheck %s --check-prefix=TIR < %t.tir.mlir
// RUN: relayc compile %S/../../examples/tour/matmul.mlir --emit te | FileCheck %s --check-prefix=TE
// RUN: relayc compile %S/../../examples/tour/matmul.mlir -o %t.o --emit object
// RUN: not relayc compile %t.nothing.mlir -o %t.so 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not relayc run %t.o 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: relayc inspect %S/../../examples/tour/matmul.mlir | FileCheck %s --check-prefix=INSPECT
// RUN: relayc bench %S/../../examples/tour/matmul.mlir --repeat 2 | FileCheck %s --check-prefix=BENCH
// RUN: relay-opt --rewrite=%S/../../examples/tour/bias.pat %S/../../examples/tour/layer.mlir | FileCheck %s --check-prefix=BIAS
// RUN: relay-opt --fuse-ops %S/../../examples/tour/layer.mlir | FileCheck %s --check-prefix=FUSED
// RUN: relay-opt --fuse-ops --relay-to-te --lower-te %S/../../examples/tour/layer.mlir | FileCheck %s --check-prefix=LAYER
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --attach-target --fuse-ops --relay-to-te --lower-te %S/../../examples/tour/layer.mlir | FileCheck %s --check-prefix=LAYER
// RUN: relay-translate --to-llvm %S/../../examples/tour/layer.mlir | FileCheck %s --check-prefix=LLVM
// RUN: relayc run %S/../../examples/tour/layer.mlir --outputs %t.npz --print-time | FileCheck %s --check-prefix=TIME

// BIAS: relay.nn.dense
// BIAS-NEXT: relay.nn.bias_add
// BIAS-NEXT: relay.nn.relu
// FUSED: func.func private @fused_dense_add_relu
// FUSED: relay.nn.relu
// LAYER: func.func private @fused_dense_add_relu({{.*}}memref<4x32xf32>)
// LAYER: tir.for
// TE: te.compute "m"
// TE: te.schedule
// TIR: func.func private @matmul
// TIR: tir.for {{.*}} parallel
// LLVM: define {{.*}} @model_create
// ASM: matmul
// DUMP: 00-input.mlir
// DUMP: {{[0-9]+}}-lower-te.mlir
// DUMP: {{[0-9]+}}-aot-lower-main.mlir
// TIME: median {{[0-9.]+ (ms|µs)}}, min {{.*}} over 10 runs
// NOTHING: error{{.*}}: {{.*}}.nothing.mlir: No such file or directory
// KIND: error{{.*}}: {{.*}}: not a model file that relayc reads
// INSPECT: a: tensor<32x64xf32>
// INSPECT: c: tensor<32x48xf32>
// INSPECT: FLOPs: 196608
// BENCH: GFLOP/s node (kernel)
// BENCH: matmul
