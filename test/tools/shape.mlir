// Dimensions that an ONNX model leaves open are given by --shape.
// REQUIRES: time
// RUN: %python %S/Inputs/open_shape.py %t.onnx
// RUN: relayc compile %t.onnx --emit relay 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: relayc compile %t.onnx -o %t.so 2>&1 | FileCheck %s --check-prefix=NOTE
// RUN: relayc bench %t.onnx --repeat 1 2>&1 | FileCheck %s --check-prefix=ONES
// RUN: relayc compile %t.onnx --emit relay --shape x=4,3 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: relayc inspect %t.onnx --shape x=4,3 --shape z=1,3 | FileCheck %s --check-prefix=INSPECT
// RUN: relayc inspect %t.onnx --shape x=4,3 --shape z=1,3 --nodes | FileCheck %s --check-prefix=NODES
// RUN: relayc bench %t.onnx --shape x=4,3 --repeat 1 --explain | FileCheck %s --check-prefix=BENCH
// RUN: not relayc compile %t.onnx --shape x=4 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not relayc compile %t.onnx --shape x=4,-3 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not relayc compile %t.onnx --shape other=4,3 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not relayc compile %s --shape x=4,3 2>&1 | FileCheck %s --check-prefix=MLIR

// OPEN-NOT: WARN
// OPEN: %arg0: tensor<?x3xf32, ["N"]> {{.*}}%arg1: tensor<?x3xf32, ["N"]> {{.*}}%arg2: tensor<?x3xf32, ["z_0"]>
// NOTE: open dimensions: N, z_0; --dim and --shape fix or bound them
// The warning is text where it is no terminal that shows it.
// ONES: {{^ *}}WARN input 'x': dimension 0 (N); input 'z': dimension 0 (?) are unknown and taken to be 1; set them with --shape x=... --shape z=...

// The other input's dimension has the same name; the third is -1 in the file.
// GIVEN: %arg0: tensor<4x3xf32> {{.*}}%arg1: tensor<4x3xf32> {{.*}}%arg2: tensor<?x3xf32, ["z_0"]>

// INSPECT: FLOPs: 24
// INSPECT-NOT: nodes:

// Where the dimension goes.
// NODES: nodes:
// NODES-NEXT: Add_0: add -> f32[4, 3]
// NODES-NEXT: Add_1: add -> f32[4, 3]
// BENCH: median
// BENCH: FMA peak:
// RANK: error{{.*}}: {{.*}}.onnx: input 'x': the shape given, [4], is not one of float[N, 3]
// NUMBER: '-3' is no size
// NAME: a shape or value is given for 'other', which is no input; the inputs are x, y, z
// MLIR: shape.mlir: the types of its function say the shapes; --shape is for files of other frameworks
