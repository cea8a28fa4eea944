// A run checks the positions of updates before it makes them: each once.
// RUN: relay-opt %s --check-cache-updates --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[A:.+]]: tensor<4x8xf32>, %[[B:.+]]: tensor<4x8xf32>, %[[NEW:.+]]: tensor<4x1xf32>, %[[AT:.+]]: tensor<i64>)
// CHECK-NEXT: relay.dim_of %[[AT]] {most = 7 : i64, symbol = "cache_position"}
// CHECK-NEXT: relay.cache_update %[[A]]
// CHECK-NEXT: relay.cache_update %[[B]]
func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %new: tensor<4x1xf32>, %at: tensor<i64>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = relay.cache_update %a, %new, %at {axis = 1 : i64} : (tensor<4x8xf32>, tensor<4x1xf32>, tensor<i64>) -> tensor<4x8xf32>
  %1 = relay.cache_update %b, %new, %at {axis = 1 : i64} : (tensor<4x8xf32>, tensor<4x1xf32>, tensor<i64>) -> tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// Each sample has a position. The name of a symbol is free.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[PAST:.+]]: tensor<2x{{.+}}, %[[NEW:.+]]: tensor<2x{{.+}}, %[[AT:.+]]: tensor<2xi32>)
// CHECK-NEXT: %[[WIDE:.+]] = relay.cast %[[AT]] {dtype = i64}
// CHECK-NEXT: %[[LEAST:.+]] = relay.min %[[WIDE]]
// CHECK-NEXT: %[[MOST:.+]] = relay.max %[[WIDE]]
// CHECK-NEXT: relay.dim_of %[[LEAST]] {most = "cache_position - n", symbol = "cache_position_2"}
// CHECK-NEXT: relay.dim_of %[[MOST]] {most = "cache_position - n", symbol = "cache_position_3"}
func.func @main(%past: tensor<2x?xf32, ["cache_position"]>, %new: tensor<2x?xf32, ["n"]>, %at: tensor<2xi32>) -> tensor<2x?xf32, ["cache_position"]> {
  %0 = relay.cache_update %past, %new, %at {axis = 1 : i64}
    : (tensor<2x?xf32, ["cache_position"]>, tensor<2x?xf32, ["n"]>, tensor<2xi32>) -> tensor<2x?xf32, ["cache_position"]>
  return %0 : tensor<2x?xf32, ["cache_position"]>
}

// -----

// A position that fits is not checked; in a branch none is.
// CHECK-LABEL: func.func @main
// CHECK-NOT: relay.dim_of
func.func @main(%past: tensor<4x8xf32>, %new: tensor<4x1xf32>, %is: tensor<i1>, %at: tensor<i64>) -> tensor<4x8xf32> {
  %first = relay.constant dense<7> : tensor<i64>
  %0 = relay.cache_update %past, %new, %first {axis = 1 : i64} : (tensor<4x8xf32>, tensor<4x1xf32>, tensor<i64>) -> tensor<4x8xf32>
  %1 = relay.if %is : (tensor<i1>) -> tensor<4x8xf32> {
    %2 = relay.cache_update %0, %new, %at {axis = 1 : i64} : (tensor<4x8xf32>, tensor<4x1xf32>, tensor<i64>) -> tensor<4x8xf32>
    relay.yield %2 : tensor<4x8xf32>
  } else {
    relay.yield %0 : tensor<4x8xf32>
  }
  return %1 : tensor<4x8xf32>
}
