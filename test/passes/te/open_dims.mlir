// Kernels of tensors with open dimensions.
// RUN: relay-opt %s --split-input-file --pass-pipeline="builtin.module(attach-target,fuse-ops,relay-to-te{schedule=none})" \
// RUN:   | FileCheck %s --check-prefix=TE
// RUN: relay-opt %s --split-input-file \
// RUN:   --pass-pipeline="builtin.module(attach-target,fuse-ops,relay-to-te{schedule=none},lower-te,canonicalize,cse)" \
// RUN:   | FileCheck %s --check-prefix=LOOPS
// RUN: relay-opt %s --split-input-file \
// RUN:   --pass-pipeline="builtin.module(attach-target,fuse-ops,relay-to-te,lower-te,aot-lower-main,plan-memory)" \
// RUN:   | FileCheck %s --check-prefix=MAIN

// TE-LABEL: func.func private @fused_dense
// TE: te.compute "dense" (%i: "n", %j: 8) sum (%k: 4)

// A loop over an open extent ends at a parameter of the kernel.
// LOOPS-LABEL: func.func private @fused_dense
// LOOPS-SAME: (%{{.*}}: memref<?x4xf32> {relay.dims = ["n", 4]}, {{.*}}, %[[N:[a-z0-9]+]]: index) attributes {{.*}}tir.symbols = ["n"]
// LOOPS: tir.for %[[I:.*]] = 0 to %[[N]]
// LOOPS-NOT: arith.cmpi
// LOOPS: return

// The values of symbols come behind the outputs, and buffers lie in an arena whose size is a form.
// A module says which sizes its symbols may have; those that it does not say may have any.
// MAIN: relay.symbols = {n = array<i64: 0, 9223372036854775807, 1, 64>}
// MAIN-LABEL: func.func @main
// MAIN-SAME: %[[N:[a-z0-9]+]]: index, %[[ARENA:[a-z0-9]+]]: memref<1xi8>) attributes {relay.arena_bytes = "64*((n + 1) / 2)"
// MAIN: %[[VIEW:.*]] = memref.view %[[ARENA]][%{{.*}}][%[[N]]] : memref<1xi8> to memref<?x8xf32>
// MAIN: call @fused_dense(%{{.*}}, %{{.*}}, %[[VIEW]], %[[N]])
func.func @main(%x: tensor<?x4xf32, ["n"]>, %w: tensor<8x4xf32>) -> tensor<?x8xf32, ["n"]> {
  %0 = relay.nn.dense %x, %w : (tensor<?x4xf32, ["n"]>, tensor<8x4xf32>) -> tensor<?x8xf32, ["n"]>
  %1 = relay.nn.softmax %0 : (tensor<?x8xf32, ["n"]>) -> tensor<?x8xf32, ["n"]>
  return %1 : tensor<?x8xf32, ["n"]>
}

// -----

// A form of symbols in a body, and as the end of a loop.
// TE-LABEL: func.func private @fused_concatenate
// TE: te.compute "concatenate" (%i: "n + s")
// TE: te.extent "n"

// LOOPS-LABEL: func.func private @fused_concatenate
// LOOPS-SAME: %[[N:[a-z0-9]+]]: index, %[[S:[a-z0-9]+]]: index)
// LOOPS: %[[END:.*]] = arith.addi %[[N]], %[[S]]
// LOOPS: tir.for %[[I:.*]] = 0 to %[[END]]
// LOOPS: arith.cmpi slt, %[[I]], %[[N]]
func.func @main(%x: tensor<?xf32, ["n"]>, %y: tensor<?xf32, ["s"]>) -> tensor<?xf32, ["n + s"]> {
  %0 = relay.concatenate %x, %y {axis = 0 : i64} : (tensor<?xf32, ["n"]>, tensor<?xf32, ["s"]>) -> tensor<?xf32, ["n + s"]>
  return %0 : tensor<?xf32, ["n + s"]>
}
