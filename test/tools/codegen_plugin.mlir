// A code generator in a shared library.
// REQUIRES: time
// RUN: rm -rf %t && relayc runtime %t -q
// RUN: cc -shared -fPIC -I %t %examples/codegen/cube.c -o %t/libcube.so
// RUN: relayc compile %s --codegen=%t/libcube.so --emit relay -o - -q | FileCheck %s
// RUN: relayc run %s --codegen=%t/libcube.so --seed 5 --outputs %t/theirs.npz -q
// RUN: relayc run %s --seed 5 --outputs %t/ours.npz -q
// RUN: %python -c "import numpy as np; np.testing.assert_allclose(*[np.load(f'%t/{who}.npz')['output0'] for who in ['theirs', 'ours']], rtol=1e-6)"

// It is measured beside others, and has what a table gives it.
// RUN: relayc run %s --codegen=%t/libcube.so,c --placement=measured --seed 5 --outputs %t/theirs.npz -q
// RUN: %python -c "import numpy as np; np.testing.assert_allclose(*[np.load(f'%t/{who}.npz')['output0'] for who in ['theirs', 'ours']], rtol=1e-6)"
// RUN: echo '{"cube": 1, "host": 10, "host.exp+multiply+multiply+nn.relu": 100}' > %t/costs.json
// RUN: relayc compile %s --codegen=%t/libcube.so --placement=%t/costs.json --emit relay -o - -q | FileCheck %s

// Its kernel has its name in profiles, and its operations are counted: two products for each of 12 elements.
// RUN: relayc bench %s --codegen=%t/libcube.so --json | %python -c "import json, sys; print(*[(n['kernel'], n['flops']) for n in json.load(sys.stdin)['nodes']])" \
// RUN:   | FileCheck %s --check-prefix=PROFILE
// PROFILE: ('cube_main_0', 24)

// CHECK: call @cube_main_0(%{{.*}}) : (tensor<3x4xf32>) -> tensor<3x4xf32>
// CHECK: module @cube attributes {relay.compiler = "cube"}
func.func @main(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = relay.exp %x : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %1 = relay.multiply %0, %0 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %2 = relay.multiply %1, %0 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %3 = relay.nn.relu %2 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %3 : tensor<3x4xf32>
}

// What is wrong with one is said.
// RUN: bash -c 'for i in 0 1 2 3 4 5 6 7 8; do cc -shared -fPIC -DWRONG=$i -I %t %S/Inputs/wrong_codegen.c -o %t/wrong$i.so; done'
// RUN: not relayc compile %s --codegen=%t/wrong0.so -o %t/model.so -q 2>&1 | FileCheck %s --check-prefix=E0
// RUN: not relayc compile %s --codegen=%t/wrong1.so -o %t/model.so -q 2>&1 | FileCheck %s --check-prefix=E1
// RUN: not relayc compile %s --codegen=%t/wrong2.so -o %t/model.so -q 2>&1 | FileCheck %s --check-prefix=E2
// RUN: not relayc compile %s --codegen=%t/wrong3.so -o %t/model.so -q 2>&1 | FileCheck %s --check-prefix=E3
// RUN: not relayc compile %s --codegen=%t/wrong4.so -o %t/model.so -q 2>&1 | FileCheck %s --check-prefix=E4
// RUN: not relayc compile %s --codegen=%t/wrong5.so -o %t/model.so -q 2>&1 | FileCheck %s --check-prefix=E5
// RUN: not relayc compile %s --codegen=%t/wrong6.so -o %t/model.so -q 2>&1 | FileCheck %s --check-prefix=E6
// RUN: not relayc compile %s --codegen=%t/wrong7.so -o %t/model.so -q 2>&1 | FileCheck %s --check-prefix=E7
// RUN: not relayc compile %s --codegen=%t/wrong8.so -o %t/model.so -q 2>&1 | FileCheck %s --check-prefix=E8
// RUN: not relayc compile %s --codegen=%t/nothing.so -o %t/model.so -q 2>&1 | FileCheck %s --check-prefix=E9
// RUN: not relayc compile %s --codegen=fpga -o %t/model.so -q 2>&1 | FileCheck %s --check-prefix=E10
// E0: error[R0310]: {{.*}}wrong0.so: is no code generator: it exports no function relay_codegen
// E1: error[R0310]: {{.*}}is made for version 2 of the interface, and relayc has 1
// E2: error[R0310]: {{.*}}has no name of letters, digits and _
// E3: wrong.pat:1:25: there is no operator 'nn.gelu'
// E4: error[R0310]: {{.*}}fails with status 1, and does not say why
// E5: error[R0310]: {{.*}}'wrong' of {{.*}}wrong5.so: no license
// E6: error[R0310]: {{.*}}the C compiler 'cc' refuses it:
// E7: error[R0306]: cannot find libnot_there.so in {{.*}}; the code generator 'wrong' needs it: install it
// E8: undefined symbol: relay_external_{{.*}}_wrong_main_0
// E9: error[R0310]: {{.*}}nothing.so: No such file or directory
// E10: error[R0310]: {{.*}}there is no code generator 'fpga'; c and dnnl are built in

// Bare models and programs have none; a module with external functions and no generator says what is missing.
// RUN: not relayc compile %s --codegen=c --emit bare -o %t/bare 2>&1 | FileCheck %s --check-prefix=BARE
// BARE: a bare model runs without a system, which external code needs
// RUN: not relayc compile %s --codegen=c --executor vm -o %t/vm.so -q 2>&1 | FileCheck %s --check-prefix=PROGRAM
// PROGRAM: external code generators take parts of graphs
// RUN: relayc compile %s --codegen=c --emit relay -o %t/parts.mlir -q
// RUN: not relayc compile %t/parts.mlir -o %t/parts.so -q 2>&1 | FileCheck %s --check-prefix=UNNAMED
// UNNAMED: error[R0310]: {{.*}}the module has functions for 'c'; name that generator: --codegen=c
// RUN: relayc compile %t/parts.mlir --codegen=c -o %t/parts.so -q
// RUN: not relayc run %t/parts.so --codegen=c 2>&1 | FileCheck %s --check-prefix=COMPILED
// COMPILED: --codegen says how to compile
// RUN: env CC=no-such-compiler not relayc compile %t/parts.mlir --codegen=c -o %t/parts.so -q 2>&1 | FileCheck %s --check-prefix=COMPILER
// COMPILER: no-such-compiler
