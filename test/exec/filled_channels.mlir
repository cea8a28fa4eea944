// Channels that fill up blocks are multiplied by zeros in the next convolution, and must be finite there,
// whatever stands in between; against ONNX Runtime.
// REQUIRES: time
// RUN: %python %S/Inputs/filled_channels.py make %t.onnx %t.in.npz
// RUN: relayc run %t.onnx --inputs %t.in.npz --outputs %t.out.npz
// RUN: relayc compile %t.onnx --target "x86_64-unknown-linux-gnu -mcpu=x86-64-v3" -o %t.so
// RUN: relayc run %t.so --inputs %t.in.npz --outputs %t.v3.npz
// RUN: %python %S/Inputs/filled_channels.py check %t.onnx %t.in.npz %t.out.npz %t.v3.npz
