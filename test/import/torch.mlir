// Programs of torch.export against what PyTorch computed of them (test/torch/export.py): a program for each family of operators, views and
// changes in place, and weights in both layouts of the archive.
// REQUIRES: time
// RUN: %python %S/Inputs/programs.py %S/../torch/programs .pt2 %t | FileCheck %s
// CHECK: 48 programs: 48 agree

// A decoder with a static cache, which it changes in each of 22 runs.
// RUN: %python %S/Inputs/steps.py %S/../torch/steps/decoder.pt2 %t.decoder | FileCheck %s --check-prefix=STEPS
// STEPS: 6 states
// STEPS: 22 steps: agree

// RUN: relayc inspect %S/../torch/programs/state.pt2 | FileCheck %s --check-prefix=STATES
// STATES: cache: float32[1, 2, 8, 4] of 0 at first -> f32[1, 2, 8, 4]
// STATES: scales: float32[3] -> f32[3]
// STATES: cache.next: float32[1, 2, 8, 4] -> f32[1, 2, 8, 4]

// RUN: relay-translate --import-torch %S/../torch/programs/in_place.pt2 | FileCheck %s --check-prefix=MODULE
// MODULE: func.func @main(%{{.*}}: tensor<2x3x4xf32> {relay.name = "
