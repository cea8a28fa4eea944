// A constant that no memory holds, one number at 2^45 places, is an error and not an abort.
// RUN: not relayc compile %s -o %t.so 2>&1 | FileCheck %s
// CHECK: error{{.*}}: {{.*}}there are no bytes for the constant of type {{.*}}memory does not hold it
func.func @main(%x: tensor<1xf32>) -> tensor<35184372088832xf32> {
  %0 = relay.constant dense<1.0> : tensor<35184372088832xf32>
  %1 = relay.add %0, %x : (tensor<35184372088832xf32>, tensor<1xf32>) -> tensor<35184372088832xf32>
  return %1 : tensor<35184372088832xf32>
}
