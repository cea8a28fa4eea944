// What is read may be compressed, and what is written may go through a pipe; a pipe cannot be read, because arrays are
// looked up in it.
// RUN: rm -rf %t && mkdir %t && relayc compile %s -o %t/m.so
// RUN: %python -c 'import numpy, sys; numpy.savez_compressed(sys.argv[1], x=numpy.arange(254, 258).astype("u1"), h=numpy.float16([1, 0.1]))' %t/in.npz
// RUN: relayc run %t/m.so --inputs %t/in.npz --outputs - | cat > %t/out.npz
// RUN: %python -c 'import numpy, sys; f = numpy.load(sys.argv[1]); print(f["y"], f["y"].dtype, f["g"] == numpy.float16([1, 0.1]) + numpy.float16(1), f["g"].dtype)' %t/out.npz | FileCheck %s
// CHECK: [255 0 1 2] uint8 [ True True] float16
// Without a file for them, the outputs are described; what else was asked for is printed alone.
// RUN: relayc run %t/m.so --inputs %t/in.npz | FileCheck %s --check-prefix=SUMMARY
// SUMMARY: y: tensor<4xui8>[255, 0, 1, 2], from 0 to 255
// SUMMARY-NEXT: g: tensor<2xf16>[2, 1.0996094], from 1.099609375 to 2
// RUN: relayc run %t/m.so --inputs %t/in.npz --print-time --repeat 1 | FileCheck %s --check-prefix=TIMED
// TIMED-NOT: tensor
// TIMED: median
// TIMED-NOT: tensor
// RUN: relayc bench %t/m.so --repeat 3 | FileCheck %s --check-prefix=BENCH
// BENCH: median {{.*}} over 3 runs
// BENCH-NOT: kernel
// RUN: not relayc bench %t/m.so --explain 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: m.so is compiled already, and --explain and --html look at the model; name that
// RUN: not relayc bench %t/m.so --precision bf16 2>&1 | FileCheck %s --check-prefix=HOW
// HOW: m.so is compiled already, and --precision says how to compile
// RUN: mkfifo %t/pipe
// RUN: not relayc run %t/m.so --inputs %t/pipe 2>&1 | FileCheck %s --check-prefix=PIPE
// PIPE: pipe: not a regular file, in which arrays can be looked up
func.func @main(%x: tensor<4xui8> {relay.name = "x"}, %h: tensor<2xf16> {relay.name = "h"})
    -> (tensor<4xui8> {relay.name = "y"}, tensor<2xf16> {relay.name = "g"}) {
  %one = relay.constant dense<1> : tensor<ui8>
  %0 = relay.add %x, %one : (tensor<4xui8>, tensor<ui8>) -> tensor<4xui8>
  %f = relay.constant dense<1.0> : tensor<f16>
  %1 = relay.add %h, %f : (tensor<2xf16>, tensor<f16>) -> tensor<2xf16>
  return %0, %1 : tensor<4xui8>, tensor<2xf16>
}
