// Dimensions that must be equal: one form stands for both, and the module says which the library has to compare.
// RUN: relay-opt %s --equate-dims --split-input-file | FileCheck %s

// CHECK: module attributes {relay.conditions = {{\[\[}}"n", "m", "sum"]]}
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32, ["n"]>, %[[Y:.*]]: tensor<?xf32, ["m"]>) -> tensor<?xf32, ["n"]>
// CHECK-NEXT: %[[SAME:.*]] = relay.reshape %[[Y]] {newshape = ["n"]} : (tensor<?xf32, ["m"]>) -> tensor<?xf32, ["n"]>
// CHECK-NEXT: %[[SUM:.*]] = relay.add %[[X]], %[[SAME]]
// CHECK-NEXT: relay.multiply %[[SAME]], %[[SUM]]
func.func @main(%x: tensor<?xf32, ["n"]>, %y: tensor<?xf32, ["m"]>) -> tensor<?xf32, ["m"]> {
  %0 = relay.add %x, %y : (tensor<?xf32, ["n"]>, tensor<?xf32, ["m"]>) -> tensor<?xf32, ["m"]> loc("sum")
  %1 = relay.multiply %y, %0 : (tensor<?xf32, ["m"]>, tensor<?xf32, ["m"]>) -> tensor<?xf32, ["m"]> loc("product")
  return %1 : tensor<?xf32, ["m"]>
}

// -----

// A table bounds the length: its part has as many rows as there are words.
// CHECK: module attributes {relay.conditions = {{\[\[}}"n", "min(n, 512)", "sum"]]}
// CHECK-LABEL: func.func @table
// CHECK: %[[PART:.*]] = relay.strided_slice {{.*}} -> tensor<?x4xf32, ["min(n, 512)"]>
// CHECK-NEXT: %[[ROWS:.*]] = relay.reshape %[[PART]] {newshape = ["n", 4]}
// CHECK-NEXT: relay.add %{{.*}}, %[[ROWS]] : {{.*}} -> tensor<?x4xf32, ["n"]>
func.func @table(%x: tensor<?x4xf32, ["n"]>, %t: tensor<512x4xf32>) -> tensor<?x4xf32, ["min(n, 512)"]> {
  %0 = relay.strided_slice %t {begin = array<i64: 0>, end = ["n"], strides = array<i64: 1>, axes = array<i64: 0>}
    : (tensor<512x4xf32>) -> tensor<?x4xf32, ["min(n, 512)"]>
  %1 = relay.add %x, %0
    : (tensor<?x4xf32, ["n"]>, tensor<?x4xf32, ["min(n, 512)"]>) -> tensor<?x4xf32, ["min(n, 512)"]> loc("sum")
  return %1 : tensor<?x4xf32, ["min(n, 512)"]>
}

// -----

// A number stands for a symbol, and a sum for another one.
// CHECK: module attributes {relay.conditions = {{\[\[}}"n", 3, "fixed"], ["m + n", "k", "joined"]]}
// CHECK-LABEL: func.func @several
// CHECK: relay.reshape %{{.*}} {newshape = array<i64: 3>} : (tensor<?xf32, ["n"]>) -> tensor<3xf32>
// CHECK: relay.add %{{.*}} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
// CHECK: relay.concatenate {{.*}} -> tensor<?xf32, ["m + 3"]>
func.func @several(%x: tensor<?xf32, ["n"]>, %y: tensor<3xf32>, %z: tensor<?xf32, ["m"]>, %w: tensor<?xf32, ["k"]>)
    -> tensor<?xf32, ["k"]> {
  %0 = relay.add %x, %y : (tensor<?xf32, ["n"]>, tensor<3xf32>) -> tensor<3xf32> loc("fixed")
  %1 = relay.concatenate %x, %z {axis = 0 : i64}
    : (tensor<?xf32, ["n"]>, tensor<?xf32, ["m"]>) -> tensor<?xf32, ["m + n"]>
  %2 = relay.add %1, %w : (tensor<?xf32, ["m + n"]>, tensor<?xf32, ["k"]>) -> tensor<?xf32, ["k"]> loc("joined")
  return %2 : tensor<?xf32, ["k"]>
}

// -----

// Nothing is to be done where forms are the same.
// CHECK-NOT: relay.conditions
// CHECK-LABEL: func.func @same
// CHECK-NOT: relay.reshape
func.func @same(%x: tensor<?xf32, ["n"]>, %y: tensor<?xf32, ["n"]>) -> tensor<?xf32, ["n"]> {
  %0 = relay.add %x, %y : (tensor<?xf32, ["n"]>, tensor<?xf32, ["n"]>) -> tensor<?xf32, ["n"]>
  return %0 : tensor<?xf32, ["n"]>
}

// -----

// What a run compares needs no condition.
// CHECK-NOT: relay.conditions
// CHECK-LABEL: func.func @compared
// CHECK: relay.dim_of %{{.*}} {least = "n", most = "n", of = "k", symbol = "same"}
// CHECK-NEXT: relay.add %{{.*}}, %{{.*}} : (tensor<?xf32, ["n"]>, tensor<?xf32, ["k"]>)
func.func @compared(%x: tensor<?xf32, ["n"]>, %y: tensor<8xf32>, %count: tensor<i64>) -> tensor<?xf32, ["k"]> {
  relay.dim_of %count {symbol = "k", most = 8 : i64} : (tensor<i64>) -> ()
  %0 = relay.prefix %y {axis = 0 : i64, extent = ["k"]} : (tensor<8xf32>) -> tensor<?xf32, ["k"]>
  relay.dim_of %count {symbol = "same", least = "n", most = "n", of = "k"} : (tensor<i64>) -> ()
  %1 = relay.add %x, %0 : (tensor<?xf32, ["n"]>, tensor<?xf32, ["k"]>) -> tensor<?xf32, ["k"]>
  return %1 : tensor<?xf32, ["k"]>
}
