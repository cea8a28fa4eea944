// Names of inputs and outputs may be any text. Where one holds a NUL, which C ends its strings with, the library has the
// picture of it; what is returned twice under one name is in the file once.
// RUN: relayc run %s --outputs %t.npz
// RUN: %python -c 'import numpy, sys; print(sorted(numpy.load(sys.argv[1]).keys()))' %t.npz | FileCheck %s
// RUN: relayc compile %s -o %t.so && relayc inspect %t.so | FileCheck %s --check-prefix=INSPECT
// CHECK: ['same', 'y␀a', 'y␀b']
// INSPECT: x␀: f32[2]
func.func @main(%x: tensor<2xf32> {relay.name = "x\00"})
    -> (tensor<2xf32> {relay.name = "y\00a"}, tensor<2xf32> {relay.name = "y\00b"},
        tensor<2xf32> {relay.name = "same"}, tensor<2xf32> {relay.name = "same"}) {
  %0 = relay.nn.relu %x : (tensor<2xf32>) -> tensor<2xf32>
  %1 = relay.exp %x : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1, %0, %0 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
