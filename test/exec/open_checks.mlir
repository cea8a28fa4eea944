// Dimensions that must be equal are compared when a library is prepared; an error names the node and both values.
// RUN: %python %S/Inputs/open_checks.py %t
// RUN: relayc compile %t/names.onnx --dim n=? --dim m=? -o %t/names.so
// RUN: relayc inspect %t/names.so | FileCheck %s --check-prefix=INSPECT
// RUN: relayc run %t/names.so --dim n=3 --dim m=3 | FileCheck %s --check-prefix=EQUAL
// RUN: not relayc run %t/names.so --dim n=3 --dim m=2 2>&1 | FileCheck %s --check-prefix=DIFFERS
// RUN: not relayc run %t/names.so --dim n=3 --dim m=1 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: relayc compile %t/table.onnx --dim n=? --dim seq=? -o %t/table.so
// RUN: relayc run %t/table.so --dim n=2 --dim seq=16 | FileCheck %s --check-prefix=FITS
// RUN: not relayc run %t/table.so --dim n=2 --dim seq=17 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: relayc compile %t/fixed.onnx --dim n=? -o %t/fixed.so
// RUN: not relayc run %t/fixed.so --dim n=2 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: relayc compile %t/halves.onnx --dim n=? -o %t/halves.so
// RUN: relayc run %t/halves.so --dim n=4 | FileCheck %s --check-prefix=EVEN
// RUN: not relayc run %t/halves.so --dim n=5 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: relayc compile %t/joined.onnx --dim n=? --dim m=? --dim k=? -o %t/joined.so
// RUN: relayc run %t/joined.so --dim n=3 --dim m=2 --dim k=5 | FileCheck %s --check-prefix=SUM
// RUN: not relayc run %t/joined.so --dim n=3 --dim m=2 --dim k=6 2>&1 | FileCheck %s --check-prefix=NO_SUM
// RUN: not relayc compile %t/never.onnx --dim n=? -o %t/never.so 2>&1 | FileCheck %s --check-prefix=NEVER

// INSPECT: y: f32[n, 4]
// INSPECT: open dimensions:
// INSPECT-NEXT: m: from 0 on
// INSPECT-NEXT: n: from 0 on
// INSPECT-NEXT: equal dimensions:
// INSPECT-NEXT: n = m, for node 's_node'
// EQUAL: y: tensor<3x4xf32>
// DIFFERS: error[R0403]: node 's_node' takes equal extents for n, which is 3, and m, which is 2
// ONE: error[R0403]: node 's_node' takes equal extents for n, which is 3, and m, which is 1; the library does not broadcast an extent of 1 there
// FITS: y: tensor<2x16x8xf32>
// BEYOND: error[R0403]: node 'y_node' takes equal extents for seq, which is 17, and min(seq, 16), which is 16
// NUMBER: error[R0403]: node 'y_node' takes equal extents for n, which is 2, and 3
// EVEN: y: tensor<2x4xf32>
// ODD: error[R0403]: node 'y_node' takes equal extents for n, which is 5, and 2*(n / 2), which is 4
// SUM: y: tensor<5x4xf32>
// NO_SUM: error[R0403]: node 'y_node' takes equal extents for m + n, which is 5, and k, which is 6
// NEVER: node 'y_node' (Add): relay.add of {{.*}} shapes [n + 1, 4] and [n, 4] do not broadcast (C1)
