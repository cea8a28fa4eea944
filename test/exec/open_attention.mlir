// Attentions with open numbers of queries and of keys, by blocks of keys, against numpy: one library for all sizes, the same bits with one
// thread and with two.
// RUN: %python %S/Inputs/open_attention.py model %t.mlir
// RUN: relayc compile %t.mlir -o %t.so
// RUN: sh -ec 'for size in "1 1" "1 300" "5 127" "70 128" "130 259" "3 0" "0 3"; do %python %S/Inputs/open_attention.py inputs $size %t.in.npz; for threads in 1 2; do relayc run %t.so --threads $threads --inputs %t.in.npz --outputs %t.$threads.npz; done; %python %S/Inputs/open_attention.py check %t.in.npz %t.1.npz; %python %S/Inputs/open_attention.py same %t.1.npz %t.2.npz; done'
// RUN: relay-opt %t.mlir --fuse-ops | FileCheck %s
// RUN: relay-opt %t.mlir --target=x86-64-v4 --fuse-ops --relay-to-te | FileCheck %s --check-prefix=BLOCKS

// Each case is one kernel, with what moves its keys and values. Keys that the values share, too, are repeated before.
// CHECK: func.func private @fused_batch_matmul_multiply_softmax_batch_matmul(
// CHECK: func.func private @fused_transpose_batch_matmul_add_softmax_batch_matmul(
// CHECK: func.func private @fused_transpose_batch_matmul_softmax_batch_matmul_relu(
// CHECK: func.func private @fused_transpose_transpose_batch_matmul_multiply_add_softmax_batch_matmul_add(

// Without a mask all blocks count.
// BLOCKS-LABEL: func.func private @fused_batch_matmul_multiply_softmax_batch_matmul(
// BLOCKS: te.compute "online"
// BLOCKS-NOT: te.skip
// BLOCKS-LABEL: func.func private @fused_transpose_batch_matmul_add_softmax_batch_matmul(
// BLOCKS-SAME: te.knobs = "blockwise-attention queries={{[0-9]+}}"
// The keys of a block lie as columns, and zeros stand beyond the last one.
// BLOCKS: te.compute "keys" (%{{.+}}: 3, %{{.+}}: "(m + 127) / 128", %{{.+}}: 24, %{{.+}}: 128)
// BLOCKS: te.compute "online"
// A block that the mask hides from a block of queries is left out.
// BLOCKS: te.skip
