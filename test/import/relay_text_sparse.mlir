// Operators on sparse matrices in Relay's text, there and back: by the names, operands and attributes that TVM writes. No type says the
// extents of the kernel, so they stay.
// RUN: split-file %s %t
// RUN: relay-translate --from-relay-text %t/sparse.relay -o %t/sparse.mlir
// RUN: FileCheck %s --input-file %t/sparse.mlir
// RUN: relay-translate --to-relay-text %t/sparse.mlir -o %t/again.relay
// RUN: relay-translate --from-relay-text %t/again.relay -o %t/again.mlir
// RUN: relay-translate --to-relay-text %t/again.mlir | diff %t/again.relay -

// CHECK-LABEL: func.func @main(
// CHECK: relay.nn.sparse_dense %arg0, %arg1, %arg2, %arg3 : {{.*}} -> tensor<4x9xf32>
// CHECK: relay.nn.sparse_dense %arg0, %arg1, %arg2, %arg3 {sparse_lhs = true} : {{.*}} -> tensor<9x4xf32>
// CHECK: %[[D:.+]], %[[I:.+]], %[[P:.+]] = relay.nn.sparse_transpose %arg1, %arg2, %arg3
// CHECK: relay.nn.sparse_add %{{.+}}, %[[D]], %[[I]], %[[P]] : {{.*}} -> tensor<9x4xf32>
// CHECK: relay.nn.sparse_conv2d %arg4, %arg5, %arg6, %arg7 {kernel_size = array<i64: 3, 3>, layout = "NCHW"} : {{.*}} -> tensor<1x32x5x5xf32>

//--- sparse.relay
#[version = "0.0.5"]
def @main(%x: Tensor[(4, 9), float32], %d: Tensor[(7), float32], %i: Tensor[(7), int32], %p: Tensor[(10), int32],
    %y: Tensor[(1, 8, 5, 5), float32], %b: Tensor[(6, 16, 1), float32], %j: Tensor[(6), int32], %q: Tensor[(3), int32]) {
  %0 = nn.sparse_dense(%x, %d, %i, %p, sparse_lhs=False);
  %1 = nn.sparse_dense(%x, %d, %i, %p, sparse_lhs=True);
  %2 = nn.sparse_transpose(%d, %i, %p);
  %3 = nn.sparse_add(%1, %2.0, %2.1, %2.2);
  %4 = nn.sparse_conv2d(%y, %b, %j, %q, layout="NCHW", kernel_size=[3, 3]);
  (%0, %3, %4)
}
