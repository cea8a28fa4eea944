// What is in an ONNX model.
// RUN: relayc inspect %S/../../examples/digits/digits.onnx | FileCheck %s
// RUN: relayc compile %S/../../examples/digits/digits.onnx -o %t.so --target=-mcpu=x86-64-v3
// RUN: relayc inspect %t.so | FileCheck %s --check-prefix=LIBRARY
// RUN: relayc compile %S/../../examples/digits/digits.onnx -o %t.narrow.so --precision bf16
// RUN: relayc inspect %t.narrow.so | FileCheck %s --check-prefix=NARROW
// RUN: relayc compile %S/../../examples/digits/digits.onnx -o %t.object.so --emit object
// RUN: not relayc inspect %t.object.so 2>&1 | FileCheck %s --check-prefix=OBJECT
// RUN: not relayc inspect %t.nothing.so 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: cp %s %t.text.so
// RUN: not relayc inspect %t.text.so 2>&1 | FileCheck %s --check-prefix=TEXT
// A library for another processor is read as well. Nothing of it is run.
// RUN: relayc compile %S/../../examples/digits/digits.onnx -o %t.arm.o --emit object --target aarch64-unknown-linux-gnu
// RUN: llvm-objcopy --globalize-symbol=relay_descriptor_of_inspect_mlir_tmp_arm --set-symbol-visibility=relay_descriptor_of_inspect_mlir_tmp_arm=default --redefine-sym=relay_descriptor_of_inspect_mlir_tmp_arm=relay_model_descriptor %t.arm.o
// RUN: ld.lld -shared --defsym=relay_rt_create=0 --defsym=relay_rt_destroy=0 --defsym=relay_rt_run=0 --defsym=relay_rt_profile=0 --defsym=relay_rt_last_error=0 --defsym=relay_rt_watch=0 --defsym=relay_rt_output=0 --defsym=relay_rt_prepare=0 --defsym=relay_rt_parallel_for=0 %t.arm.o -o %t.arm.so
// RUN: relayc inspect %t.arm.so | FileCheck %s --check-prefix=ARM
// RUN: not relayc run %t.arm.so 2>&1 | FileCheck %s --check-prefix=ELSEWHERE

// ELSEWHERE: error[R0401]: cannot load {{.*}}.arm.so: it is for aarch64, and this machine is {{.*}}; check that
// ARM: target: aarch64-unknown-linux-gnu
// ARM: image: f32[1, 1, 8, 8]
// ARM: probabilities: f32[1, 10]
// ARM: weights: {{[1-9][0-9]+}} bytes

// CHECK: inputs:
// CHECK-NEXT: image: float[1, 1, 8, 8]
// CHECK: outputs:
// CHECK-NEXT: probabilities: float[1, 10]
// CHECK: parameters: 15
// CHECK: operators:
// CHECK: 3 Conv
// CHECK-NOT: not supported

// LIBRARY: target: {{.*}} -mcpu=x86-64-v3 (AVX2)
// LIBRARY-NEXT: precision: f32
// LIBRARY-NEXT: needs: {{.*}}avx2
// LIBRARY: inputs:
// LIBRARY-NEXT: image: f32[1, 1, 8, 8]
// LIBRARY-NEXT: outputs:
// LIBRARY-NEXT: probabilities: f32[1, 10]
// LIBRARY-NEXT: weights: {{[1-9][0-9]+}} bytes
// LIBRARY-NEXT: arena: {{[1-9][0-9]+}} bytes
// LIBRARY-NEXT: code: {{[1-9][0-9]+}} bytes
// LIBRARY-NEXT: file: {{[1-9][0-9]+}} bytes

// NARROW: precision: bf16
// NARROW: image: f32[1, 1, 8, 8]

// OBJECT: error{{.*}}: {{.*}}object.so
// NOTHING: error{{.*}}: {{.*}}.nothing.so: No such file or directory
// TEXT: error{{.*}}: {{.*}}.text.so: it is no library
