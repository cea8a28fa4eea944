// Iterations of a reduction whose elements are all its identity: their flags are computed, and nothing else.
// RUN: relay-opt %s --lower-te --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @blocks
// CHECK: tir.for %[[K:.+]] = 0 to 8
// CHECK: %[[FLAGS:.+]] = tir.alloc_buffer {{.*}}: memref<1x4xi32
// CHECK: memref.store %{{.+}}, %[[FLAGS]]
// CHECK: %[[ANY:.+]] = tir.alloc_buffer {{.*}}: memref<1xi32
// CHECK: arith.ori
// CHECK: %[[FOUND:.+]] = memref.load %[[ANY]]
// CHECK: %[[NEEDED:.+]] = arith.cmpi ne, %[[FOUND]], %c0_i32 : i32
// CHECK: scf.if %[[NEEDED]] {
// The other stage, and the elements, each under its own flag.
// CHECK: %[[EXP:.+]] = tir.alloc_buffer {{.*}}: memref<1x4xf32
// CHECK: math.exp
// CHECK: %[[FLAG:.+]] = memref.load %[[FLAGS]]
// CHECK: %[[SEEN:.+]] = arith.cmpi ne, %[[FLAG]], %c0_i32 : i32
// CHECK: scf.if %[[SEEN]] {
// CHECK: memref.load %[[EXP]]
// CHECK: arith.addf
func.func @blocks(%a: tensor<8x8xf32>, %m: tensor<8x8xi32>) -> tensor<8xf32> {
  %f = te.compute "flags" (%k: 8, %i: 8) {
    %x = tensor.extract %m[%i, %k] : tensor<8x8xi32>
    te.yield %x : i32
  } : tensor<8x8xi32>
  %e = te.compute "exp" (%k: 8, %i: 8) {
    %x = tensor.extract %a[%i, %k] : tensor<8x8xf32>
    %y = math.exp %x : f32
    te.yield %y : f32
  } : tensor<8x8xf32>
  %s = te.compute "sum" (%i: 8) custom (%k: 8) identity [0.0 : f32] {
    %flag = tensor.extract %f[%k, %i] : tensor<8x8xi32>
    %zero = arith.constant 0 : i32
    %is_seen = arith.cmpi ne, %flag, %zero : i32
    %x = scf.if %is_seen -> (f32) {
      %y = tensor.extract %e[%k, %i] : tensor<8x8xf32>
      scf.yield %y : f32
    } else {
      %none = arith.constant 0.0 : f32
      scf.yield %none : f32
    }
    te.yield %x : f32
  } combiner {
  ^bb0(%old: f32, %new: f32):
    %0 = arith.addf %old, %new : f32
    te.yield %0 : f32
  } : tensor<8xf32>
  te.schedule {
    %sum = te.stage %s : tensor<8xf32>
    %i, %k = te.axes %sum
    %rows, %row = te.split %i {factor = 4 : i64}
    te.reorder %rows, %k, %row
    %flags = te.stage %f : tensor<8x8xi32>
    te.compute_at %flags, %sum, %k
    %exp = te.stage %e : tensor<8x8xf32>
    te.compute_at %exp, %sum, %k
    te.skip %sum, %k
  }
  return %s : tensor<8xf32>
}
