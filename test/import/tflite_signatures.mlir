// Signatures of models of TensorFlow Lite, beside LiteRT's runner of them.
// REQUIRES: time
// RUN: %python %S/../oracle/tflite_signatures.py %t

// RUN: relayc inspect %t/one.tflite | FileCheck %s --check-prefix=ONE
// ONE: inputs:
// ONE-NEXT: first: float32[2, 3]
// ONE-NEXT: second: float32[2, 3]
// ONE-NEXT: outputs:
// ONE-NEXT: all: float32[2, 3]
// ONE-NEXT: rest: float32[2, 3]
// ONE-NEXT: signatures: only

// RUN: relayc inspect %t/two.tflite --signature prefill --fetch rest | FileCheck %s --check-prefix=CHOSEN
// CHOSEN: first: float32[5, 4]
// CHOSEN-NOT: all:
// CHOSEN: rest: float32[5, 4]
// CHOSEN: signatures: decode, prefill

// RUN: not relayc inspect %t/two.tflite 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: two.tflite: it has no signature 'serving_default', but 'decode', 'prefill'; choose one with --signature
// RUN: not relayc inspect %t/one.tflite --signature more 2>&1 | FileCheck %s --check-prefix=NO-SIGNATURE
// NO-SIGNATURE: it has no signature 'more', but 'only'
// RUN: not relayc inspect %t/one.tflite --fetch more 2>&1 | FileCheck %s --check-prefix=NO-OUTPUT
// NO-OUTPUT: it has no output 'more', but 'all', 'rest'
