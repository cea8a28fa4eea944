// Weights from beside a model, in each format, against what PyTorch computed with them (test/torch/beside.py). Some are bf16 in the files
// and f32 in the model, one weight has two names, and one program has no weights of its own.
// REQUIRES: time
// RUN: %python %S/Inputs/weights.py %S/../torch/weights %t.npz | FileCheck %s
// CHECK: 10 agree

// A weight that the model does not have, and one of another shape.
// RUN: not relayc compile %S/../torch/programs/weights.pt2 --params %S/../torch/weights/state.pth -o %t.so 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: state.pth: the model has no weight or input for 'conv.bias', 'conv.weight', 'first.bias', 'first.weight', 'norm.bias' and 4 more; the model calls one '

// Weights that are left as they are.
// RUN: relayc compile %S/../torch/weights/model.pt2 --params %S/../torch/weights/part-2.safetensors -o %t.so 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT: model.pt2: {{[0-9]+}} of {{[0-9]+}} weights are not in {{.*}}part-2.safetensors, and stay as the model's file has them: '

// What is no file of weights.
// RUN: not relayc compile %S/../torch/weights/model.pt2 --params %s -o %t.so 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: weights.mlir: no file of weights that is read: a file of safetensors, a list of files of safetensors, a state dictionary of PyTorch, a file of MXNet's arrays, a file of TVM's arrays

// A program with nothing but shapes needs them.
// RUN: not relayc compile %S/../torch/weights/shapes.pt2 -o %t.so 2>&1 | FileCheck %s --check-prefix=SHAPES
// SHAPES: shapes.pt2: {{.*}}--params
