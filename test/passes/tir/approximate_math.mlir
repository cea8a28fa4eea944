// RUN: relay-opt %s --approximate-math | FileCheck %s

// Numbers and vectors of f32 become arithmetic.
// CHECK-LABEL: func.func @floats
// CHECK-NOT: math.{{exp|tanh|erf|log}}
// CHECK: return
func.func @floats(%x: f32, %v: vector<16xf32>) -> (f32, vector<16xf32>, f32, vector<16xf32>) {
  %0 = math.exp %x : f32
  %1 = math.tanh %v : vector<16xf32>
  %2 = math.log %0 : f32
  %3 = math.erf %1 : vector<16xf32>
  return %0, %1, %2, %3 : f32, vector<16xf32>, f32, vector<16xf32>
}

// Doubles and other functions stay.
// CHECK-LABEL: func.func @stays
func.func @stays(%x: f64, %y: f32) -> (f64, f32) {
  // CHECK: math.exp %{{.*}} : f64
  // CHECK: math.sin %{{.*}} : f32
  %0 = math.exp %x : f64
  %1 = math.sin %y : f32
  return %0, %1 : f64, f32
}
