// A layout of a part of a tensor whose extents are open: the part has a known size.
// RUN: relay-opt %s --lower-te --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func private @part(
// CHECK: tir.alloc_buffer : memref<3x4xf32
// CHECK: memref.store %{{.+}}, %{{.+}}[%{{.+}}, %{{.+}}] : memref<3x4xf32
func.func private @part(%a: tensor<?x3xf32, ["n"]>) -> tensor<?x3xf32, ["n"]> {
  %b = te.compute "b" (%i: "n", %j: 3) {
    %x = tensor.extract %a[%i, %j] : tensor<?x3xf32, ["n"]>
    %y = arith.mulf %x, %x : f32
    te.yield %y : f32
  } : tensor<?x3xf32, ["n"]>
  %c = te.compute "c" (%i: "n", %j: 3) {
    %x = tensor.extract %b[%i, %j] : tensor<?x3xf32, ["n"]>
    te.yield %x : f32
  } : tensor<?x3xf32, ["n"]>
  te.schedule {
    %s = te.stage %b : tensor<?x3xf32, ["n"]>
    %t = te.stage %c : tensor<?x3xf32, ["n"]>
    %i, %j = te.axes %t
    %block, %row = te.split %i {factor = 4 : i64}
    te.bind %block blockIdx.x
    te.bind %row threadIdx.x
    te.set_scope %s shared
    te.compute_at %s, %t, %block
    %y, %x = te.axes %s
    te.transform_layout %s {map = affine_map<(i, j) -> (j, i)>}
    te.bind %y threadIdx.x
  }
  return %c : tensor<?x3xf32, ["n"]>
}

// -----

// All of it has none.
func.func private @whole(%a: tensor<?x3xf32, ["n"]>) -> tensor<?x3xf32, ["n"]> {
  %b = te.compute "b" (%i: "n", %j: 3) {
    %x = tensor.extract %a[%i, %j] : tensor<?x3xf32, ["n"]>
    te.yield %x : f32
  } : tensor<?x3xf32, ["n"]>
  %c = te.compute "c" (%i: "n", %j: 3) {
    %x = tensor.extract %b[%i, %j] : tensor<?x3xf32, ["n"]>
    te.yield %x : f32
  } : tensor<?x3xf32, ["n"]>
  te.schedule {
    %s = te.stage %b : tensor<?x3xf32, ["n"]>
    // expected-error@+1 {{the buffer of stage 'b' has the extents [n, 3], of which some are open; only a buffer in row-major order can have them}}
    te.transform_layout %s {map = affine_map<(i, j) -> (j, i)>}
  }
  return %c : tensor<?x3xf32, ["n"]>
}
