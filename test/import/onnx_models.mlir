// Whole networks: with the outputs that onnx ships, and with random weights against ONNX Runtime.
// RUN: %python %S/../oracle/light_models.py %t > %t.log 2>&1
// RUN: %python %S/../oracle/check_models.py %t --relayc relayc --random squeezenet shufflenet inception_v1 inception_v2 resnet50 densenet121
