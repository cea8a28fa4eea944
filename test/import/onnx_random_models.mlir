// The same networks with seeded random weights, against ONNX Runtime, at one and two threads.
// REQUIRES: time
// RUN: %python %S/../oracle/check_models.py %t --relayc relayc --random bvlc_alexnet densenet121 inception_v1 inception_v2 resnet50 shufflenet squeezenet vgg19 zfnet512
// RUN: rm -rf %t
