// A library's constants are a segment of their own, to be read only, behind its code.
// RUN: relayc compile %s -o %t.so
// RUN: llvm-readelf --segments --section-headers %t.so | FileCheck %s
// RUN: relayc run %t.so --outputs %t.npz
// RUN: %python -c "import numpy; got = numpy.load('%t.npz')['y']; assert (got == numpy.arange(1.0, 33)).all(), got"

// CHECK: .weights PROGBITS [[ADDRESS:[0-9a-f]+]] [[OFFSET:[0-9a-f]+]] 000080 00 A
// CHECK: Program Headers:
// CHECK: LOAD {{.*}} RW
// CHECK: LOAD 0x[[OFFSET]] 0x[[ADDRESS]] 0x[[ADDRESS]] 0x000080 0x000080 R 0x10000
// CHECK-NOT: LOAD
func.func @main(%x: tensor<32xf32> {relay.name = "x"}) -> (tensor<32xf32> {relay.name = "y"}) {
  %c = relay.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0]> : tensor<32xf32>
  %s = relay.subtract %x, %x : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  %y = relay.add %s, %c : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  return %y : tensor<32xf32>
}
