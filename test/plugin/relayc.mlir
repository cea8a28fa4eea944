// The passes of a plugin stand in the order of relayc, wherever a verb compiles.
// REQUIRES: time
// RUN: cd %examples/pass_plugin && cargo build --quiet --offline --target-dir %target
// DEFINE: %{gelu} = %target/debug/libreplace_gelu.so
// RUN: relayc compile %s --emit relay --load-pass-plugin %{gelu} --insert-pass 'func.func(replace-gelu)' | FileCheck %s
// RUN: relayc compile %s --emit relay --load-pass-plugin %{gelu} --load-pass-plugin=%{gelu} --insert-pass 'infer-type:func.func(replace-gelu{with=sigmoid})' | FileCheck %s --check-prefix=SIGMOID
// RUN: relayc compile %s --emit relay | FileCheck %s --check-prefix=WITHOUT
// RUN: relayc run %s --load-pass-plugin %{gelu} --insert-pass 'func.func(replace-gelu)' --outputs %t.npz
// RUN: relayc bench %s --repeat 1 --load-pass-plugin %{gelu} --insert-pass 'func.func(replace-gelu)' | FileCheck %s --check-prefix=BENCH
// The other GELU differs by more than rounding; the reproducer's command loads the plugin, too.
// RUN: rm -rf %t.diff && not relayc diff %s --ref opt0 --load-pass-plugin %{gelu} --insert-pass 'func.func(replace-gelu{with=sigmoid})' --reproducer %t.diff
// RUN: FileCheck %s --check-prefix=README < %t.diff/README.txt
// So they do in Python's compiler, and in its pipelines on modules.
// RUN: %package
// RUN: %python %S/Inputs/insert_pass.py %s %{gelu} | FileCheck %s --check-prefix=PYTHON

// CHECK: relay.tanh
// PYTHON: the kernel has a tanh: True
// PYTHON: the module has a tanh: True
// SIGMOID: relay.sigmoid
// WITHOUT: relay.erf
// BENCH: tanh
// README: --load-pass-plugin '{{.*}}libreplace_gelu.so' --insert-pass 'func.func(replace-gelu{with=sigmoid})'

// RUN: not relayc compile %s --load-pass-plugin %t.nothing.so 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not relayc compile %s --load-pass-plugin %s 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: relayc compile %s -o %t.so && not relayc compile %s --load-pass-plugin %t.so 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: not relayc compile %s --insert-pass 'func.func(replace-gelu)' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// NOTHING: error[R0201]: {{.*}}.nothing.so: No such file
// TEXT: error[R0210]: {{.*}}relayc.mlir: is no shared library
// MODEL: error[R0210]: {{.*}}.so: is no plugin: those are linked with libMLIR.so.22.1
// UNKNOWN: error[R0204]: pass func.func(replace-gelu) failed:
// UNKNOWN: 'replace-gelu' does not refer to a registered pass

// Libraries with another MLIR, and with this one and no passes.
// RUN: echo 'int nothing;' | clang -c -fPIC -x c - -o %t.o
// RUN: mkdir -p %t.old && ld.lld -shared -soname libMLIR.so.21.1 %t.o -o %t.old/libMLIR.so.21.1
// RUN: ld.lld -shared %t.o %t.old/libMLIR.so.21.1 -o %t.for21.so
// RUN: not relayc compile %s --load-pass-plugin %t.for21.so 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: ld.lld -shared %t.o %llvm/../lib/libMLIR.so -o %t.empty.so
// RUN: not relayc compile %s --load-pass-plugin %t.empty.so 2>&1 | FileCheck %s --check-prefix=EMPTY
// OLD: error[R0210]: {{.*}}.for21.so: is made for MLIR 21.1, and relayc uses MLIR 22.1; build it
// EMPTY: error[R0210]: {{.*}}.empty.so: has no function mlirGetPassPluginInfo

func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %root2 = relay.constant dense<1.41421354> : tensor<f32>
  %one = relay.constant dense<1.0> : tensor<f32>
  %half = relay.constant dense<0.5> : tensor<f32>
  %0 = relay.divide %x, %root2 : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %1 = relay.erf %0 : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = relay.add %1, %one : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %3 = relay.multiply %x, %2 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %4 = relay.multiply %3, %half : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32> loc("gelu")
  return %4 : tensor<2x4xf32>
}
