// Operators from a crate outside of the workspace (examples/operator_plugin) and from C work in all tools.
// REQUIRES: time
// RUN: cd %examples/operator_plugin && cargo build --quiet --offline --target-dir %target
// RUN: rm -rf %t && mkdir %t && relayc runtime %t/include
// RUN: cc -shared -fPIC -Wall -Werror -I %t/include %examples/operator_plugin/clamp.c -o %t/libclamp.so
// DEFINE: %{load} = --load-operators=%target/debug/libgated_operators.so --load-operators=%t/libclamp.so
// RUN: relay-opt %{load} %s | relay-opt %{load} | FileCheck %s
// RUN: relay-opt %{load} %s --fuse-ops | FileCheck %s --check-prefix=FUSED
// RUN: relay-translate %{load} --to-relay-text %s | FileCheck %s --check-prefix=TEXT
// RUN: relay-translate %{load} --to-relay-text %s | relay-translate %{load} --from-relay-text | FileCheck %s --check-prefix=AGAIN
// RUN: %python %S/Inputs/operators.py inputs %t/in.npz
// RUN: relayc run %s %{load} --inputs %t/in.npz --outputs %t/out.npz
// RUN: %python %S/Inputs/operators.py check %t/in.npz %t/out.npz
// RUN: relayc run %s %{load} --inputs %t/in.npz --outputs %t/opt0.npz --opt-level 0
// RUN: %python %S/Inputs/operators.py check %t/in.npz %t/opt0.npz
// RUN: relayc inspect %s %{load} | FileCheck %s --check-prefix=INSPECT
// RUN: not relay-opt %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not relay-opt --load-operators=%t/libclamp.so --load-operators=%t/libclamp.so %s 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: cd %t && relay-opt --load-operators=libclamp.so --load-operators=%target/debug/libgated_operators.so %s | FileCheck %s
// RUN: sed "s/\.compute = compute/.compute = NULL/" %examples/operator_plugin/clamp.c > %t/part.c
// RUN: cc -shared -fPIC -I %t/include %t/part.c -o %t/libpart.so
// RUN: not relay-opt --load-operators=%t/libpart.so %s 2>&1 | FileCheck %s --check-prefix=PART
// RUN: not relayc compile %s --load-operators %s 2>&1 | FileCheck %s --check-prefix=NONE

// UNKNOWN: operators.mlir:[[#]]:{{.*}}: error: 'relay.custom' op the operator "gated.silu" is not registered; load the plugin that declares it (--load-operators=FILE
// TWICE: relay-opt: {{.*}}libclamp.so: the operator "mine.clamp01" is registered already
// PART: relay-opt: {{.*}}libpart.so: mine.clamp01 has no compute
// NONE: error[R{{[0-9]+}}]: {{.*}}operators.mlir

// INSPECT: 1 gated.norm
// CHECK: relay.custom "gated.silu"(%arg0, %arg0) {alpha = 5.000000e-01 : f64} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
// FUSED: call @fused_gated_silu_mine_clamp01_gated_norm
// TEXT: gated.silu(%x, %x, alpha=0.5f64)
// AGAIN: relay.custom "gated.silu"(%arg0, %arg0) {alpha = 5.000000e-01 : f64}
func.func @main(%x: tensor<2x4xf32> {relay.name = "x"}) -> (tensor<2xf32> {relay.name = "y"}) {
  %0 = relay.custom "gated.silu"(%x, %x) {alpha = 0.5} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = relay.custom "mine.clamp01"(%0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = relay.custom "gated.norm"(%1) : (tensor<2x4xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
