// Operators of TensorFlow Lite beside LiteRT: of floats, of integers of 8 and 16 bits, and those that keep something from run to run; a branch
// and a loop; and a network for images of any size.
// REQUIRES: time
// RUN: %python %S/../oracle/tflite_operators.py %t
// RUN: %python %S/../oracle/check_tflite.py --relayc relayc %t/float.tflite %t/float_default.tflite %t/int8.tflite %t/int8_default.tflite
// RUN: %python %S/../oracle/check_tflite.py --relayc relayc %t/uint8.tflite %t/uint8_default.tflite %t/int16.tflite %t/int16_default.tflite %t/int16_tables.tflite
// RUN: %python %S/../oracle/tflite_scales.py %t
// RUN: %python %S/../oracle/check_tflite.py --relayc relayc %t/states.tflite --runs 3
// RUN: %python %S/../oracle/check_tflite.py --relayc relayc %t/control.tflite
// RUN: %python %S/../oracle/check_tflite.py --relayc relayc %t/open.tflite --shape x=2,9,7,3
// RUN: relayc inspect %t/states.tflite | FileCheck %s
// RUN: relay-translate --import-tflite %t/open.tflite | FileCheck %s --check-prefix=OPEN

// CHECK: svdf.state{{[0-9]+}}: float32[2, 24] of 0 at first -> f32[2, 24]
// CHECK: outputs:
// CHECK: svdf.state{{[0-9]+}}.next: float32[2, 24] -> f32[2, 24]

// The layout is the model's; the compiler changes it.
// OPEN: %arg0: tensor<?x?x?x3xf32, ["x_0", "x_1", "x_2"]> {relay.name = "x"}
// OPEN: relay.nn.conv2d {{.*}}data_layout = "NHWC"{{.*}}kernel_layout = "OHWI"
