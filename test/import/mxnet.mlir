// Graphs of MXNet against what MXNet 1.9.1 computed of them (test/mxnet/export.py): a graph for each family of operators, and networks.
// REQUIRES: time
// RUN: %python %S/Inputs/programs.py %S/../mxnet/programs -symbol.json %t | FileCheck %s
// CHECK: 10 programs: 10 agree

// RUN: relay-translate --import-mxnet %S/../mxnet/programs/network-symbol.json | FileCheck %s --check-prefix=MODULE
// MODULE: func.func @main(%{{.*}}: tensor<1x3x16x16xf32> {relay.name = "x"}
// MODULE: relay.nn.conv2d

// Operators that are not supported are named, all at once.
// RUN: not relayc compile %S/../mxnet/unsupported-symbol.json -o %t.so 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: 2 nodes are not supported
// REFUSED: Correlation 'c'
// REFUSED: _foreach 'f'

// A shape that the graph does not say is asked for.
// RUN: not relayc compile %S/../mxnet/shapeless-symbol.json -o %t.so 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: input 'x': not even its rank is known; give its shape: --shape x=...
// RUN: relayc compile %S/../mxnet/shapeless-symbol.json --shape x=2,3 -o %t.so
// RUN: relayc inspect %S/../mxnet/shapeless-symbol.json --shape x=2,3 | FileCheck %s --check-prefix=INSPECT
// INSPECT: Activation
