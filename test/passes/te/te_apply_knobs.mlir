// A schedule with knobs is a template: a choice makes a schedule of it.
// RUN: relay-opt %s --te-apply-knobs='config="tile_y=64 tile_x=32 order=4 unroll=0"' | FileCheck %s
// RUN: relay-opt %s --te-apply-knobs | FileCheck %s --check-prefix=DEFAULT
// RUN: relay-opt %s | relay-opt | FileCheck %s --check-prefix=PRINTED
// RUN: relay-opt %s --lower-te | FileCheck %s --check-prefix=LOOPS
// RUN: not relay-opt %s --te-apply-knobs='config="tile_y=3"' 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not relay-opt %s --te-apply-knobs='config="tile_z=4"' 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not relay-opt %s --te-apply-knobs='config=tile_z' 2>&1 | FileCheck %s --check-prefix=TEXT

// CHECK-NOT: te.knob
// CHECK: te.split %y {factor = 64 : i64}
// CHECK: te.split %x {factor = 32 : i64}
// The fifth of the orders of three: the third, the first, the second.
// CHECK: te.reorder %k, %y.outer, %x.outer
// CHECK-NOT: te.unroll

// DEFAULT-NOT: te.knob
// DEFAULT: te.split %y {factor = 8 : i64}
// DEFAULT: te.reorder %y.outer, %x.outer, %k
// DEFAULT: te.unroll %y.inner

// PRINTED: te.knob "tile_y" of %y {max = 64 : i64}
// PRINTED: te.knob "order" of %y.outer, %x.outer, %k
// PRINTED: te.knob "unroll" from [0, 1]

// LOOPS: tir.for %{{.*}} = 0 to 16

// NUMBER: error: 'te.schedule' op knob 'tile_y' cannot be 3
// NAME: error: 'te.schedule' op there is no knob 'tile_z', but tile_y, tile_x, order, unroll
// TEXT: 'tile_z' is no knob and its number, such as tile=8

func.func @matmul(%a: tensor<128x128xf32>, %b: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c = te.compute "c" (%y: 128, %x: 128) sum (%k: 128) {
    %l = tensor.extract %a[%y, %k] : tensor<128x128xf32>
    %r = tensor.extract %b[%k, %x] : tensor<128x128xf32>
    %p = arith.mulf %l, %r : f32
    te.yield %p : f32
  } : tensor<128x128xf32>
  te.schedule {
    %s = te.stage %c : tensor<128x128xf32>
    %y, %x, %k = te.axes %s
    te.knob "tile_y" of %y {max = 64 : i64}
    te.knob "tile_x" of %x {max = 64 : i64, policy = "power2"}
    %yo, %yi = te.split %y {factor = 8 : i64, te.by = "tile_y"}
    %xo, %xi = te.split %x {factor = 16 : i64, te.by = "tile_x"}
    te.knob "order" of %yo, %xo, %k
    te.reorder %yo, %xo, %k {te.by = "order"}
    te.reorder %yi, %xi
    te.knob "unroll" from [0, 1]
    te.unroll %yi {te.by = "unroll"}
    te.vectorize %xi
  }
  return %c : tensor<128x128xf32>
}
