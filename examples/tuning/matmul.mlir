// The matmul of AutoTVM's tutorial. Its schedule has knobs: what stands here is one choice of them.
func.func private @matmul(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %c = te.compute "matmul" (%y: 512, %x: 512) sum (%k: 512) {
    %l = tensor.extract %a[%y, %k] : tensor<512x512xf32>
    %r = tensor.extract %b[%k, %x] : tensor<512x512xf32>
    %p = arith.mulf %l, %r : f32
    te.yield %p : f32
  } : tensor<512x512xf32>
  te.schedule {
    %s = te.stage %c : tensor<512x512xf32>
    %y, %x, %k = te.axes %s
    te.knob "tile_y" of %y {max = 32 : i64}
    te.knob "tile_x" of %x {policy = "power2"}
    te.knob "unroll" from [0, 1]
    %yo, %yi = te.split %y {factor = 1 : i64, te.by = "tile_y"}
    %xo, %xi = te.split %x {factor = 16 : i64, te.by = "tile_x"}
    te.reorder %yo, %xo, %k, %yi, %xi
    te.unroll %yi {te.by = "unroll"}
    te.vectorize %xi
    te.parallel %yo
  }
  return %c : tensor<512x512xf32>
}

func.func @main(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %c = call @matmul(%a, %b) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  return %c : tensor<512x512xf32>
}
