// Whoever takes the least time computes what external code generators take: the results are ONNX Runtime's, and the second
// compilation, which knows all times, places all in the same way.
// REQUIRES: dnnl, time
// RUN: %python %S/Inputs/external.py write %t.onnx %t.in.npz %t.expected.npz products
// RUN: relayc compile %t.onnx --codegen=dnnl,c --placement=measured --emit relay -o %t.first.mlir -q
// RUN: relayc compile %t.onnx --codegen=dnnl,c --placement=measured --emit relay -o %t.second.mlir -q
// RUN: diff %t.first.mlir %t.second.mlir
// RUN: relayc run %t.onnx --codegen=dnnl,c --placement=measured --inputs %t.in.npz --outputs %t.npz -q
// RUN: %python %S/Inputs/external.py check %t.expected.npz %t.npz
