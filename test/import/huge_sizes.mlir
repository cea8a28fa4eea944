// Files of a few bytes that ask for tensors of 2^31 and of 2^40 elements while they are imported and compiled: each becomes a
// library, or an error that names the node, without the memory for them.
// REQUIRES: time
// RUN: %python %S/Inputs/huge_sizes.py %t | FileCheck %s
// CHECK: {{[0-9]+}} models compile, {{[0-9]+}} are refused
// CHECK-NEXT: filled: error[R0305]: there are no bytes for the constant of type memref<2147483648xf32> of node 'Filled': {{.*}}larger than RELAY_MAX_CONSTANT_BYTES allows (16777216 bytes)
// CHECK-NEXT: shape: error[R0104]: {{.*}}node 'Asked' (Reshape): the shape (input 1) has shape [2147483648]
// CHECK-NEXT: extents: error[R0104]: {{.*}}node 'Asked' (Tile): shape [4611686018427387904] has more than 2^40 elements
