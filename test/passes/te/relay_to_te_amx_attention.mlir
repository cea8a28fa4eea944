// An attention of bf16 for machines that multiply AMX tiles: scores, softmax and values for a block of rows.
// RUN: relay-opt %s --target=sapphirerapids --relay-to-te | FileCheck %s
// RUN: relay-opt %s --target=sapphirerapids --relay-to-te --lower-te --loop-partition --tir-simplify | FileCheck %s --check-prefix=LOOPS

// Keys and values are put in pairs of rows, for each tile of columns of a block of 16 rows.
// CHECK-LABEL: func.func private @attention
// CHECK-DAG: %[[KEYS:.+]] = te.cache_read %arg1
// CHECK-DAG: %[[VALUES:.+]] = te.cache_read %arg2
// CHECK: te.split %{{.+}} {factor = 16 : i64}
// CHECK: te.parallel
// CHECK: te.tensorize %{{.+}} {intrin = @amx_16x32x52by26_of_pairs}
// CHECK: te.transform_layout %[[VALUES]]
// CHECK: te.tensorize %{{.+}} {intrin = @amx_pairs_of_rows}
// CHECK: te.tensorize %{{.+}} {intrin = @amx_16x32x32by32_of_pairs}
// CHECK: te.transform_layout %[[KEYS]]
// CHECK: te.tensorize %{{.+}} {intrin = @amx_pairs_of_rows}

// What the softmax makes of a block's scores is bf16, of which tiles are read; columns that tiles do not divide have the
// last tile moved inwards.
// LOOPS-LABEL: func.func private @attention
// LOOPS: parallel
// LOOPS: arith.minsi
// LOOPS: amx.tile_load %arg0
// LOOPS: amx.tile_mulf
// LOOPS: arith.truncf {{.*}} to bf16
// LOOPS: memref.store %{{[0-9]+}}, %[[WEIGHTS:[a-z_0-9]+]][{{.+}}] : memref<1x16x52xbf16
// LOOPS: amx.tile_load %[[WEIGHTS]]
func.func private @attention(%q: tensor<2x64x32xbf16>, %k: tensor<2x32x52xbf16>, %v: tensor<2x52x32xbf16>) -> tensor<2x64x32xf32> attributes {relay.primitive} {
  %c = relay.constant dense<0.5> : tensor<f32>
  %0 = relay.nn.batch_matmul %q, %k : (tensor<2x64x32xbf16>, tensor<2x32x52xbf16>) -> tensor<2x64x52xbf16>
  %1 = relay.cast %0 {dtype = f32} : (tensor<2x64x52xbf16>) -> tensor<2x64x52xf32>
  %2 = relay.multiply %1, %c : (tensor<2x64x52xf32>, tensor<f32>) -> tensor<2x64x52xf32>
  %3 = relay.nn.softmax %2 {axis = -1 : i64} : (tensor<2x64x52xf32>) -> tensor<2x64x52xf32>
  %4 = relay.cast %3 {dtype = bf16} : (tensor<2x64x52xf32>) -> tensor<2x64x52xbf16>
  %5 = relay.nn.batch_matmul %4, %v : (tensor<2x64x52xbf16>, tensor<2x52x32xbf16>) -> tensor<2x64x32xbf16>
  %6 = relay.cast %5 {dtype = f32} : (tensor<2x64x32xbf16>) -> tensor<2x64x32xf32>
  return %6 : tensor<2x64x32xf32>
}
