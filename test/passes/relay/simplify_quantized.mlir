// RUN: relay-opt %s --pass-pipeline='builtin.module(func.func(simplify-quantized))' | FileCheck %s

// A byte that the kernel itself makes a float again is not made, nor is its zero point added.
// CHECK-LABEL: func.func @bytes
// CHECK: relay.round
// CHECK-NEXT: %[[STEPS:.*]] = relay.cast %{{.*}} {dtype = i32}
// CHECK-NEXT: %[[A:.*]] = relay.cast %[[STEPS]] {dtype = f32}
// CHECK-NOT: ui8
// CHECK: relay.round
// CHECK-NEXT: %[[STEPS:.*]] = relay.cast %{{.*}} {dtype = i32}
// CHECK-NEXT: %[[B:.*]] = relay.cast %[[STEPS]] {dtype = f32}
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @bytes(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {relay.primitive} {
  %0 = relay.clip %x {a_max = 140.0, a_min = -115.0} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.round %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.cast %1 {dtype = i32} : (tensor<4xf32>) -> tensor<4xi32>
  %zero = relay.constant dense<115> : tensor<i32>
  %3 = relay.add %2, %zero : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %4 = relay.cast %3 {dtype = ui8} : (tensor<4xi32>) -> tensor<4xui8>
  %5 = relay.cast %4 {dtype = f32} : (tensor<4xui8>) -> tensor<4xf32>
  %same = relay.constant dense<115.0> : tensor<f32>
  %6 = relay.subtract %5, %same : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %7 = relay.clip %x {a_max = 255.0, a_min = 0.0} : (tensor<4xf32>) -> tensor<4xf32>
  %8 = relay.round %7 : (tensor<4xf32>) -> tensor<4xf32>
  %9 = relay.cast %8 {dtype = i32} : (tensor<4xf32>) -> tensor<4xi32>
  %10 = relay.cast %9 {dtype = ui8} : (tensor<4xi32>) -> tensor<4xui8>
  %11 = relay.cast %10 {dtype = f32} : (tensor<4xui8>) -> tensor<4xf32>
  return %6, %11 : tensor<4xf32>, tensor<4xf32>
}

// Numbers that a byte does not hold stay what they become as a byte, and so does another zero point.
// CHECK-LABEL: func.func @wide_steps
// CHECK: relay.cast {{.*}} {dtype = i8}
// CHECK: relay.cast {{.*}} {dtype = ui8}
func.func @wide_steps(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {relay.primitive} {
  %0 = relay.clip %x {a_max = 128.0, a_min = -128.0} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.round %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.cast %1 {dtype = i32} : (tensor<4xf32>) -> tensor<4xi32>
  %3 = relay.cast %2 {dtype = i8} : (tensor<4xi32>) -> tensor<4xi8>
  %4 = relay.cast %3 {dtype = f32} : (tensor<4xi8>) -> tensor<4xf32>
  %zero = relay.constant dense<100> : tensor<i32>
  %5 = relay.add %2, %zero : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %6 = relay.cast %5 {dtype = ui8} : (tensor<4xi32>) -> tensor<4xui8>
  %7 = relay.cast %6 {dtype = f32} : (tensor<4xui8>) -> tensor<4xf32>
  %other = relay.constant dense<115.0> : tensor<f32>
  %8 = relay.subtract %7, %other : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %4, %8 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @sum
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>)
// CHECK-DAG: %[[A:.*]] = relay.constant dense<2.000000e+00>
// CHECK-DAG: %[[B:.*]] = relay.constant dense<6.000000e+00>
// CHECK-DAG: %[[XA:.*]] = relay.multiply %[[X]], %[[A]]
// CHECK-DAG: %[[YB:.*]] = relay.multiply %[[Y]], %[[B]]
// CHECK: %[[SUM:.*]] = relay.add %[[XA]], %[[YB]]
// CHECK: relay.clip %[[SUM]] {a_max = 2.550000e+02 : f64, a_min = 0.000000e+00 : f64}
func.func @sum(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {relay.primitive} {
  %a = relay.constant dense<0.5> : tensor<f32>
  %b = relay.constant dense<1.5> : tensor<f32>
  %c = relay.constant dense<4.0> : tensor<f32>
  %0 = relay.multiply %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = relay.multiply %y, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = relay.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = relay.multiply %2, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %5 = relay.clip %4 {a_max = 255.0, a_min = 0.0} : (tensor<4xf32>) -> tensor<4xf32>
  %6 = relay.round %5 : (tensor<4xf32>) -> tensor<4xf32>
  return %6 : tensor<4xf32>
}

// The same of a sum that is cut off as integers. Bytes of integers that are made floats again are not made.
// CHECK-LABEL: func.func @integers
// CHECK: %[[SUM:.*]] = relay.add
// CHECK-NEXT: %[[ROUND:.*]] = relay.round %[[SUM]]
// CHECK-NEXT: %[[STEPS:.*]] = relay.cast %[[ROUND]] {dtype = i32}
// CHECK: %[[CLIP:.*]] = relay.clip %[[STEPS]] {a_max = 2.450000e+02 : f64, a_min = -1.000000e+01 : f64}
// CHECK-NEXT: relay.cast %[[CLIP]] {dtype = f32}
func.func @integers(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {relay.primitive} {
  %a = relay.constant dense<0.5> : tensor<f32>
  %b = relay.constant dense<1.5> : tensor<f32>
  %c = relay.constant dense<4.0> : tensor<f32>
  %zero = relay.constant dense<10> : tensor<i32>
  %same = relay.constant dense<10.0> : tensor<f32>
  %0 = relay.multiply %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = relay.multiply %y, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = relay.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = relay.multiply %2, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = relay.round %3 : (tensor<4xf32>) -> tensor<4xf32>
  %5 = relay.cast %4 {dtype = i32} : (tensor<4xf32>) -> tensor<4xi32>
  %6 = relay.add %5, %zero : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %7 = relay.clip %6 {a_max = 255.0, a_min = 0.0} : (tensor<4xi32>) -> tensor<4xi32>
  %8 = relay.cast %7 {dtype = ui8} : (tensor<4xi32>) -> tensor<4xui8>
  %9 = relay.cast %8 {dtype = f32} : (tensor<4xui8>) -> tensor<4xf32>
  %10 = relay.subtract %9, %same : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %10 : tensor<4xf32>
}

// Sums that are not quantised keep their factors.
// CHECK-LABEL: func.func @kept
// CHECK: relay.add
// CHECK-NEXT: relay.multiply
func.func @kept(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {relay.primitive} {
  %a = relay.constant dense<0.5> : tensor<f32>
  %b = relay.constant dense<1.5> : tensor<f32>
  %c = relay.constant dense<4.0> : tensor<f32>
  %3 = relay.multiply %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = relay.multiply %y, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %5 = relay.add %3, %4 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %6 = relay.multiply %5, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %6 : tensor<4xf32>
}

// Between kernels, bytes stay bytes.
// CHECK-LABEL: func.func @main
// CHECK: relay.cast {{.*}} {dtype = ui8}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.clip %x {a_max = 255.0, a_min = 0.0} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = relay.round %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = relay.cast %1 {dtype = i32} : (tensor<4xf32>) -> tensor<4xi32>
  %3 = relay.cast %2 {dtype = ui8} : (tensor<4xi32>) -> tensor<4xui8>
  %4 = relay.cast %3 {dtype = f32} : (tensor<4xui8>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}
