// An option that would change nothing is an error.
// RUN: relayc compile %s -o %t.so
// RUN: not relayc run %t.so --shape x=1 --target x86-64-v3 2>&1 | FileCheck %s --check-prefix=HOW
// RUN: not relayc inspect %t.so --opt-level 2 --no-cache 2>&1 | FileCheck %s --check-prefix=INSPECT
// HOW: error[R0208]: {{.*}}.so is compiled already, and --shape, --target says how to compile; leave it out, or name the model
// INSPECT: is compiled already, and --opt-level, --no-cache says
// RUN: not relayc inspect %t.so --load-pass-plugin=%plugin 2>&1 | FileCheck %s --check-prefix=PLUGIN
// PLUGIN: is compiled already, and --load-pass-plugin says
// RUN: not relayc inspect %t.so --nodes 2>&1 | FileCheck %s --check-prefix=NODES
// NODES: it holds kernels, not nodes; leave --nodes out, or name the model
// RUN: not relayc run %t.so --repeat 3 2>&1 | FileCheck %s --check-prefix=REPEAT
// REPEAT: required arguments were not provided:
// REPEAT-NEXT: --print-time
// RUN: not relayc run %t.so --inputs in.npz --seed 3 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: '--inputs <INPUTS>' cannot be used with '--seed <SEED>'
// RUN: not relayc run %s --dump '*' --print-time 2>&1 | FileCheck %s --check-prefix=DUMP
// DUMP: cannot be used with '--print-time'
// RUN: not relayc compile %s -o %t.so --shape x=1 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: --shape is for files of other frameworks
// RUN: not relayc compile %s -o %t.so --data-root . 2>&1 | FileCheck %s --check-prefix=ROOT
// ROOT: it holds its own constants; --data-root is for files of other frameworks
func.func @main(%x: tensor<4xf32> {relay.name = "x"}) -> (tensor<4xf32> {relay.name = "y"}) {
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
