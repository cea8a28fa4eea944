// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @tuple
func.func @tuple(%x: tensor<2xf32>, %y: tensor<3xi64>) -> tensor<3xi64> {
  // CHECK: relay.tuple %{{.+}}, %{{.+}} : (tensor<2xf32>, tensor<3xi64>) -> tuple<tensor<2xf32>, tensor<3xi64>>
  %0 = relay.tuple %x, %y : (tensor<2xf32>, tensor<3xi64>) -> tuple<tensor<2xf32>, tensor<3xi64>>
  // CHECK: relay.tuple_get %{{.+}} {index = 1 : i64}
  %1 = relay.tuple_get %0 {index = 1 : i64} : (tuple<tensor<2xf32>, tensor<3xi64>>) -> tensor<3xi64>
  return %1 : tensor<3xi64>
}

// CHECK-LABEL: func.func @if
func.func @if(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: relay.if %{{.+}} : (tensor<i1>) -> tensor<2xf32> {
  // CHECK: relay.constant dense<1.000000e+00> : tensor<2xf32>
  // CHECK: } else {
  // CHECK: relay.yield %{{.+}} : tensor<2xf32>
  %0 = relay.if %c : (tensor<i1>) -> tensor<2xf32> {
    %1 = relay.constant dense<1.0> : tensor<2xf32>
    relay.yield %1 : tensor<2xf32>
  } else {
    relay.yield %x : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @scan
func.func @scan(%first: tensor<4xf32>, %xs: tensor<?x4xf32, ["n"]>) -> (tensor<4xf32>, tensor<?x4xf32, ["n"]>) {
  // CHECK: relay.scan %{{.+}}, %{{.+}} {reversed = array<i64: 1, 0>, states = 1 : i64, trips = ["n"]}
  // CHECK-SAME: : (tensor<4xf32>, tensor<?x4xf32, ["n"]>) -> (tensor<4xf32>, tensor<?x4xf32, ["n"]>) {
  // CHECK: ^bb0(%{{.+}}: tensor<i64>, %{{.+}}: tensor<4xf32>, %{{.+}}: tensor<4xf32>):
  // CHECK: relay.yield %{{.+}}, %{{.+}} : tensor<4xf32>, tensor<4xf32>
  %last, %sums = relay.scan %first, %xs {states = 1 : i64, trips = ["n"], reversed = array<i64: 1, 0>}
      : (tensor<4xf32>, tensor<?x4xf32, ["n"]>) -> (tensor<4xf32>, tensor<?x4xf32, ["n"]>) {
  ^bb0(%step: tensor<i64>, %before: tensor<4xf32>, %x: tensor<4xf32>):
    %next = relay.add %before, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    relay.yield %next, %next : tensor<4xf32>, tensor<4xf32>
  }
  return %last, %sums : tensor<4xf32>, tensor<?x4xf32, ["n"]>
}

// CHECK-LABEL: func.func @while
func.func @while(%trips: tensor<i64>, %go: tensor<i1>, %first: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: relay.while %{{.+}}, %{{.+}}, %{{.+}} : (tensor<i64>, tensor<i1>, tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: ^bb0(%{{.+}}: tensor<i64>, %{{.+}}: tensor<4xf32>):
  %0 = relay.while %trips, %go, %first : (tensor<i64>, tensor<i1>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%step: tensor<i64>, %before: tensor<4xf32>):
    %next = relay.add %before, %before : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    relay.yield %go, %next : tensor<i1>, tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @lowered
func.func @lowered(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: relay.call_lowered @kernel(%{{.+}}) : (tensor<2xf32>) -> tensor<2xf32>
  %0 = relay.call_lowered @kernel(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @kernel(%x: memref<2xf32>, %y: memref<2xf32>)

// CHECK-LABEL: func.func @dim_of
func.func @dim_of(%n: tensor<i64>) {
  // CHECK: relay.dim_of %{{.+}} {symbol = "k"} : (tensor<i64>) -> ()
  relay.dim_of %n {symbol = "k"} : (tensor<i64>) -> ()
  // CHECK: relay.dim_of %{{.+}} {least = 2 : i64, most = "2*k", symbol = "m"} : (tensor<i64>) -> ()
  relay.dim_of %n {symbol = "m", least = 2 : i64, most = "2*k"} : (tensor<i64>) -> ()
  return
}
