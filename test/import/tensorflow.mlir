// Models of TensorFlow against what TensorFlow 2.21 computed of them (test/tensorflow/export.py): a frozen graph for each family of
// operators, and folders that TensorFlow and Keras wrote.
// REQUIRES: time
// RUN: %python %S/Inputs/programs.py %S/../tensorflow/programs .pb %t | FileCheck %s --check-prefix=GRAPHS
// GRAPHS: 13 programs: 13 agree
// RUN: %python %S/Inputs/programs.py %S/../tensorflow/programs .pbtxt %t | FileCheck %s --check-prefix=TEXTS
// TEXTS: 2 programs: 2 agree
// RUN: %python %S/Inputs/programs.py %S/../tensorflow/programs / %t | FileCheck %s --check-prefix=FOLDERS
// FOLDERS: 4 programs: 4 agree

// Inputs and outputs have the names of the signature, and images stay in their layout.
// RUN: relay-translate --import-tensorflow %S/../tensorflow/programs/network/saved_model.pb | FileCheck %s --check-prefix=MODULE
// MODULE: func.func @main(%{{.*}}: tensor<?x12x12x3xf32{{.*}} {relay.name = "image"}
// MODULE: relay.nn.conv2d
// MODULE-SAME: data_layout = "NHWC"

// RUN: relayc inspect %S/../tensorflow/programs/module | FileCheck %s --check-prefix=INSPECT
// INSPECT: float32[?, 4]
// INSPECT: signatures: {{.*}}serving_default
// INSPECT: StatefulPartitionedCall

// Signatures and outputs are chosen by name.
// RUN: relayc inspect %S/../tensorflow/programs/two --signature other --fetch rows | FileCheck %s --check-prefix=CHOSEN
// CHOSEN-NOT: scaled:
// CHOSEN: rows: float32[3, 4]
// CHOSEN-NOT: scaled:
// RUN: not relayc inspect %S/../tensorflow/programs/two --signature more 2>&1 | FileCheck %s --check-prefix=NO-SIGNATURE
// NO-SIGNATURE: it has no signature 'more', but '__saved_model_init_op', 'other', 'serving_default'
// RUN: not relayc inspect %S/../tensorflow/programs/two --fetch more 2>&1 | FileCheck %s --check-prefix=NO-OUTPUT
// NO-OUTPUT: signature 'serving_default' has no output 'more', but 'output_0'

// RUN: relayc inspect %S/../tensorflow/programs/unary.pb --fetch Exp --fetch out3:0 | FileCheck %s --check-prefix=FETCHED
// FETCHED: outputs:
// FETCHED-NEXT: Exp: {{.*}} -> f32[3, 4]
// FETCHED-NEXT: out3:0: {{.*}} -> f32[3, 4]
// FETCHED-NEXT: parameters
// RUN: not relayc inspect %S/../tensorflow/programs/unary.pb --fetch more 2>&1 | FileCheck %s --check-prefix=NO-NODE
// NO-NODE: output 'more'
// RUN: not relayc inspect %S/../keras/programs/network.keras --signature x 2>&1 | FileCheck %s --check-prefix=NO-CHOICE
// NO-CHOICE: --signature and --fetch are for models of TensorFlow
