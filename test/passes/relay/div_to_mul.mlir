// RUN: relay-opt %s --div-to-mul | FileCheck %s
// RUN: relay-opt %s --div-to-mul --fold-constant | FileCheck %s --check-prefix=FOLDED

// CHECK-LABEL: func.func @constant
// CHECK: %[[C:.*]] = relay.constant dense<[2.0{{.*}}, 4.0{{.*}}]>
// CHECK: %[[R:.*]] = relay.divide %{{.*}}, %[[C]] : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT: relay.multiply %arg0, %[[R]]
// FOLDED-LABEL: func.func @constant
// FOLDED: %[[R:.*]] = relay.constant dense<[5.000000e-01, 2.500000e-01]>
// FOLDED: relay.multiply %arg0, %[[R]]
func.func @constant(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %c = relay.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %0 = relay.divide %x, %c : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// Integers have no reciprocals, and what is no constant has none that could be folded.
// CHECK-LABEL: func.func @others
// CHECK-NOT: relay.multiply
// CHECK: return
func.func @others(%x: tensor<2xi32>, %y: tensor<2xf32>) -> (tensor<2xi32>, tensor<2xf32>) {
  %c = relay.constant dense<[2, 4]> : tensor<2xi32>
  %0 = relay.divide %x, %c : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %1 = relay.divide %y, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xi32>, tensor<2xf32>
}
