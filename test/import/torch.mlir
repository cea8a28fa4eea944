// Programs of torch.export against what PyTorch computed of them (test/torch/export.py): a program for each family of operators, views and
// changes in place, and weights in both layouts of the archive.
// RUN: %python %S/Inputs/programs.py %S/../torch/programs .pt2 %t | FileCheck %s
// CHECK: 19 programs: 19 agree

// RUN: relay-translate --import-torch %S/../torch/programs/in_place.pt2 | FileCheck %s --check-prefix=MODULE
// MODULE: func.func @main(%{{.*}}: tensor<2x3x4xf32> {relay.name = "
