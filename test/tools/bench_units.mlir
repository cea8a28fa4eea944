// The units of bench/: rounds, engines that spin or die, wrong and changing results, tables.
// REQUIRES: time
// RUN: %python -B %S/../../bench/test_bench.py 2>&1 | FileCheck %s
// CHECK: Ran {{[0-9]+}} tests
// CHECK: OK
