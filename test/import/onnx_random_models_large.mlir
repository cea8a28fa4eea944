// As onnx_random_models.mlir, the networks that take longest.
// REQUIRES: release
// RUN: %python %S/../oracle/check_models.py %t --relayc relayc --random bvlc_alexnet densenet121 inception_v1 inception_v2 vgg19 zfnet512
// RUN: rm -rf %t
