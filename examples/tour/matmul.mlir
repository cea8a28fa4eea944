// A matmul as a tensor expression with a schedule: the tour of the README.

func.func private @matmul(%a: tensor<32x64xf32>, %b: tensor<64x48xf32>) -> tensor<32x48xf32> {
  %m = te.compute "m" (%i: 32, %j: 48) sum (%k: 64) {
    %x = tensor.extract %a[%i, %k] : tensor<32x64xf32>
    %y = tensor.extract %b[%k, %j] : tensor<64x48xf32>
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  } : tensor<32x48xf32>
  te.schedule {
    %s = te.stage %m : tensor<32x48xf32>
    %c = te.cache_write %s in local
    %i, %j = te.axes %s
    %io, %ii = te.split %i {factor = 4}
    %jo, %ji = te.split %j {factor = 16}
    te.reorder %io, %jo, %ii, %ji
    te.unroll %ii
    te.vectorize %ji
    te.parallel %io
    te.compute_at %c, %s, %jo
    %ci, %cj, %ck = te.axes %c
    te.reorder %ck, %ci, %cj
    te.unroll %ci
    te.vectorize %cj
  }
  return %m : tensor<32x48xf32>
}
func.func @main(%a: tensor<32x64xf32> {relay.name = "a"}, %b: tensor<64x48xf32> {relay.name = "b"})
    -> (tensor<32x48xf32> {relay.name = "c"}) {
  %0 = call @matmul(%a, %b) : (tensor<32x64xf32>, tensor<64x48xf32>) -> tensor<32x48xf32>
  return %0 : tensor<32x48xf32>
}
