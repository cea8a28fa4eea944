// RUN: %roundtrip | FileCheck %s

// CHECK-LABEL: func.func @closure
func.func @closure(%x: tensor<f32>) -> tensor<f32> {
  // CHECK: %[[F:.+]] = relay.fn(%{{.+}}: tensor<f32>, %{{.+}}: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: relay.add %{{.+}}, %{{.+}}
  %f = relay.fn(%y: tensor<f32>, %z: tensor<2xf32>) -> tensor<2xf32> {
    %0 = relay.add %y, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %1 = relay.add %0, %z : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
    relay.yield %1 : tensor<2xf32>
  }
  // CHECK: %[[LOOP:.+]] = relay.fn rec %again(%n: tensor<f32>) -> tensor<f32> {
  // CHECK-NEXT: relay.call %again(%n) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  %loop = relay.fn rec %again(%n: tensor<f32>) -> tensor<f32> {
    %0 = relay.call %again(%n) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
    relay.yield %0 : tensor<f32>
  }
  // CHECK: relay.fn() -> tensor<f32> attributes {relay.primitive} {
  %constant = relay.fn() -> tensor<f32> attributes {relay.primitive} {
    relay.yield %x : tensor<f32>
  }
  // CHECK: relay.call %[[LOOP]](%{{.+}}) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  %r = relay.call %loop(%x) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

func.func @identity(%x: !relay.type_var<"A">) -> !relay.type_var<"A"> attributes {relay.type_params = ["A"]} {
  return %x : !relay.type_var<"A">
}

// CHECK-LABEL: func.func @global
func.func @global(%x: tensor<f32>, %y: tensor<2xf32>) -> tensor<f32> {
  // CHECK: relay.global @identity : (tensor<f32>) -> tensor<f32>
  %0 = relay.global @identity : (tensor<f32>) -> tensor<f32>
  // CHECK: relay.global @identity : (tensor<2xf32>) -> tensor<2xf32>
  %1 = relay.global @identity : (tensor<2xf32>) -> tensor<2xf32>
  %2 = relay.call %1(%y) : ((tensor<2xf32>) -> tensor<2xf32>, tensor<2xf32>) -> tensor<?xf32>
  // CHECK: relay.call %{{.+}}(%{{.+}}) : (!relay.incomplete, tensor<f32>) -> !relay.incomplete
  %3 = relay.global @identity : !relay.incomplete
  %4 = relay.call %3(%x) : (!relay.incomplete, tensor<f32>) -> !relay.incomplete
  return %x : tensor<f32>
}

// CHECK-LABEL: func.func @generic
func.func @generic(%x: tensor<f32>) -> tensor<f32> {
  // CHECK: %[[ID:.+]] = relay.fn(%{{.+}}: !relay.type_var<"A">) -> !relay.type_var<"A"> attributes {relay.type_params = ["A"]} {
  %id = relay.fn(%y: !relay.type_var<"A">) -> !relay.type_var<"A"> attributes {relay.type_params = ["A"]} {
    relay.yield %y : !relay.type_var<"A">
  }
  // CHECK: relay.instantiate %[[ID]] : ((!relay.type_var<"A">) -> !relay.type_var<"A">) -> ((tensor<f32>) -> tensor<f32>)
  %0 = relay.instantiate %id : ((!relay.type_var<"A">) -> !relay.type_var<"A">) -> ((tensor<f32>) -> tensor<f32>)
  // CHECK: relay.instantiate %[[ID]] : ((!relay.type_var<"A">) -> !relay.type_var<"A">) -> !relay.incomplete
  %1 = relay.instantiate %id : ((!relay.type_var<"A">) -> !relay.type_var<"A">) -> !relay.incomplete
  %2 = relay.call %0(%x) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}
