// What the guides show is what happens.
// REQUIRES: time
// RUN: %package
// RUN: rm -rf %t && mkdir %t && cp %examples/digits/* %t
// RUN: cd %t && %doctest %examples/../docs/guide/python.md %examples/../docs/guide/onnxruntime.md \
// RUN:   %examples/../docs/guide/quantizing.md %examples/../docs/guide/relay_in_python.md \
// RUN:   %examples/../docs/guide/adding_an_operator_from_outside.md
