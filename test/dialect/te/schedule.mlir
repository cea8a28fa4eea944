// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @primitives
func.func @primitives(%a: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %c = te.compute "c" (%i: 32, %j: 48) {
    %x = tensor.extract %a[%i, %j] : tensor<32x48xf32>
    te.yield %x : f32
  } : tensor<32x48xf32>
  // CHECK: te.schedule {
  te.schedule {
    // Handles are named after what they stand for.
    // CHECK: %c.stage = te.stage %c : tensor<32x48xf32>
    // CHECK: %c.local.stage = te.cache_write %c.stage in local
    // CHECK: %i, %j = te.axes %c.stage
    // CHECK: %i.outer, %i.inner = te.split %i {factor = 4 : i64}
    // CHECK: te.reorder %i.outer, %j, %i.inner
    // CHECK: te.compute_at %c.local.stage, %c.stage, %i.outer
    // CHECK: te.parallel %i.outer
    // CHECK: te.vectorize %i.inner
    %s = te.stage %c : tensor<32x48xf32>
    %cache = te.cache_write %s in local
    %i, %j = te.axes %s
    %io, %ii = te.split %i {factor = 4}
    te.reorder %io, %j, %ii
    te.compute_at %cache, %s, %io
    te.parallel %io
    te.vectorize %ii
  }
  return %c : tensor<32x48xf32>
}

// CHECK-LABEL: func.func @stages_and_buffers
func.func @stages_and_buffers(%a: tensor<32x48xf32>) -> tensor<32xf32> {
  %c = te.compute "c" (%i: 32) sum (%k: 48) {
    %x = tensor.extract %a[%i, %k] : tensor<32x48xf32>
    te.yield %x : f32
  } : tensor<32xf32>
  te.schedule {
    // CHECK: %[[S:.+]] = te.stage
    // CHECK: %[[READ:.+]] = te.cache_read %{{.+}} for %[[S]] in local : tensor<32x48xf32>
    // CHECK: te.split %{{.+}} {disable_predication, factor = 4 : i64}
    // CHECK: %[[RF:.+]] = te.rfactor %[[S]], %{{.+}} {factor_axis = 1 : i64}
    // CHECK: %i.k.outer.k.inner.fused = te.fuse %i, %k.outer, %k.inner
    // CHECK: te.transform_layout %[[RF]] {map = #{{.+}}}
    // CHECK: te.storage_align %[[READ]], %{{.+}} {factor = 16 : i64, offset = 1 : i64}
    // CHECK: te.double_buffer %[[READ]]
    // CHECK: te.rolling_buffer %[[READ]]
    // CHECK: te.prefetch %{{.+}}, %{{.+}} {offset = 2 : i64} : tensor<32x48xf32>
    // CHECK: te.prefetch %{{.+}}, %{{.+}} into l2 over %{{.+}} {every = 4 : i64, offset = 4 : i64} : tensor<32x48xf32>
    // CHECK: te.bind %{{.+}} blockIdx.x
    // CHECK: te.pragma %{{.+}} auto_unroll_max_step = 16
    // CHECK: te.tensorize %{{.+}} {intrin = @dot}
    %s = te.stage %c : tensor<32xf32>
    %read = te.cache_read %a for %s in local : tensor<32x48xf32>
    %ri, %rk = te.axes %read
    %i, %k = te.axes %s
    %ko, %ki = te.split %k {factor = 4, disable_predication}
    %rf = te.rfactor %s, %ki {factor_axis = 1}
    %f = te.fuse %i, %ko, %ki
    te.transform_layout %rf {map = affine_map<(d0, d1) -> (d1, d0)>}
    te.storage_align %read, %ri {factor = 16, offset = 1}
    te.double_buffer %read
    te.rolling_buffer %read
    te.prefetch %a, %i {offset = 2} : tensor<32x48xf32>
    te.prefetch %a, %i into l2 over %ko {offset = 4, every = 4} : tensor<32x48xf32>
    te.bind %i blockIdx.x
    te.pragma %i auto_unroll_max_step = 16
    te.tensorize %i {intrin = @dot}
  }
  return %c : tensor<32xf32>
}
