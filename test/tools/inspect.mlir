// What is in an ONNX model.
// RUN: relayc inspect %S/../../examples/digits/digits.onnx | FileCheck %s

// CHECK: inputs:
// CHECK-NEXT: image: float[1, 1, 8, 8]
// CHECK: outputs:
// CHECK-NEXT: probabilities: float[1, 10]
// CHECK: parameters: 15
// CHECK: operators:
// CHECK: 3 Conv
// CHECK-NOT: not supported
