// A constant that is one number at 2^45 places, more than a limit that is looked at before memory is asked for, is an error and not an abort.
// RUN: not relayc compile %s -o %t.so 2>&1 | FileCheck %s
// CHECK: error{{.*}}: {{.*}}there are no bytes for the constant of type {{.*}}larger than RELAY_MAX_CONSTANT_BYTES allows (2147483648 bytes)

// The limit is a user's to set, and what it is set to is looked at first.
// RUN: env RELAY_MAX_CONSTANT_BYTES=lots not relayc compile %s -o %t.so 2>&1 | FileCheck %s --check-prefix=LOTS
// RUN: sed s/35184372088832/4096/g %s > %t.small.mlir
// RUN: env RELAY_MAX_CONSTANT_BYTES=16K relayc compile %t.small.mlir --opt-level 0 -o %t.so
// RUN: env RELAY_MAX_CONSTANT_BYTES=15K not relayc compile %t.small.mlir --opt-level 0 -o %t.so 2>&1 | FileCheck %s --check-prefix=LESS
// LOTS: error{{.*}}: RELAY_MAX_CONSTANT_BYTES is 'lots'; expected a number of bytes, such as 500M or 8G
// LESS: error{{.*}}: {{.*}}larger than RELAY_MAX_CONSTANT_BYTES allows (15360 bytes)
func.func @main(%x: tensor<1xf32>) -> tensor<35184372088832xf32> {
  %0 = relay.constant dense<1.0> : tensor<35184372088832xf32>
  %1 = relay.add %0, %x : (tensor<35184372088832xf32>, tensor<1xf32>) -> tensor<35184372088832xf32>
  return %1 : tensor<35184372088832xf32>
}
