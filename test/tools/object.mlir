// An object is linked into a program with the system's compiler and linker; its constants are where they are
// looked for.
// RUN: mkdir -p %t
// RUN: relayc compile %s --emit object -o %t/twice.o
// RUN: gcc -I %S/../../runtime/include %S/../../runtime/tests/c/object.c %t/twice.o %runtime -lm -o %t/program
// RUN: %t/program | FileCheck %s
// CHECK: 11 22 33 44
func.func @main(%x: tensor<4xf32> {relay.name = "x"}) -> (tensor<4xf32> {relay.name = "y"}) {
  %c = relay.constant dense<[10.0, 20.0, 30.0, 40.0]> : tensor<4xf32>
  %0 = relay.add %x, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
