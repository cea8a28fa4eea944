// A fault in each of the 20 nodes of a network, and in those of fused kernels, is named.
// REQUIRES: time
// RUN: rm -rf %t && %python %S/Inputs/faults.py %t | FileCheck %s --check-prefix=FAULTS
// FAULTS: 27 of 27 faults are named, 27 differ alone

// ONNX Runtime as the reference, and without bisection.
// RUN: relayc diff %t/model.onnx --python %python | FileCheck %s --check-prefix=RIGHT
// RIGHT: max abs max rel max ULP beyond node (operator): tensor
// RIGHT: 0/{{[0-9]+}} conv0 (Conv): conv0_result
// RIGHT-NOT: differs
// RIGHT: 0/10 abs0 (Abs): abs0_result
// RIGHT: no tensor differs

// RUN: cd %t && not relayc diff model.onnx --python %python --insert-pass 'inject-fault{node=pool0}' --reproducer pool 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: 0/{{[0-9]+}} relu1 (Relu): relu1_result
// WRONG-NEXT: 288/288 pool0 (MaxPool): pool0_result <-- differs
// WRONG: first difference: node 'pool0' (MaxPool)
// WRONG: wrote pool: the node alone differs there
// WRONG: error{{.*}}: model.onnx: node 'pool0' (MaxPool) differs

// The folder shows the fault without the model.
// RUN: cd %t/pool && not relayc diff node.mlirbc --inputs inputs.npz --ref expected.npz --insert-pass 'inject-fault{node=pool0}' 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: cd %t/pool && relayc diff node.mlirbc --inputs inputs.npz --ref expected.npz | FileCheck %s --check-prefix=FINE
// RUN: FileCheck %s --check-prefix=README --input-file=%t/pool/README.txt
// ALONE: error{{.*}}: node.mlirbc: node 'pool0' (nn.max_pool2d) differs
// FINE: no tensor differs
// README: relayc diff node.mlirbc --inputs inputs.npz --ref expected.npz {{.*}}--target 'native' {{.*}}--insert-pass 'inject-fault{node=pool0}'

// Other references: the model without optimisations, for f32, a library, another model.
// RUN: relayc diff %t/model.onnx --ref opt0 | FileCheck %s --check-prefix=FINE
// RUN: relayc diff %t/model.onnx --ref f32 --precision bf16 | FileCheck %s --check-prefix=FINE
// RUN: relayc compile %t/model.onnx -o %t/model.so
// RUN: relayc diff %t/model.onnx --ref %t/model.so | FileCheck %s --check-prefix=FINE
// RUN: relayc diff %t/model.onnx --ref %t/model.onnx | FileCheck %s --check-prefix=FINE

// What is missing is said with what to do.
// RUN: not relayc diff %t/model.onnx --python /nowhere/python 2>&1 | FileCheck %s --check-prefix=NO-PYTHON
// RUN: not relayc diff %t/model.onnx --python python3 2>&1 | FileCheck %s --check-prefix=NO-ORT
// RUN: not relayc diff %t/model.onnx --ref nothing 2>&1 | FileCheck %s --check-prefix=NO-REF
// RUN: not relayc diff %t/model.onnx --insert-pass 'nothing:cse' 2>&1 | FileCheck %s --check-prefix=NO-PASS
// NO-PYTHON: error{{.*}}: /nowhere/python: cannot be run: {{.*}}; name a Python with --python or RELAY_PYTHON
// NO-ORT: error{{.*}}: python3: cannot import {{.*}}; install onnxruntime
// NO-REF: 'nothing' is no reference: it is onnxruntime, f32, opt0, or a file
// NO-PASS: there is no pass 'nothing' to insert one behind
