// Networks of f16 with sums of f32 against ONNX Runtime's f32: convolutions, attention, and other operators. For this machine, for one with
// shorter vectors, for one without instructions on f16, and without fusion.
// REQUIRES: time
// RUN: %python %S/Inputs/narrow.py make %t f16
// RUN: relayc run %t.convolutions.onnx --inputs %t.convolutions.in.npz --outputs %t.convolutions.0.npz
// RUN: relayc run %t.convolutions.onnx --opt-level 0 --inputs %t.convolutions.in.npz --outputs %t.convolutions.1.npz
// RUN: relayc run %t.convolutions.onnx --target x86-64-v3 --inputs %t.convolutions.in.npz --outputs %t.convolutions.2.npz
// RUN: relayc run %t.convolutions.onnx --target x86-64-v2 --inputs %t.convolutions.in.npz --outputs %t.convolutions.3.npz
// RUN: %python %S/Inputs/narrow.py check %t convolutions 4 f16
// RUN: relayc run %t.attention.onnx --inputs %t.attention.in.npz --outputs %t.attention.0.npz
// RUN: relayc run %t.attention.onnx --opt-level 0 --inputs %t.attention.in.npz --outputs %t.attention.1.npz
// RUN: relayc run %t.attention.onnx --target x86-64-v3 --inputs %t.attention.in.npz --outputs %t.attention.2.npz
// RUN: relayc run %t.attention.onnx --target x86-64-v2 --inputs %t.attention.in.npz --outputs %t.attention.3.npz
// RUN: %python %S/Inputs/narrow.py check %t attention 4 f16
// RUN: relayc run %t.others.onnx --inputs %t.others.in.npz --outputs %t.others.0.npz
// RUN: relayc run %t.others.onnx --opt-level 0 --inputs %t.others.in.npz --outputs %t.others.1.npz
// RUN: relayc run %t.others.onnx --target x86-64-v3 --inputs %t.others.in.npz --outputs %t.others.2.npz
// RUN: relayc run %t.others.onnx --target x86-64-v2 --inputs %t.others.in.npz --outputs %t.others.3.npz
// RUN: %python %S/Inputs/narrow.py check %t others 4 f16

// Threads share the work, and not the sums.
// RUN: relayc run %t.attention.onnx --threads 2 --inputs %t.attention.in.npz --outputs %t.two.npz
// RUN: cmp %t.attention.0.npz %t.two.npz

// An attention of f16 is one kernel.
// RUN: relayc compile %t.attention.onnx --emit relay | FileCheck %s
// CHECK: func.func private @fused_batch_matmul_multiply_softmax_batch_matmul({{.*}}xf16>

// --precision bf16 narrows f32, and says so where there is none.
// RUN: relayc run %t.attention.onnx --precision bf16 --inputs %t.attention.in.npz --outputs %t.same.npz 2>&1 | FileCheck %s --check-prefix=BF16
// RUN: cmp %t.attention.0.npz %t.same.npz
// BF16: --precision bf16 changes nothing: no convolution or matrix product of the model reads f32
