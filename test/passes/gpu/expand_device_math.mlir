// RUN: relay-opt %s --pass-pipeline='builtin.module(func.func(expand-device-math))' | FileCheck %s

// CHECK-LABEL: func.func @device
// CHECK-NOT: math.{{(sin|cos|tan|sinh|cosh|asinh|acosh|atanh|atan|log10|expm1|powf)}} {{.*}}f32
// CHECK-NOT: math.{{(exp|expm1|sinh|powf|atan2)}} {{.*}}f64
// CHECK: return
func.func @device(%x: f32, %v: vector<4xf32>, %wide: f64) -> (f32, vector<4xf32>, f64) attributes {tir.device_function} {
  %0 = math.sin %x : f32
  %1 = math.tan %0 : f32
  %2 = math.sinh %1 : f32
  %3 = math.cosh %2 : f32
  %4 = math.asinh %3 : f32
  %5 = math.acosh %4 : f32
  %6 = math.atanh %5 : f32
  %7 = math.atan %6 : f32
  %half = arith.constant 0.5 : f32
  %root = math.powf %7, %half : f32
  %8 = math.log10 %root : f32
  %9 = math.cos %v : vector<4xf32>
  %10 = math.expm1 %9 : vector<4xf32>
  %11 = math.sinh %wide : f64
  %12 = math.powf %11, %wide : f64
  %13 = math.atan2 %12, %wide : f64
  return %8, %10, %13 : f32, vector<4xf32>, f64
}

// A processor has a C library.
// CHECK-LABEL: func.func @host
// CHECK: math.sinh
func.func @host(%x: f32) -> f32 {
  %0 = math.sinh %x : f32
  return %0 : f32
}
