// A function value that a program marks for a code generator: its code by that generator, by ours when it is taken back, and by
// hand.
// RUN: split-file %s %t
// RUN: relay-opt %t/marked.mlir --outline-compiler-functions-with-existing-global-symbols > %t/parts.mlir
// RUN: %python -c "import numpy, sys; numpy.savez(sys.argv[1], x=numpy.array([1, 2, 3, 4], 'f'))" %t/in.npz
// RUN: relayc run %t/parts.mlir --codegen=c --inputs %t/in.npz --outputs %t/c.npz
// RUN: relay-opt %t/parts.mlir --inline-compiler-functions-bound-to=functions=add_tens > %t/ours.mlir
// RUN: relayc run %t/ours.mlir --inputs %t/in.npz --outputs %t/ours.npz
// RUN: %python -c "import numpy, sys; print(*[numpy.load(path)['y'].tolist() for path in sys.argv[1:]])" %t/c.npz %t/ours.npz | FileCheck %s --check-prefix=RESULTS
// RESULTS: [11.0, 22.0, 33.0, 44.0] [11.0, 22.0, 33.0, 44.0]

// RUN: not relayc compile %t/parts.mlir -o %t/parts.so 2>&1 | FileCheck %s --check-prefix=WHOSE
// WHOSE: the module has functions for 'c'; name that generator: --codegen=c

// RUN: relay-opt %t/parts.mlir --mark-compiler-functions-as-extern > %t/twice.mlir
// RUN: relayc compile %t/twice.mlir --emit object -o %t/twice.o
// RUN: gcc -I %S/../../runtime/include %S/../../runtime/tests/c/object.c %t/add_tens.c %t/twice.o %runtime -lm -o %t/program
// RUN: %t/program | FileCheck %s --check-prefix=LINKED
// LINKED: 11 22 33 44

//--- marked.mlir
func.func @main(%x: tensor<4xf32> {relay.name = "x"}) -> (tensor<4xf32> {relay.name = "y"}) {
  %f = relay.fn(%y: tensor<4xf32>) -> tensor<4xf32> attributes {global_symbol = "add_tens", relay.compiler = "c"} {
    %c = relay.constant dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>
    %1 = relay.add %y, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    relay.yield %1 : tensor<4xf32>
  }
  %0 = relay.call %f(%x) : ((tensor<4xf32>) -> tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- add_tens.c
// The external kernel, written by hand: pointers to the inputs, then to the outputs.
void add_tens(const float *x, float *y) {
  for (int i = 0; i < 4; ++i)
    y[i] = x[i] + 10.0f * (float)(i + 1);
}
