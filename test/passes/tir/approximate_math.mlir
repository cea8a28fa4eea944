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
  // CHECK: math.atan %{{.*}} : f32
  %0 = math.exp %x : f64
  %1 = math.atan %y : f32
  return %0, %1 : f64, f32
}

// The argument is brought into a range, and k goes to the bits of an exponent, of one number as of a vector.
// CHECK-LABEL: func.func @exp
func.func @exp(%x: f32, %v: vector<8xf32>) -> (f32, vector<8xf32>) {
  // CHECK: arith.select
  // CHECK: arith.select
  // CHECK-COUNT-9: math.fma
  // CHECK: %[[BITS:.+]] = arith.shli %{{.+}}, %{{.+}} : i32
  // CHECK: %[[POWER:.+]] = arith.bitcast %[[BITS]] : i32 to f32
  // CHECK: arith.mulf %{{.+}}, %[[POWER]] : f32
  // CHECK: arith.shli %{{.+}}, %{{.+}} : vector<8xi32>
  %0 = math.exp %x : f32
  %1 = math.exp %v : vector<8xf32>
  return %0, %1 : f32, vector<8xf32>
}

// Marked `afn`, it has two multiply-adds less.
// CHECK-LABEL: func.func @short_exp
func.func @short_exp(%v: vector<8xf32>) -> vector<8xf32> {
  // CHECK-COUNT-7: math.fma
  // CHECK-NOT: math.fma
  // CHECK: return
  %0 = math.exp %v fastmath<afn> : vector<8xf32>
  return %0 : vector<8xf32>
}

// erf has the sign of its argument; its magnitude is 1 less an exponential.
// CHECK-LABEL: func.func @erf
func.func @erf(%v: vector<8xf32>) -> vector<8xf32> {
  // CHECK: math.absf %arg0
  // CHECK-NOT: arith.divf
  // CHECK: arith.shli
  // CHECK: %[[LESS_1:.+]] = arith.subf %[[POWER:.+]], %{{.+}} : vector<8xf32>
  // CHECK: %[[VALUE:.+]] = math.fma %[[POWER]], %{{.+}}, %[[LESS_1]]
  // CHECK: math.copysign %[[VALUE]], %arg0
  %0 = math.erf %v : vector<8xf32>
  return %0 : vector<8xf32>
}

// sin is a call only where a magnitude, of a vector that of any lane, is beyond what its polynomial is for.
// CHECK-LABEL: func.func @sin
func.func @sin(%x: f32, %v: vector<8xf32>) -> (f32, vector<8xf32>) {
  // CHECK: %[[FAR:.+]] = arith.cmpf ogt, %{{.+}}, %{{.+}} : f32
  // CHECK: scf.if %[[FAR]] -> (f32) {
  // CHECK-NEXT: math.sin %arg0 : f32
  // CHECK: } else {
  // CHECK-NOT: math.sin
  // CHECK: %[[ANY:.+]] = vector.reduction <or>, %{{.+}} : vector<8xi1> into i1
  // CHECK: scf.if %[[ANY]] -> (vector<8xf32>) {
  // CHECK-NEXT: math.sin %arg1 : vector<8xf32>
  // CHECK: } else {
  // CHECK-NOT: math.sin
  // CHECK: return
  %0 = math.sin %x : f32
  %1 = math.sin %v : vector<8xf32>
  return %0, %1 : f32, vector<8xf32>
}

// A power is an exponential of a logarithm, in f64; the sign of a negative number's follows from its exponent.
// CHECK-LABEL: func.func @power
func.func @power(%x: f32, %y: f32, %v: vector<8xf32>) -> (f32, vector<8xf32>) {
  // CHECK: arith.extf %arg0 : f32 to f64
  // CHECK: arith.divf %{{.+}} : f64
  // CHECK: arith.truncf %{{.+}} : f64 to f32
  // CHECK: math.trunc %arg1
  // CHECK: math.copysign %{{.+}}, %arg0
  // CHECK: arith.divf %{{.+}} : vector<8xf64>
  // CHECK-NOT: math.powf
  // CHECK: return
  %0 = math.powf %x, %y : f32
  %c = arith.constant dense<0.75> : vector<8xf32>
  %1 = math.powf %v, %c : vector<8xf32>
  return %0, %1 : f32, vector<8xf32>
}

// Small whole exponents are products.
// CHECK-LABEL: func.func @whole_powers
func.func @whole_powers(%x: f32, %v: vector<8xf32>) -> (vector<8xf32>, f32, vector<8xf32>) {
  // CHECK: %[[SQUARE:.+]] = arith.mulf %arg1, %arg1
  // CHECK: %[[CUBE:.+]] = arith.mulf %[[SQUARE]], %arg1
  // CHECK: %[[INVERSE:.+]] = arith.divf %{{.+}}, %arg0 : f32
  // CHECK: %[[SQUARE:.+]] = arith.mulf %[[INVERSE]], %[[INVERSE]]
  // CHECK: arith.mulf %[[SQUARE]], %[[SQUARE]]
  // CHECK: arith.extf
  %c3 = arith.constant 3.0 : f32
  %three = vector.broadcast %c3 : f32 to vector<8xf32>
  %0 = math.powf %v, %three : vector<8xf32>
  %less4 = arith.constant -4.0 : f32
  %1 = math.powf %x, %less4 : f32
  %five = arith.constant dense<5.0> : vector<8xf32>
  %2 = math.powf %v, %five : vector<8xf32>
  return %0, %1, %2 : vector<8xf32>, f32, vector<8xf32>
}

// LLVM makes a square root of it. Doubles stay.
// CHECK-LABEL: func.func @stays_a_power
func.func @stays_a_power(%x: f32, %y: f64) -> (f32, f64) {
  // CHECK: math.powf %{{.+}} : f32
  // CHECK: math.powf %{{.+}} : f64
  %half = arith.constant 0.5 : f32
  %0 = math.powf %x, %half : f32
  %1 = math.powf %y, %y : f64
  return %0, %1 : f32, f64
}
