// The wheel, installed in an environment of its own, compiles and runs a model there. It is made of what cargo built
// for development, and not compressed.
// REQUIRES: package
// RUN: rm -rf %t
// RUN: %wheel --output %t/wheels --level 0
// RUN: %python %examples/../python/tests/check_wheel.py %t/wheels %t --llvm %llvm/.. | FileCheck %s
// RUN: rm -rf %t
// CHECK: installed, compiled and run in
// CHECK: the numbers are ONNX Runtime's
