// Programs of torch.jit against what PyTorch computed of them (test/torchscript/export.py): traced and scripted modules, control flow that
// shapes decide and control flow that data decide, views and changes in place, inputs that are lists, contexts, and quantised modules.
// REQUIRES: time
// RUN: %python %S/Inputs/programs.py %S/../torchscript/programs .pt %t | FileCheck %s
// CHECK: 20 programs: 20 agree

// A traced file says what it was traced with; a scripted one says no shapes.
// RUN: relay-translate --import-torchscript %S/../torchscript/programs/traced_network.pt | FileCheck %s --check-prefix=TRACED
// TRACED: func.func @main(%{{.*}}: tensor<2x3x8x8xf32> {relay.name = "x"}) -> (tensor<2x3xf32> {relay.name = "output"})

// RUN: not relayc compile %S/../torchscript/programs/recurrent.pt -o %t.so 2>&1 | FileCheck %s --check-prefix=SHAPES
// SHAPES: a TorchScript file does not say the shapes of its inputs (ids): give them, such as --shape ids=1,3,224,224

// RUN: relayc inspect %S/../torchscript/programs/traced_network.pt | FileCheck %s --check-prefix=INSPECT
// INSPECT: aten.batch_norm
