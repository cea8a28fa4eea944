// Models of TensorFlow against what TensorFlow 2.21 computed of them (test/tensorflow/export.py): a frozen graph for each family of
// operators, and folders that TensorFlow and Keras wrote.
// RUN: %python %S/Inputs/programs.py %S/../tensorflow/programs .pb %t | FileCheck %s --check-prefix=GRAPHS
// GRAPHS: 12 programs: 12 agree
// RUN: %python %S/Inputs/programs.py %S/../tensorflow/programs / %t | FileCheck %s --check-prefix=FOLDERS
// FOLDERS: 4 programs: 4 agree

// Inputs and outputs have the names of the signature, and images stay in their layout.
// RUN: relay-translate --import-tensorflow %S/../tensorflow/programs/network/saved_model.pb | FileCheck %s --check-prefix=MODULE
// MODULE: func.func @main(%{{.*}}: tensor<?x12x12x3xf32{{.*}} {relay.name = "image"}
// MODULE: relay.nn.conv2d
// MODULE-SAME: data_layout = "NHWC"

// RUN: relayc inspect %S/../tensorflow/programs/module | FileCheck %s --check-prefix=INSPECT
// INSPECT: float32[?, 4]
// INSPECT: StatefulPartitionedCall
