// Models of TensorFlow Lite with other bytes at some places are taken, or refused with a message.
// REQUIRES: time
// RUN: %python %S/Inputs/tflite_damaged.py %t 40 | FileCheck %s
// RUN: not relayc inspect %t/short.tflite 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not relayc inspect %t/other.tflite 2>&1 | FileCheck %s --check-prefix=OTHER
// CHECK: 40 files are taken or refused

// SHORT: short.tflite: not a TensorFlow Lite model, or a damaged one: what is at byte {{[0-9]+}} leads out of the file
// OTHER: other.tflite: not a TensorFlow Lite model, or a damaged one: bytes 4 to 7 are not the identifier TFL3
