// Two models in one process, each with its own constants and numbers of elements. Whichever comes first, and
// however they get there, each runs its own graph.
// RUN: rm -rf %t && split-file %s %t
// RUN: relayc compile %t/plus.mlir -o %t/plus.so
// RUN: relayc compile %t/times.mlir -o %t/times.so

// As libraries that a program is linked with:
// RUN: gcc -I %S/../../runtime/include %S/../../runtime/tests/c/two_models.c %t/plus.so %t/times.so -Wl,-rpath,%t -o %t/libraries
// RUN: %t/libraries | FileCheck %s
// RUN: gcc -I %S/../../runtime/include %S/../../runtime/tests/c/two_models.c %t/times.so %t/plus.so -Wl,-rpath,%t -o %t/libraries
// RUN: %t/libraries | FileCheck %s
// CHECK: plus takes x[6] f32: 10 21 32 43 54 65
// CHECK-NEXT: times takes x[8] f32: 0 2 6 12 20 30 42 56
// CHECK-NEXT: plus takes x[6] f32: 10 21 32 43 54 65

// Loaded, with all that they export for all who come later:
// RUN: gcc -I %S/../../runtime/include %S/../../runtime/tests/c/loaded_globally.c -ldl -o %t/loaded
// RUN: %t/loaded %t/plus.so %t/times.so | FileCheck %s --check-prefix=LOADED
// RUN: %t/loaded %t/times.so %t/plus.so | FileCheck %s --check-prefix=LOADED
// LOADED-DAG: plus: 10 20 30 40 50 60
// LOADED-DAG: times: 0 0 0 0 0 0 0 0

// Two of one name, too:
// RUN: mkdir %t/other && relayc compile %t/times.mlir -o %t/other/plus.so
// RUN: %t/loaded %t/plus.so %t/other/plus.so | FileCheck %s --check-prefix=NAMESAKES
// RUN: %t/loaded %t/other/plus.so %t/plus.so | FileCheck %s --check-prefix=NAMESAKES
// NAMESAKES-DAG: plus: 10 20 30 40 50 60
// NAMESAKES-DAG: plus: 0 0 0 0 0 0 0 0

// And as objects with one runtime, by either linker:
// RUN: relayc compile %t/plus.mlir --emit object -o %t/plus.o
// RUN: relayc compile %t/times.mlir --emit object -o %t/times.o
// RUN: gcc -I %S/../../runtime/include %S/../../runtime/tests/c/two_models.c %t/plus.o %t/times.o %runtime -lm -o %t/objects
// RUN: %t/objects | FileCheck %s
// RUN: clang -fuse-ld=lld -I %S/../../runtime/include %S/../../runtime/tests/c/two_models.c %t/times.o %t/plus.o %runtime -lm -o %t/objects
// RUN: %t/objects | FileCheck %s

// What a library exports is its interface, and no reference of its own goes by way of one of these names:
// RUN: llvm-nm --dynamic --defined-only --format=just-symbols %t/plus.so | sort | FileCheck %s --check-prefix=EXPORTS --match-full-lines
// EXPORTS-NOT: {{.}}
// EXPORTS: plus_create
// EXPORTS-NEXT: plus_descriptor
// EXPORTS-NEXT: plus_destroy
// EXPORTS-NEXT: plus_last_error
// EXPORTS-NEXT: plus_output
// EXPORTS-NEXT: plus_prepare
// EXPORTS-NEXT: plus_profile
// EXPORTS-NEXT: plus_run
// EXPORTS-NEXT: plus_watch
// EXPORTS-NEXT: relay_model_descriptor
// EXPORTS-NOT: {{.}}
// RUN: llvm-readelf --relocations %t/plus.so | FileCheck %s --check-prefix=BOUND
// BOUND: R_{{.*}}malloc
// BOUND-NOT: {{plus_|relay_}}

// What an object defines for others is that, and its constants for what it is linked with:
// RUN: llvm-nm --extern-only --defined-only --format=just-symbols %t/plus.o | sort | FileCheck %s --check-prefix=DEFINES --match-full-lines
// DEFINES-NOT: {{.}}
// DEFINES: plus_create
// DEFINES-NEXT: plus_descriptor
// DEFINES-NEXT: plus_destroy
// DEFINES-NEXT: plus_last_error
// DEFINES-NEXT: plus_output
// DEFINES-NEXT: plus_prepare
// DEFINES-NEXT: plus_profile
// DEFINES-NEXT: plus_run
// DEFINES-NEXT: plus_watch
// DEFINES-NEXT: relay_weights_of_plus
// DEFINES-NOT: {{.}}

//--- plus.mlir
func.func @main(%x: tensor<6xf32> {relay.name = "x"}) -> (tensor<6xf32> {relay.name = "y"}) {
  %c = relay.constant dense<[10.0, 20.0, 30.0, 40.0, 50.0, 60.0]> : tensor<6xf32>
  %0 = relay.add %x, %c : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

//--- times.mlir
func.func @main(%x: tensor<8xf32> {relay.name = "x"}) -> (tensor<8xf32> {relay.name = "y"}) {
  %c = relay.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %0 = relay.multiply %x, %c : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
