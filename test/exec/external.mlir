// Models of which external code generators write the code, against ONNX Runtime: every rule makes a function, whatever is
// optimised.
// REQUIRES: time
// REQUIRES: dnnl
// RUN: %python %S/Inputs/external.py write %t.onnx %t.in.npz %t.expected.npz
// RUN: relayc compile %t.onnx --codegen=c --emit relay -o %t.c.mlir -q
// RUN: %python %S/Inputs/external.py used c %t.c.mlir
// RUN: relayc run %t.onnx --codegen=c --inputs %t.in.npz --outputs %t.c.npz -q
// RUN: relayc compile %t.onnx --codegen=dnnl --emit relay -o %t.dnnl.mlir -q
// RUN: %python %S/Inputs/external.py used dnnl %t.dnnl.mlir
// RUN: relayc run %t.onnx --codegen=dnnl --inputs %t.in.npz --outputs %t.dnnl.npz -q
// RUN: relayc run %t.onnx --codegen=dnnl --opt-level 0 --inputs %t.in.npz --outputs %t.plain.npz -q
// What the first one does not take is for the second one.
// RUN: relayc run %t.onnx --codegen=dnnl,c --inputs %t.in.npz --outputs %t.both.npz -q
// RUN: %python %S/Inputs/external.py check %t.expected.npz %t.c.npz %t.dnnl.npz %t.plain.npz %t.both.npz

// For two levels of a processor in one library, and as an object.
// RUN: relayc compile %t.onnx --codegen=c --target x86-64-v2,x86-64-v3 -o %t.so -q
// RUN: relayc run %t.so --inputs %t.in.npz --outputs %t.bundle.npz -q
// RUN: %python %S/Inputs/external.py check %t.expected.npz %t.bundle.npz
// RUN: relayc compile %t.onnx --codegen=c --emit object -o %t.o -q
// RUN: %llvm/llvm-nm --undefined-only %t.o | FileCheck %s --allow-empty --check-prefix=WHOLE
// WHOLE-NOT: relay_external
