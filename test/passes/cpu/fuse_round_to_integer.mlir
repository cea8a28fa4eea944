// RUN: relay-opt %s --fuse-round-to-integer | FileCheck %s

// CHECK-LABEL: func.func @words(
// CHECK-SAME: %[[X:[^:]+]]: vector<16xf32>, %[[Y:[^:]+]]: f32)
// CHECK-NEXT: %[[V:.+]] = llvm.call_intrinsic "llvm.lrint.v16i32.v16f32"(%[[X]])
// CHECK-NEXT: %[[S:.+]] = llvm.call_intrinsic "llvm.lrint.i32.f32"(%[[Y]])
// CHECK-NEXT: return %[[V]], %[[S]]
func.func @words(%x: vector<16xf32>, %y: f32) -> (vector<16xi32>, i32) {
  %0 = math.roundeven %x : vector<16xf32>
  %1 = arith.fptosi %0 : vector<16xf32> to vector<16xi32>
  %2 = math.roundeven %y : f32
  %3 = arith.fptosi %2 : f32 to i32
  return %1, %3 : vector<16xi32>, i32
}

// A rounded number with other uses stays for them; other types have no such instruction.
// CHECK-LABEL: func.func @others(
// CHECK-SAME: %[[X:[^:]+]]: f32, %[[Y:[^:]+]]: f64)
// CHECK-DAG: %[[R:.+]] = math.roundeven %[[X]]
// CHECK-DAG: %[[S:.+]] = llvm.call_intrinsic "llvm.lrint.i32.f32"(%[[X]])
// CHECK-DAG: %[[W:.+]] = math.roundeven %[[Y]]
// CHECK-DAG: %[[V:.+]] = arith.fptosi %[[W]]
// CHECK: arith.fptosi %[[R]] : f32 to i64
func.func @others(%x: f32, %y: f64) -> (f32, i32, i32, i64) {
  %0 = math.roundeven %x : f32
  %1 = arith.fptosi %0 : f32 to i32
  %2 = math.roundeven %y : f64
  %3 = arith.fptosi %2 : f64 to i32
  %4 = arith.fptosi %0 : f32 to i64
  return %0, %1, %3, %4 : f32, i32, i32, i64
}
