// RUN: relay-opt %s --defunctionalization --split-input-file --verify-diagnostics

// expected-error @+1 {{takes or gives functions: an entry cannot}}
func.func @main(%f: (tensor<f32>) -> tensor<f32>, %x: tensor<f32>) -> tensor<f32> {
  %0 = relay.call %f(%x) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func private @abs(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = relay.abs %x : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @call(%f: (tensor<2xf32>) -> tensor<2xf32>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = relay.call %f(%x) : ((tensor<2xf32>) -> tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{give both the same dimensions}}
  %f = relay.global @abs : (tensor<2xf32>) -> tensor<2xf32>
  %0 = func.call @call(%f, %x) : ((tensor<2xf32>) -> tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// expected-error @+1 {{has type parameters, which an entry cannot have}}
func.func @main(%x: !relay.type_var<"A">) -> !relay.type_var<"A"> attributes {relay.type_params = ["A"]} {
  return %x : !relay.type_var<"A">
}

// -----

// expected-error @+1 {{has no function @main to be an entry}}
module {
}
