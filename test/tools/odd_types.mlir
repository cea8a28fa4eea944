// Types that no pass computes with - complex numbers, vectors, index, quantised and narrow numbers, what is not inferred -
// through each pass alone and through the compiler: nothing ends a tool, and a library that is written runs. One type of each
// four that are alike; odd_types_all.mlir has all.
// REQUIRES: time
// RUN: %python %S/Inputs/odd_types.py %t --each 4

// What is said of them is one sentence, wherever a tensor has no operator that would refuse it.
// RUN: not relayc compile %s -o %t.so 2>&1 | FileCheck %s
// CHECK: has a parameter or result of type tensor<4xcomplex<f32>>: complex<f32> is no element type; these are: i1, i8,
func.func @main(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  return %x : tensor<4xcomplex<f32>>
}
