// Updates of caches along each axis, with one position and with one for each sample, beside numpy; and in place in programs of C and C++.
// REQUIRES: time
// RUN: %python %S/Inputs/cache_update.py relayc %t
// RUN: relayc compile %s -o %t/cache.so
// RUN: relayc inspect %t/cache.so | FileCheck %s --check-prefix=INSPECT
// RUN: gcc -Wall -Wextra -Werror -I %S/../../runtime/include %S/../../runtime/tests/c/cache.c %t/cache.so -Wl,-rpath,%t -o %t/c
// RUN: %t/c | FileCheck %s
// RUN: clang++ -std=c++17 -Wall -Wextra -Werror -I %S/../../runtime/include %S/../../runtime/tests/c/cache.cpp -o %t/cpp
// RUN: %t/cpp %t/cache.so | FileCheck %s

// A bare model has nothing to report an error by: it leaves the row out.
// RUN: relayc compile %s --emit bare -o %t/small
// RUN: gcc -Wall -Wextra -Werror -I %t/small %S/../../runtime/tests/c/bare_cache.c %t/small/small.c %t/small/small.o -lm -o %t/small/program
// RUN: %t/small/program | FileCheck %s --check-prefix=BARE

// BARE: one place: 1 2 9 4
// BARE-NEXT: two places: 1 2 9 4 of 1 2 3 4
// BARE-NEXT: left out: 1 2 3 4

// INSPECT: inputs:
// INSPECT-NEXT: past: f32[4]
// INSPECT: in one place, if the caller likes:
// INSPECT-NEXT: past and next

// CHECK: one place: 1 2 9 4
// CHECK-NEXT: two places: 1 2 9 4 of 1 2 3 4
// CHECK-NEXT: wrong: 'the update' computes 4 for the extent 'cache_position', which must be from 0 to 3
// CHECK-NEXT: kept: 1 2 3 4
func.func @main(%past: tensor<4xf32> {relay.name = "past"}, %new: tensor<1xf32> {relay.name = "new"}, %at: tensor<i64> {relay.name = "at"})
    -> (tensor<4xf32> {relay.name = "next"}) {
  %0 = relay.cache_update %past, %new, %at {axis = 0 : i64} : (tensor<4xf32>, tensor<1xf32>, tensor<i64>) -> tensor<4xf32> loc("the update")
  return %0 : tensor<4xf32>
}
