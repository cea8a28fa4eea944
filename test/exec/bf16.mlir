// Products of bf16 with sums of f32: a convolutional network and one with attention against ONNX
// Runtime's f32, for this machine, for one whose instructions do not round to bf16, and without fusion.
// REQUIRES: time
// RUN: relayc run %examples/digits/digits.onnx --precision bf16 --opt-level 1 --target x86-64-v3
// RUN: %python %S/Inputs/narrow.py make %t bf16
// RUN: relayc run %t.convolutions.onnx --precision bf16 --inputs %t.convolutions.in.npz --outputs %t.convolutions.0.npz
// RUN: relayc run %t.convolutions.onnx --precision bf16 --opt-level 0 --inputs %t.convolutions.in.npz --outputs %t.convolutions.1.npz
// RUN: relayc compile %t.convolutions.onnx --precision bf16 --target "x86_64-unknown-linux-gnu -mcpu=x86-64-v3" -o %t.so
// RUN: relayc run %t.so --inputs %t.convolutions.in.npz --outputs %t.convolutions.2.npz
// RUN: %python %S/Inputs/narrow.py check %t convolutions 3 bf16
// RUN: relayc run %t.attention.onnx --precision bf16 --inputs %t.attention.in.npz --outputs %t.attention.0.npz
// RUN: relayc run %t.attention.onnx --precision bf16 --opt-level 0 --inputs %t.attention.in.npz --outputs %t.attention.1.npz
// RUN: relayc compile %t.attention.onnx --precision bf16 --target "x86_64-unknown-linux-gnu -mcpu=x86-64-v3" -o %t.so
// RUN: relayc run %t.so --inputs %t.attention.in.npz --outputs %t.attention.2.npz
// RUN: %python %S/Inputs/narrow.py check %t attention 3 bf16
// RUN: relayc run %t.few_keys.onnx --precision bf16 --inputs %t.few_keys.in.npz --outputs %t.few_keys.0.npz
// RUN: %python %S/Inputs/narrow.py check %t few_keys 1 bf16

// Threads share the work, and not the sums.
// RUN: relayc run %t.so --threads 2 --inputs %t.attention.in.npz --outputs %t.two.npz
// RUN: cmp %t.attention.2.npz %t.two.npz

// Of what is stored, half.
// RUN: relayc compile %t.attention.onnx -o %t.f32.so
// RUN: %python %S/Inputs/narrow.py sizes %t.so %t.f32.so
