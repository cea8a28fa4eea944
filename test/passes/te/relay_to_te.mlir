// RUN: relay-opt %s --relay-to-te | FileCheck %s

// What reads the product element by element, here twice, is computed while its tile is in registers.
// CHECK-LABEL: func.func private @silu
// CHECK: %[[PRODUCT:.+]] = te.compute "matmul" ({{.*}}) sum (%{{.+}}: 32)
// CHECK: %[[GATE:.+]] = te.compute "sigmoid" (
// CHECK: %[[RESULT:.+]] = te.compute "multiply" (
// CHECK: te.schedule
// CHECK: %[[INNER:.+]] = te.stage %[[GATE]]
// CHECK-NEXT: te.compute_inline %[[INNER]]
// CHECK: %[[LAST:.+]] = te.stage %[[RESULT]]
// CHECK: %[[STAGE:.+]] = te.stage %[[PRODUCT]]
// CHECK-NEXT: te.set_scope %[[STAGE]] local
// CHECK: te.compute_at %[[STAGE]], %[[LAST]],
func.func private @silu(%x: tensor<64x32xf32>, %w: tensor<32x64xf32>) -> tensor<64x64xf32> attributes {relay.primitive} {
  %0 = relay.nn.matmul %x, %w {transpose_a = false, transpose_b = false} : (tensor<64x32xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  %1 = relay.sigmoid %0 : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = relay.multiply %0, %1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// A reader that permutes the elements is no epilogue: the product goes to memory.
// CHECK-LABEL: func.func private @transposed
// CHECK: %[[PRODUCT:.+]] = te.compute "matmul" ({{.*}}) sum (%{{.+}}: 32)
// CHECK: te.schedule
// CHECK: %[[STAGE:.+]] = te.stage %[[PRODUCT]]
// CHECK-NEXT: %[[TILE:.+]] = te.cache_write %[[STAGE]] in local
// CHECK: te.compute_at %[[TILE]], %[[STAGE]],
// CHECK-NOT: te.compute_at
// CHECK: return
func.func private @transposed(%x: tensor<64x32xf32>, %w: tensor<32x64xf32>) -> tensor<64x64xf32> attributes {relay.primitive} {
  %0 = relay.nn.matmul %x, %w {transpose_a = false, transpose_b = false} : (tensor<64x32xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  %1 = relay.transpose %0 {axes = array<i64: 1, 0>} : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = relay.add %0, %1 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// A scalar constant becomes part of the expression.
// CHECK-LABEL: func.func private @halved
// CHECK: arith.constant 5.000000e-01 : f32
// CHECK: te.schedule
func.func private @halved(%x: tensor<4xf32>) -> tensor<4xf32> attributes {relay.primitive} {
  %half = relay.constant dense<0.5> : tensor<f32>
  %0 = relay.multiply %x, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// bf16 is computed in f32. A product widens all of its data before, and of its weight what a tile of columns
// reads; its result is rounded when its epilogue is done.
// CHECK-LABEL: func.func private @narrow
// CHECK: %[[X:.*]] = te.compute "widen"
// CHECK: %[[F:.*]] = arith.extf %{{.*}} fastmath<contract> : bf16 to f32
// CHECK-NEXT: te.yield %[[F]]
// CHECK: %[[W:.*]] = te.compute "widen"
// CHECK: %[[M:.*]] = te.compute "matmul"
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: } : tensor<64x64xf32>
// CHECK: %[[N:.*]] = te.compute "narrow"
// CHECK: arith.truncf %{{.*}} fastmath<contract> : f32 to bf16
// CHECK: } : tensor<64x64xbf16>
// CHECK: te.schedule
// CHECK: %[[XS:.*]] = te.stage %[[X]]
// CHECK-NOT: te.compute_inline
// CHECK: %[[NS:.*]] = te.stage %[[N]]
// CHECK: %[[WS:.*]] = te.stage %[[W]]
// CHECK-NEXT: te.compute_at %[[WS]], %[[NS]], %{{.*}}
func.func private @narrow(%x: tensor<64x32xbf16>, %w: tensor<32x64xbf16>) -> tensor<64x64xbf16> attributes {relay.primitive} {
  %0 = relay.nn.matmul %x, %w : (tensor<64x32xbf16>, tensor<32x64xbf16>) -> tensor<64x64xbf16>
  return %0 : tensor<64x64xbf16>
}

// With few rows, vectors of the weight are widened where they are read.
// CHECK-LABEL: func.func private @few_rows
// CHECK: te.compute "widen"
// CHECK: %[[W:.*]] = te.compute "widen"
// CHECK: te.schedule
// CHECK: %[[WS:.*]] = te.stage %[[W]]
// CHECK-NEXT: te.compute_inline %[[WS]]
func.func private @few_rows(%x: tensor<8x32xbf16>, %w: tensor<32x64xbf16>) -> tensor<8x64xbf16> attributes {relay.primitive} {
  %0 = relay.nn.matmul %x, %w : (tensor<8x32xbf16>, tensor<32x64xbf16>) -> tensor<8x64xbf16>
  return %0 : tensor<8x64xbf16>
}

// Rows of a function that takes many instructions are vectors, also where another stage computes it...
// CHECK-LABEL: func.func private @gelu
// CHECK: te.compute_inline
// CHECK: %[[LAST:.+]] = te.stage
// CHECK: %i0, %i1 = te.axes %[[LAST]]
// CHECK: %{{.+}}, %[[LANE:.+]] = te.split %i1 {factor = 16 : i64}
// CHECK-NEXT: te.vectorize %[[LANE]]
// CHECK-NEXT: te.fuse %i0
func.func private @gelu(%x: tensor<64x1001xf32>) -> tensor<64x1001xf32> attributes {relay.primitive} {
  %0 = relay.erf %x : (tensor<64x1001xf32>) -> tensor<64x1001xf32>
  %1 = relay.multiply %x, %0 : (tensor<64x1001xf32>, tensor<64x1001xf32>) -> tensor<64x1001xf32>
  return %1 : tensor<64x1001xf32>
}

// ... and threads share the vectors if there is one row.
// CHECK-LABEL: func.func private @one_row
// CHECK: %[[OUTER:.+]], %[[LANE:.+]] = te.split %{{.+}} {factor = 16 : i64}
// CHECK-NEXT: te.vectorize %[[LANE]]
// CHECK-NEXT: te.parallel %[[OUTER]]
func.func private @one_row(%x: tensor<100003xf32>) -> tensor<100003xf32> attributes {relay.primitive} {
  %0 = relay.exp %x : (tensor<100003xf32>) -> tensor<100003xf32>
  return %0 : tensor<100003xf32>
}

// Rows of other functions are LLVM's.
// CHECK-LABEL: func.func private @plain
// CHECK-NOT: te.vectorize
func.func private @plain(%x: tensor<64x1001xf32>) -> tensor<64x1001xf32> attributes {relay.primitive} {
  %0 = relay.nn.relu %x : (tensor<64x1001xf32>) -> tensor<64x1001xf32>
  return %0 : tensor<64x1001xf32>
}

// What only reshapes becomes a view later; other functions are not primitive.
// CHECK-LABEL: func.func private @view
// CHECK: relay.reshape
// CHECK-NOT: te.
func.func private @view(%x: tensor<4xf32>) -> tensor<2x2xf32> attributes {relay.primitive, tir.kernel = #tir.kernel<view>} {
  %0 = relay.reshape %x {newshape = array<i64: 2, 2>} : (tensor<4xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @main
// CHECK: relay.abs
// CHECK-NOT: te.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
