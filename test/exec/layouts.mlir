// Each layout that a record may choose computes the same: convolutions, rows of a 1 x 1 kernel and a dense layer, against plain
// sums in double precision.
// REQUIRES: time
// RUN: %python %S/Inputs/layouts.py make %t.mlir %t.in.npz %t.0.jsonl %t.1.jsonl %t.2.jsonl %t.3.jsonl
// RUN: relay-opt %t.mlir --alter-op-layout="records='%t.0.jsonl'" --remarks-filter=records 2>&1 >%t.0.mlir | FileCheck %s --check-prefix=APPLIED
// RUN: relayc run %t.0.mlir --inputs %t.in.npz --outputs %t.0.npz
// RUN: relay-opt %t.mlir --alter-op-layout="records='%t.1.jsonl'" --remarks-filter=records 2>&1 >%t.1.mlir | FileCheck %s --check-prefix=APPLIED
// RUN: relayc run %t.1.mlir --inputs %t.in.npz --outputs %t.1.npz
// RUN: relay-opt %t.mlir --alter-op-layout="records='%t.2.jsonl'" --remarks-filter=records 2>&1 >%t.2.mlir | FileCheck %s --check-prefix=APPLIED
// RUN: relayc run %t.2.mlir --inputs %t.in.npz --outputs %t.2.npz
// RUN: relay-opt %t.mlir --alter-op-layout="records='%t.3.jsonl'" --remarks-filter=records 2>&1 >%t.3.mlir | FileCheck %s --check-prefix=APPLIED
// RUN: relayc run %t.3.mlir --inputs %t.in.npz --outputs %t.3.npz
// RUN: %python %S/Inputs/layouts.py check %t.0.npz %t.1.npz %t.2.npz %t.3.npz
// APPLIED-COUNT-3: gets the layout of a record
// APPLIED-NOT: does not apply
