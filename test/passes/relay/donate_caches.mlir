// A cache that the model gets and gives back may lie in one place.
// RUN: relay-opt %s --donate-caches --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: (%{{.+}}: tensor<4x8xf32> {relay.donated = 1 : i64, relay.name = "past"}, %{{.+}}: tensor<4x1xf32>, %{{.+}}: tensor<i64>)
func.func @main(%past: tensor<4x8xf32> {relay.name = "past"}, %new: tensor<4x1xf32>, %at: tensor<i64>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = relay.cache_update %past, %new, %at {axis = 1 : i64} : (tensor<4x8xf32>, tensor<4x1xf32>, tensor<i64>) -> tensor<4x8xf32>
  %1 = relay.abs %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1, %0 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// Another reader wants the old rows.
// CHECK-LABEL: func.func @main
// CHECK-NOT: relay.donated
func.func @main(%past: tensor<4x8xf32>, %new: tensor<4x1xf32>, %at: tensor<i64>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = relay.cache_update %past, %new, %at {axis = 1 : i64} : (tensor<4x8xf32>, tensor<4x1xf32>, tensor<i64>) -> tensor<4x8xf32>
  %1 = relay.abs %past : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1, %0 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// The update is no result, or more than one; the input is what is new, and no cache.
// CHECK-LABEL: func.func @main
// CHECK-NOT: relay.donated
func.func @main(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<4x8xf32>, %new: tensor<4x1xf32>, %at: tensor<i64>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = relay.cache_update %a, %new, %at {axis = 1 : i64} : (tensor<4x8xf32>, tensor<4x1xf32>, tensor<i64>) -> tensor<4x8xf32>
  %1 = relay.cache_update %b, %new, %at {axis = 1 : i64} : (tensor<4x8xf32>, tensor<4x1xf32>, tensor<i64>) -> tensor<4x8xf32>
  %2 = relay.abs %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = relay.cache_update %2, %c, %at {axis = 1 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<i64>) -> tensor<4x8xf32>
  return %1, %3, %1 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// What is said already stays.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%{{.+}}: tensor<4x8xf32> {relay.donated = 0 : i64}, %{{.+}}: tensor<4x8xf32>, %{{.+}}: tensor<4x1xf32>, %{{.+}}: tensor<i64>)
func.func @main(%other: tensor<4x8xf32> {relay.donated = 0 : i64}, %past: tensor<4x8xf32>, %new: tensor<4x1xf32>, %at: tensor<i64>) -> tensor<4x8xf32> {
  %0 = relay.cache_update %past, %new, %at {axis = 1 : i64} : (tensor<4x8xf32>, tensor<4x1xf32>, tensor<i64>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
