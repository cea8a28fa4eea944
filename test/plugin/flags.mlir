// The passes of a plugin are flags of the tool that loaded it.
// DEFINE: %{opt} = mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %s
// RUN: %{opt} --attach-target --fuse-ops | FileCheck %s --check-prefix=ONE
// RUN: %{opt} --attach-target --fuse-ops=max-depth=1 | FileCheck %s --check-prefix=OPTION
// RUN: %{opt} --attach-target --fuse-ops="max-depth=9 enabled=false" | FileCheck %s --check-prefix=OPTION
// RUN: %{opt} --fuse-ops --help | FileCheck %s --check-prefix=HELP

// They run in their order, each on its own kind of op, after what --pass-pipeline says.
// RUN: %{opt} --canonicalize-ops --attach-target --fuse-ops | FileCheck %s --check-prefix=TWO
// RUN: %{opt} --pass-pipeline='builtin.module(cse)' --attach-target --fuse-ops --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=AFTER

// Errors are the tool's.
// RUN: not %{opt} --attach-target --fuse-ops=depth=1 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %{opt} --attach-target --fuse-ops --cse 2>&1 | FileCheck %s --check-prefix=MIXED
// RUN: not %{opt} --pass-pipeline='func.func(cse)' --attach-target --fuse-ops 2>&1 | FileCheck %s --check-prefix=ROOT
// RUN: not %{opt} --attach-target --fuse-ops --pass-pipeline='builtin.module(cse)' 2>&1 | FileCheck %s --check-prefix=BEFORE

// relay-opt has the flags already.
// RUN: relay-opt %s --canonicalize-ops --fuse-ops | FileCheck %s --check-prefix=TWO

// ONE: call @fused_bias_add_relu
// TWO: call @fused_add_relu
// OPTION: call @fused_bias_add(
// OPTION: call @fused_relu(
// HELP: --fuse-ops[=<options>] {{.*}}group operators into primitive functions
// AFTER: builtin.module(
// AFTER-NEXT: cse,
// AFTER-NEXT: attach-target{{.*}}target=native
// AFTER-NEXT: fuse-ops
// UNKNOWN: no such option depth
// MIXED: '-pass-pipeline' option can't be used with individual pass options
// ROOT: for the --fuse-ops option: cannot be appended to the pipeline 'func.func(cse)'
// BEFORE: for the --pass-pipeline option: does not allow a value
func.func @main(%x: tensor<1x3xf32>, %b: tensor<3xf32>) -> tensor<1x3xf32> {
  %0 = relay.nn.bias_add %x, %b {axis = 1 : i64} : (tensor<1x3xf32>, tensor<3xf32>) -> tensor<1x3xf32>
  %1 = relay.nn.relu %0 : (tensor<1x3xf32>) -> tensor<1x3xf32>
  return %1 : tensor<1x3xf32>
}
