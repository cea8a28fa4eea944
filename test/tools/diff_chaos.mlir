// A quantised network of large gains differs from ONNX Runtime, but no node of it is wrong: the reference moves as far when one of its numbers
// moves by a step.
// REQUIRES: time
// RUN: rm -rf %t && %python %S/Inputs/chaos.py %t && cd %t
// RUN: relayc diff model.onnx --inputs x.npz --python %python --bisect | FileCheck %s
// RUN: relayc diff model.onnx --inputs x.npz --ref opt0 --bisect --json > opt0.json
// CHECK: q0 (QuantizeLinear): q0 <-- differs
// CHECK: y (DequantizeLinear): y <-- differs
// CHECK: no node alone differs by more than one step of its last quantisation
// CHECK-NEXT: chaotic: output 'y' differs by {{[1-9][0-9]+}}.{{[0-9]+}}% of its norm; the reference itself moves by {{.*}} in 'q0' (8 runs)
// CHECK-NOT: first difference

// A wrong node is named, whatever differs before it: as a node, in a fused kernel, and with another reference.
// RUN: not relayc diff model.onnx --inputs x.npz --python %python --bisect --insert-pass 'inject-fault{node=m9}' | FileCheck %s --check-prefix=WRONG
// RUN: not relayc diff model.onnx --inputs x.npz --python %python --insert-pass 'inject-fault{node=q9}' | FileCheck %s --check-prefix=NODE
// WRONG: q0 (QuantizeLinear): q0 <-- differs
// WRONG: first difference: node 'm9' (MatMul)
// WRONG-NEXT: the node alone differs there
// NODE: first difference: node 'q9' (QuantizeLinear)
