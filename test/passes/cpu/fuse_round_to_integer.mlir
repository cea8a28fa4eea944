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

// An integer has one zero: maxima and minima that nothing else reads need not tell two of them apart.
// CHECK-LABEL: func.func @clipped(
// CHECK: arith.maximumf %{{.*}} fastmath<nsz>
// CHECK: arith.minimumf %{{.*}} fastmath<nnan,nsz>
// CHECK: arith.maximumf %{{.*}}, %{{[^ ]*}} : vector<16xf32>
// CHECK: arith.minimumf %{{.*}} fastmath<nsz>
func.func @clipped(%x: vector<16xf32>) -> (vector<16xi32>, vector<16xf32>, vector<16xi32>) {
  %least = arith.constant dense<0.0> : vector<16xf32>
  %most = arith.constant dense<255.0> : vector<16xf32>
  %0 = arith.maximumf %x, %least : vector<16xf32>
  %1 = arith.minimumf %most, %0 fastmath<nnan> : vector<16xf32>
  %2 = math.roundeven %1 : vector<16xf32>
  %3 = arith.fptosi %2 : vector<16xf32> to vector<16xi32>
  %4 = arith.maximumf %x, %least : vector<16xf32>
  %5 = arith.minimumf %4, %most : vector<16xf32>
  %6 = math.roundeven %5 : vector<16xf32>
  %7 = arith.fptosi %6 : vector<16xf32> to vector<16xi32>
  return %3, %4, %7 : vector<16xi32>, vector<16xf32>, vector<16xi32>
}
