// RUN: relay-opt %s --fuse-multiply-add | FileCheck %s
// RUN: relay-opt %s --fuse-multiply-add=doubles=false | FileCheck %s --check-prefix=SINGLES

// Numbers and vectors. Of two products the second one fuses; one with other users stays for them.
// CHECK-LABEL: func.func @sums(
// CHECK-SAME: %[[X:[^:]+]]: f32, %[[Y:[^:]+]]: f32, %[[V:[^:]+]]: vector<4xf32>)
// CHECK-NEXT: %[[P:.+]] = arith.mulf %[[X]], %[[Y]] : f32
// CHECK-NEXT: %[[F:.+]] = math.fma %[[X]], %[[X]], %[[P]] : f32
// CHECK-NEXT: %[[W:.+]] = math.fma %[[V]], %[[V]], %[[V]] : vector<4xf32>
// CHECK-NEXT: return %[[F]], %[[P]], %[[W]]
func.func @sums(%x: f32, %y: f32, %v: vector<4xf32>) -> (f32, f32, vector<4xf32>) {
  %p = arith.mulf %x, %y fastmath<contract> : f32
  %q = arith.mulf %x, %x fastmath<contract> : f32
  %s = arith.addf %p, %q fastmath<contract> : f32
  %w = arith.mulf %v, %v fastmath<contract> : vector<4xf32>
  %t = arith.addf %w, %v fastmath<contract> : vector<4xf32>
  return %s, %p, %t : f32, f32, vector<4xf32>
}

// What is not marked keeps two roundings; what is marked and has no product, or is of a type without the instruction, too.
// CHECK-LABEL: func.func @others(
// CHECK-NEXT: arith.mulf %{{.+}} : f32
// CHECK-NEXT: arith.addf %{{.+}} fastmath<nnan> : f32
// CHECK-NEXT: arith.subf %{{.+}} : f32
// CHECK-NEXT: arith.mulf %{{.+}} : f16
// CHECK-NEXT: arith.addf %{{.+}} : f16
// CHECK-NEXT: return
func.func @others(%x: f32, %y: f16) -> (f32, f32, f16) {
  %p = arith.mulf %x, %x : f32
  %s = arith.addf %p, %x fastmath<contract,nnan> : f32
  %d = arith.subf %p, %x fastmath<contract> : f32
  %q = arith.mulf %y, %y fastmath<contract> : f16
  %t = arith.addf %q, %y fastmath<contract> : f16
  return %s, %d, %t : f32, f32, f16
}

// CHECK-LABEL: func.func @doubles(
// CHECK-NEXT: math.fma %{{.+}} : f64
// SINGLES-LABEL: func.func @doubles(
// SINGLES-NEXT: arith.mulf %{{.+}} : f64
// SINGLES-NEXT: arith.addf %{{.+}} : f64
func.func @doubles(%x: f64) -> f64 {
  %p = arith.mulf %x, %x fastmath<contract> : f64
  %s = arith.addf %p, %x fastmath<contract> : f64
  return %s : f64
}
