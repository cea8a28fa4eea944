// From hand-written Relay operators to loops, to LLVM IR, and what the tools say of themselves.
// RUN: relay-opt --fuse-ops --relay-to-te --lower-te --aot-lower-main --canonicalize %s | FileCheck %s --check-prefix=TIR
// RUN: relay-translate --to-llvm %s | FileCheck %s --check-prefix=LLVM
// RUN: relay-translate --import-onnx %examples/digits/digits.onnx | FileCheck %s --check-prefix=ONNX
// RUN: relay-opt --help | FileCheck %s --check-prefix=HELP
// RUN: relay-lsp-server --help | FileCheck %s --check-prefix=LSP
// RUN: relay-reduce --help | FileCheck %s --check-prefix=REDUCE

// TIR: func.func @main
// TIR: call @fused_add_relu
// TIR: func.func private @fused_add_relu({{.*}}) attributes {{.*}}tir.kernel
// TIR: tir.for
// ONNX: func.func @main
// ONNX: relay.nn.
// LLVM: define {{.*}} @model_run
// HELP: --fuse-ops
// HELP: max-depth
// LSP: LSP
// REDUCE: reduc
func.func @main(%x: tensor<4x3xf32>, %b: tensor<3xf32>) -> tensor<4x3xf32> {
  %0 = relay.add %x, %b : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  %1 = relay.nn.relu %0 : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}
