// The examples in C and C++ read digits that the network has not seen.
// REQUIRES: time
// RUN: rm -rf %t && mkdir %t && relayc runtime %t
// RUN: relayc compile %examples/digits/digits.onnx --emit object -o %t/digits.o
// RUN: relayc compile %examples/digits/digits.onnx -o %t/digits.so
// RUN: %python %S/Inputs/digits.py images > %t/images

// RUN: clang -Wall -Wextra -Werror -I %t %examples/c/reader.c %t/digits.o %t/librelay_runtime.a -lm -o %t/linked
// RUN: %t/linked < %t/images | %python %S/Inputs/digits.py score | FileCheck %s
// A program that is linked with a library finds it by its name, wherever the two lie.
// RUN: llvm-readobj --dynamic-table %t/digits.so | FileCheck %s --check-prefix=NAME
// RUN: cd %t && clang -Wall -Wextra -Werror -I . %examples/c/reader.c digits.so -Wl,-rpath,'$ORIGIN' -o shared
// RUN: mkdir %t/moved && mv %t/digits.so %t/shared %t/moved
// RUN: cd / && %t/moved/shared < %t/images | %python %S/Inputs/digits.py score | FileCheck %s
// RUN: mv %t/moved/digits.so %t
// NAME: SONAME Library soname: [digits.so]
// RUN: clang++ -std=c++17 -Wall -Wextra -Werror -I %t %examples/cpp/reader.cpp -o %t/loaded
// RUN: %t/loaded %t/digits.so < %t/images | %python %S/Inputs/digits.py score | FileCheck %s
// RUN: not %t/loaded %t/nothing.so 2>&1 | FileCheck %s --check-prefix=MISSING
// CHECK: {{(19[0-9]|200)}} of 200 are right
// MISSING: error{{.*}}: {{.*}}nothing.so: cannot open shared object file
