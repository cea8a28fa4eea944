// What nodes compute, and the first that computes no number, or an infinite one.
// RUN: %python %S/Inputs/infinite.py %t.onnx %t.npz
// RUN: rm -rf %t.dump && relayc run %t.onnx --inputs %t.npz --dump 'q*' --dump siz? --dump-to %t.dump 2>&1 | FileCheck %s
// RUN: %python -c "import numpy, sys; print({name: list(map(float, array)) for name, array in numpy.load(sys.argv[1]).items()})" %t.dump/tensors.npz | FileCheck %s --check-prefix=VALUES
// RUN: not relayc run %t.onnx --inputs %t.npz --watch nan 2>&1 | FileCheck %s --check-prefix=NAN
// RUN: not relayc run %t.onnx --inputs %t.npz --watch nan,inf 2>&1 | FileCheck %s --check-prefix=INF
// RUN: relayc run %S/../../examples/tour/layer.mlir --watch nan,inf
// RUN: not relayc run %t.onnx --dump nothing 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not relayc run %t.so --dump relu 2>&1 | FileCheck %s --check-prefix=LIBRARY

// CHECK: wrote 2 tensors to {{.*}}.dump/tensors.npz
// VALUES: {'quotient_result': [inf, inf, inf, inf], 'size_result': [inf, inf, inf, inf]}
// NAN: error{{.*}}: {{.*}}: node 'difference' (Sub): element 0 of y is NaN
// INF: error{{.*}}: {{.*}}: node 'quotient' (Div): element 0 of quotient_result is inf
// NOTHING: error{{.*}}: {{.*}}: no node fits --dump; there are relu, quotient, size, difference
// LIBRARY: error{{.*}}: {{.*}}.so: a library has no tensors but its outputs
