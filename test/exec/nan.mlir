// NaN stays NaN, and sums keep the digits of small terms: against numpy.
// RUN: %python %S/Inputs/nan.py make %t.onnx %t.in.npz
// RUN: relayc run %t.onnx --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/nan.py check %t.in.npz %t.out.npz
