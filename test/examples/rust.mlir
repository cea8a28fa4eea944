// A Rust program that compiles its network when it is built, and runs any library on four threads.
// RUN: rm -rf %t && mkdir %t
// RUN: cd %examples/rust && env RELAYC=%tools/relayc cargo build --quiet --offline --target-dir %target
// RUN: relayc compile %examples/digits/digits.onnx -o %t/digits.so
// RUN: %python %S/Inputs/digits.py images > %t/images
// RUN: %target/debug/reader < %t/images | %python %S/Inputs/digits.py score | FileCheck %s
// RUN: %target/debug/reader %t/digits.so < %t/images | %python %S/Inputs/digits.py score | FileCheck %s
// CHECK: {{(19[0-9]|200)}} of 200 are right

// What goes wrong says why.
// RUN: relayc compile %s -o %t/other.so
// RUN: not %target/debug/reader %t/other.so < %t/images 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: there is no input 'image', only x
// RUN: not %target/debug/reader %t/nothing.so < %t/images 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: cannot load {{.*}}nothing.so
// RUN: not env RELAYC=%t/nothing cargo build --quiet --offline --manifest-path %examples/rust/Cargo.toml --target-dir %target 2>&1 | FileCheck %s --check-prefix=COMPILER
// COMPILER: cannot run {{.*}}nothing: {{.*}}; install relay-mlir, or set RELAYC
func.func @main(%x: tensor<4xf32> {relay.name = "x"}) -> (tensor<4xf32> {relay.name = "y"}) {
  %0 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
