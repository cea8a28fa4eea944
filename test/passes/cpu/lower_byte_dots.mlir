// RUN: relay-opt %s --lower-byte-dots=instruction=avx512-vnni | FileCheck %s
// RUN: relay-opt %s --lower-byte-dots=instruction=avx2 | FileCheck %s --check-prefix=PAIRS
// RUN: relay-opt %s --lower-byte-dots | FileCheck %s --check-prefix=PLAIN
// RUN: not relay-opt %s --lower-byte-dots=instruction=vnni 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: {{.*}}instruction is vnni, expected none or one of avx512-vnni, avx-vnni,

// The sum that a product is added to is the instruction's.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME: %[[S:[^:]+]]: vector<16xi32>, %[[X:[^:]+]]: vector<16xi32>, %[[Y:[^:]+]]: vector<16xi32>)
// CHECK-DAG: %[[A:.+]] = vector.bitcast %[[X]] : vector<16xi32> to vector<64xi8>
// CHECK-DAG: %[[B:.+]] = vector.bitcast %[[Y]] : vector<16xi32> to vector<64xi8>
// CHECK: %[[R:.+]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%[[S]], %[[A]], %[[B]])
// CHECK-NEXT: return %[[R]]
// Bytes are widened before they are multiplied, by an instruction for vectors of half the length.
// PAIRS-LABEL: func.func @sum(
// PAIRS: arith.andi
// PAIRS: arith.shrsi
// PAIRS-COUNT-4: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// PAIRS-NOT: pmadd.ub
// PAIRS: return
func.func @sum(%s: vector<16xi32>, %x: vector<16xi32>, %y: vector<16xi32>) -> vector<16xi32> {
  %p = tir.dot_bytes %x, %y : vector<16xi32>
  %r = arith.addi %s, %p : vector<16xi32>
  return %r : vector<16xi32>
}

// A product with other uses starts with zero.
// CHECK-LABEL: func.func @used_twice(
// CHECK: %[[ZERO:.+]] = arith.constant dense<0> : vector<8xi32>
// CHECK: %[[P:.+]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(%[[ZERO]],
// CHECK: arith.addi %{{.+}}, %[[P]]
func.func @used_twice(%s: vector<8xi32>, %x: vector<8xi32>, %y: vector<8xi32>) -> (vector<8xi32>, vector<8xi32>) {
  %p = tir.dot_bytes %x, %y : vector<8xi32>
  %r = arith.addi %s, %p : vector<8xi32>
  return %r, %p : vector<8xi32>, vector<8xi32>
}

// Scalars, and vectors of lengths without an instruction, are computed byte by byte.
// CHECK-LABEL: func.func @plain(
// CHECK-NOT: llvm.call_intrinsic
// CHECK-COUNT-8: arith.muli
// CHECK: return
// PLAIN-LABEL: func.func @sum(
// PLAIN-COUNT-4: arith.muli
// PLAIN-LABEL: func.func @plain(
// PLAIN: %[[LOW:.+]] = arith.shrui %{{.+}}, %{{.+}} : i32
// PLAIN: arith.andi %[[LOW]], %c255
// PLAIN: %[[HIGH:.+]] = arith.shli %{{.+}}, %{{.+}} : i32
// PLAIN: arith.shrsi %[[HIGH]], %c24
func.func @plain(%x: i32, %y: i32, %v: vector<6xi32>) -> (i32, vector<6xi32>) {
  %p = tir.dot_bytes %x, %y : i32
  %q = tir.dot_bytes %v, %v : vector<6xi32>
  return %p, %q : i32, vector<6xi32>
}
