// Convolutions of every kind that has a schedule of its own - packed, grouped, depthwise, with filled
// up channels, transposed, in one and three dimensions, of odd extents - against ONNX Runtime.
// REQUIRES: time
// RUN: %python %S/Inputs/convs.py make %t.onnx %t.in.npz
// RUN: relayc run %t.onnx --inputs %t.in.npz --outputs %t.out.npz
// RUN: relayc compile %t.onnx --target "x86_64-unknown-linux-gnu -mcpu=x86-64-v3" -o %t.so
// RUN: relayc run %t.so --inputs %t.in.npz --outputs %t.v3.npz
// RUN: %python %S/Inputs/convs.py check %t.onnx %t.in.npz %t.out.npz %t.v3.npz
