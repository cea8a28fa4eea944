// Models of Keras against what Keras 3 computed of them (test/keras/export.py): one for each family of layers, and a network.
// REQUIRES: time
// RUN: %python %S/Inputs/programs.py %S/../keras/programs .keras %t | FileCheck %s
// CHECK: 12 programs: 12 agree
// RUN: %python %S/Inputs/programs.py %S/../keras/programs .h5 %t | FileCheck %s --check-prefix=LEGACY
// LEGACY: 3 programs: 3 agree

// Descriptions with files of weights beside them, as Keras 3 and Keras 2 write them.
// RUN: %python %S/Inputs/programs.py %S/../keras/described .json %t | FileCheck %s --check-prefix=DESCRIBED
// DESCRIBED: 2 programs: 2 agree

// RUN: cp %S/../keras/described/network.json %t.alone.json
// RUN: not relayc compile %t.alone.json -o %t.so 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: it has layers only, and there are no weights beside it: write them with model.save_weights("keras.mlir.tmp.alone.weights.h5"); keras.mlir.tmp.alone.h5 would be read, too

// RUN: relay-translate --import-keras %S/../keras/programs/network.keras | FileCheck %s --check-prefix=MODULE
// MODULE: func.func @main(%{{.*}}: tensor<?x8x8x3xf32{{.*}}> {relay.name = "a"}
// MODULE: relay.nn.conv2d

// The first dimension of all inputs has one name.
// RUN: relayc inspect %S/../keras/programs/network.keras --dim batch=2 | FileCheck %s --check-prefix=INSPECT
// INSPECT: a: <f4[batch, 8, 8, 3]
// INSPECT: Conv2D

// Layers that are not supported are named, all at once, with what to do.
// RUN: not relayc compile %S/../keras/unsupported.keras -o %t.so 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: 2 nodes are not supported
// REFUSED: Lambda 'code': it is Python code, which is never executed
// REFUSED: Custom 'own': the layer is not supported

// A file of weights alone says so.
// RUN: not relayc compile %S/../keras/weights.h5 -o %t.so 2>&1 | FileCheck %s --check-prefix=WEIGHTS
// WEIGHTS: the file has weights only
