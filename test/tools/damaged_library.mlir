// A library that was cut short or changed is refused with a reason, before the system's loader sees it.
// REQUIRES: time
// RUN: rm -rf %t && mkdir -p %t/damaged
// RUN: relayc compile %S/../../examples/digits/digits.onnx -o %t/digits.so --target x86-64-v2
// RUN: relayc run %t/digits.so
// RUN: %python -B %S/Inputs/damaged_library.py %t/digits.so %t/damaged | FileCheck %s
// A library that is no model; one whose sections somebody has taken away, which the loader does not need.
// RUN: echo "int answer(void) { return 42; }" | clang -x c -shared -fuse-ld=lld - -o %t/other.so
// RUN: not relayc run %t/other.so 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: echo "__thread int other = 1; int answer(void) { return other; }" | clang -x c -shared -fPIC -ftls-model=initial-exec -fuse-ld=lld - -o %t/other.so
// RUN: not relayc run %t/other.so 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: llvm-strip --strip-sections -o %t/stripped.so %t/digits.so
// RUN: relayc run %t/stripped.so

// OTHER: error[R0402]: {{.*}}other.so is not a model for this runtime: it has no symbol relay_model_descriptor; compile the model again

// CHECK: cut-0: error[R0401]: cannot load cut-0.so: it is empty; check that the file is a library made by this compiler for this machine
// CHECK-NEXT: cut-3: error[R0401]: {{.*}}: it is no library
// CHECK-NEXT: cut-40: error[R0406]: cut-40.so is damaged: it ends after 40 bytes, in its header; copy it once more from where it came from, or compile the model again
// CHECK-NEXT: cut-64: error[R0406]: {{.*}}: its {{[0-9]+}} segments are listed at byte 64, and it has 64 bytes
// CHECK-NEXT: cut-600: error[R0406]: {{.*}}: it ends after 600 bytes, before its table of sections does
// CHECK-NEXT: cut-half: error[R0406]: {{.*}}: it ends after
// CHECK-NEXT: cut-last: error[R0406]: {{.*}}: it ends after {{[0-9]+}} bytes, in segment
// CHECK-NEXT: text: error[R0401]: {{.*}}: it is no library (no ELF file)
// CHECK-NEXT: folder: error[R0401]: {{.*}}: it is a folder
// CHECK-NEXT: aarch64: error
// CHECK-NEXT: sparc: error[R0401]: {{.*}}: it is for machine 43 of the ELF format, which no model is made for
// CHECK-NEXT: narrow: error[R0401]: {{.*}}: it is for no machine of 64 bits
// CHECK-NEXT: object: error[R0401]: {{.*}}: it is an object, which programs are linked with
// CHECK-NEXT: future: error[R0406]

// CHECK-NEXT: version: error[R0402]: version.so is not a model for this runtime: it has version 77 of the interface, this is {{[0-9]+}}; compile the model again
// CHECK-NEXT: n_inputs-many: error[R0406]: {{.*}}: there are no 2147483648 inputs at address
// CHECK-NEXT: n_outputs-many: error[R0406]: {{.*}}: there are no 2147483648 outputs at address
// CHECK-NEXT: n_nodes-many: error[R0406]: {{.*}}: there are no 2147483648 names of nodes at address
// CHECK-NEXT: inputs-more: error[R0406]
// CHECK-NEXT: arena: error[R0406]: {{.*}}: a run of it works in 9223372036854775808 bytes
// CHECK-NEXT: weights: error[R0406]: {{.*}}: there are no 1099511627776 bytes of constants at address
// CHECK-NEXT: rank: error[R0406]: {{.*}}: there are no 2147483648 dimensions at address
// CHECK-NEXT: rank-more: error[R0406]
// CHECK-NEXT: negative: error[R0406]: {{.*}}: tensor 'image' has the shape [-1, 1, 8, 8]
// CHECK-NEXT: product: error[R0406]: {{.*}}: tensor 'image' has the shape [1099511627776, 1099511627776, 8, 8]
// CHECK-NEXT: dtype: error[R0406]: {{.*}}: tensor 'probabilities' has the unknown type 'f99'
// CHECK-NEXT: name: error[R0406]: {{.*}}: it has no function ?igits_create
// CHECK-NEXT: name-nowhere: error[R0406]: {{.*}}: a pointer points to address 0x10000000000, where nothing is
// CHECK-NEXT: name-number: error[R0406]: {{.*}}: a relocation is of the unknown type 0
// CHECK-NEXT: target-nowhere: error[R0406]
// CHECK-NEXT: target-number: error[R0406]
// CHECK-NEXT: precision-nowhere: error[R0406]
// CHECK-NEXT: precision-number: error[R0406]
// CHECK-NEXT: features-nowhere: error[R0406]
// CHECK-NEXT: features-number: error[R0406]
// CHECK-NEXT: inputs-nowhere: error[R0406]
// CHECK-NEXT: inputs-number: error[R0406]
// CHECK-NEXT: outputs-nowhere: error[R0406]
// CHECK-NEXT: outputs-number: error[R0406]
// CHECK-NEXT: weights-nowhere: error[R0406]
// CHECK-NEXT: weights-number: error[R0406]
// CHECK-NEXT: run_graph-nowhere: error[R0406]
// CHECK-NEXT: run_graph-number: error[R0406]
// CHECK-NEXT: inputs-odd: error[R0406]: {{.*}}: there are no 1 inputs at address
// CHECK-NEXT: run_graph-data: error[R0406]: {{.*}}: there is no code at address
// CHECK-NEXT: weights-code: error[R0406]: {{.*}}: there are no {{[0-9]+}} bytes of constants at address
// CHECK-NEXT: tables: {{[1-9][0-9]}} wrong numbers were refused
