// A scheduled matmul with a fused epilogue against numpy, at one and two threads.
// RUN: %python %S/Inputs/matmul.py inputs %t.in.npz
// RUN: relayc compile %s -o %t.so
// RUN: relayc run %t.so --inputs %t.in.npz --outputs %t.1.npz --threads 1
// RUN: relayc run %t.so --inputs %t.in.npz --outputs %t.2.npz --threads 2
// RUN: %python %S/Inputs/matmul.py check %t.in.npz %t.1.npz %t.2.npz

func.func private @dense(%a: tensor<33x64xf32>, %b: tensor<64x48xf32>, %c: tensor<48xf32>) -> tensor<33x48xf32> {
  %zero = arith.constant 0.0 : f32
  %m = te.compute "m" (%i: 33, %j: 48) sum (%k: 64) {
    %x = tensor.extract %a[%i, %k] : tensor<33x64xf32>
    %y = tensor.extract %b[%k, %j] : tensor<64x48xf32>
    %p = arith.mulf %x, %y : f32
    te.yield %p : f32
  } : tensor<33x48xf32>
  %r = te.compute "r" (%i: 33, %j: 48) {
    %x = tensor.extract %m[%i, %j] : tensor<33x48xf32>
    %y = tensor.extract %c[%j] : tensor<48xf32>
    %p = arith.addf %x, %y : f32
    %q = arith.maximumf %p, %zero : f32
    te.yield %q : f32
  } : tensor<33x48xf32>
  te.schedule {
    %s = te.stage %r : tensor<33x48xf32>
    %i, %j = te.axes %s
    %io, %ii = te.split %i {factor = 5}
    %jo, %ji = te.split %j {factor = 16}
    te.reorder %jo, %io, %ii, %ji
    te.vectorize %ji
    te.unroll %ii
    te.parallel %jo
    %t = te.stage %m : tensor<33x48xf32>
    te.set_scope %t local
    te.compute_at %t, %s, %io
    %mi, %mj, %mk = te.axes %t
    te.reorder %mk, %mi, %mj
    te.unroll %mi
    te.vectorize %mj
  }
  return %r : tensor<33x48xf32>
}

func.func @main(%a: tensor<33x64xf32> {relay.name = "a"}, %b: tensor<64x48xf32> {relay.name = "b"}, %c: tensor<48xf32> {relay.name = "c"}) -> (tensor<33x48xf32> {relay.name = "out"}) {
  %0 = call @dense(%a, %b, %c) : (tensor<33x64xf32>, tensor<64x48xf32>, tensor<48xf32>) -> tensor<33x48xf32>
  return %0 : tensor<33x48xf32>
}
