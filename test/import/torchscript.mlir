// Programs of torch.jit against what PyTorch computed of them (test/torchscript/export.py): traced and scripted modules, control flow that
// shapes decide and control flow that data decide, views and changes in place, inputs that are lists, contexts, and quantised modules.
// REQUIRES: time
// RUN: %python %S/Inputs/programs.py %S/../torchscript/programs .pt %t | FileCheck %s
// CHECK: 26 programs: 26 agree

// A traced file says what it was traced with; a scripted one says no shapes.
// RUN: relay-translate --import-torchscript %S/../torchscript/programs/traced_network.pt | FileCheck %s --check-prefix=TRACED
// TRACED: func.func @main(%{{.*}}: tensor<2x3x8x8xf32> {relay.name = "x"}) -> (tensor<2x3xf32> {relay.name = "output"})

// RUN: not relayc compile %S/../torchscript/programs/recurrent.pt -o %t.so 2>&1 | FileCheck %s --check-prefix=SHAPES
// SHAPES: a TorchScript file does not say the shapes of its inputs (ids): give them, such as --shape ids=1,3,224,224

// What is no tensor has a value. One of another type is refused, and so is a name that is no input.
// RUN: not relayc inspect %S/../torchscript/programs/settings.pt | FileCheck %s --check-prefix=PARAMETERS
// PARAMETERS: rate: int
// PARAMETERS: axes: List[int]
// RUN: not relayc compile %S/../torchscript/programs/settings.pt --shape x=2,8 -o %t.so 2>&1 | FileCheck %s --check-prefix=NO-VALUE
// NO-VALUE: input 'rate' is no tensor (int) and has no default value; give it one: --value rate=...
// RUN: not relayc compile %S/../torchscript/programs/settings.pt --value rate=fast -o %t.so 2>&1 | FileCheck %s --check-prefix=NO-INT
// NO-INT: value 'fast' of input 'rate': a text is no int
// RUN: not relayc compile %S/../torchscript/programs/traced_network.pt --value y=1 -o %t.so 2>&1 | FileCheck %s --check-prefix=NO-INPUT
// NO-INPUT: a shape or value is given for 'y', which is no input; the inputs are x

// A model that keeps tensors says so. Those that have shapes are inputs, in whose memory the outputs lie that they become.
// RUN: relayc compile %S/../torchscript/programs/first_step.pt --shape x=2,3 -o %t.so 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT: the model changes calls, last, part.sum; each run begins with what the file holds
// KEPT-SAME: such as last.next; to give one in each run, give its shape: --shape last=...
// RUN: relay-translate --import-torchscript %S/../torchscript/programs/traced_network.pt | FileCheck %s --check-prefix=NOTHING-KEPT
// NOTHING-KEPT-NOT: .next

// RUN: relayc inspect %S/../torchscript/programs/traced_network.pt | FileCheck %s --check-prefix=INSPECT
// INSPECT: aten.batch_norm
