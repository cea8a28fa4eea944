// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @result(%x: tensor<f32>) {
  // expected-error@+1 {{'relay.fn' op the body yields tensor<2xf32>, expected tensor<f32> (C2)}}
  %0 = relay.fn(%y: tensor<2xf32>) -> tensor<f32> {
    relay.yield %y : tensor<2xf32>
  }
  return
}

// -----

func.func @end(%x: tensor<f32>) {
  // expected-error@+1 {{'relay.fn' op the body does not end in a relay.yield of one value of type tensor<f32> (C2)}}
  %0 = relay.fn() -> tensor<f32> {
    relay.yield
  }
  return
}

// -----

func.func @parameters() {
  // expected-error@+1 {{'relay.fn' op has parameters of types [tensor<2xf32>], expected [tensor<f32>] (C1)}}
  %0 = "relay.fn"() ({
  ^bb0(%x: tensor<2xf32>):
    relay.yield %x : tensor<2xf32>
  }) : () -> ((tensor<f32>) -> tensor<2xf32>)
  return
}

// -----

func.func @self() {
  // expected-error@+1 {{'relay.fn' op has a name of type tensor<f32> for itself, expected (tensor<f32>) -> tensor<f32> (C3)}}
  %0 = "relay.fn"() ({
  ^bb0(%self: tensor<f32>, %x: tensor<f32>):
    relay.yield %x : tensor<f32>
  }) {recursive} : () -> ((tensor<f32>) -> tensor<f32>)
  return
}

// -----

func.func @arguments(%f: (tensor<f32>) -> tensor<f32>, %x: tensor<f32>) {
  // expected-error@+1 {{'relay.call' op has 2 arguments, but the callee has 1 parameters (C1)}}
  %0 = relay.call %f(%x, %x) : ((tensor<f32>) -> tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @argument(%f: (tensor<f32>) -> tensor<f32>, %x: tensor<2xf32>) {
  // expected-error@+1 {{'relay.call' op argument 0 is tensor<2xf32>, but the parameter is tensor<f32> (C1)}}
  %0 = relay.call %f(%x) : ((tensor<f32>) -> tensor<f32>, tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func @gives(%f: (tensor<f32>) -> tensor<f32>, %x: tensor<f32>) {
  // expected-error@+1 {{'relay.call' op gives tensor<i32>, but the callee gives tensor<f32> (C1)}}
  %0 = relay.call %f(%x) : ((tensor<f32>) -> tensor<f32>, tensor<f32>) -> tensor<i32>
  return
}

// -----

func.func @no_function(%x: tensor<f32>) {
  // expected-error@+1 {{'relay.call' op calls a value of type tensor<f32>, expected a function (C1)}}
  %0 = relay.call %x() : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @unknown() {
  // expected-error@+1 {{'relay.global' op there is no function @nobody (C1)}}
  %0 = relay.global @nobody : () -> tensor<f32>
  return
}

// -----

func.func private @pair(!relay.type_var<"A">, !relay.type_var<"A">) -> tensor<f32> attributes {relay.type_params = ["A"]}
func.func @instance() {
  // expected-error@+1 {{'relay.global' op is of type (tensor<f32>, tensor<i32>) -> tensor<f32>, but @pair is (!relay.type_var<"A">, !relay.type_var<"A">) -> tensor<f32> (C2)}}
  %0 = relay.global @pair : (tensor<f32>, tensor<i32>) -> tensor<f32>
  return
}

// -----

// expected-error@+1 {{has the attribute 'relay.type_params' = [1]; expected one of type array of strings}}
func.func private @attribute() attributes {relay.type_params = [1]}

// -----

func.func @used_as_it_is(%x: tensor<f32>) {
  // expected-error@+1 {{'relay.fn' op has type parameters, and is used by 'relay.call', which does not say what they stand for (C4)}}
  %0 = relay.fn(%y: !relay.type_var<"A">) -> !relay.type_var<"A"> attributes {relay.type_params = ["A"]} {
    relay.yield %y : !relay.type_var<"A">
  }
  %1 = relay.call %0(%x) : ((!relay.type_var<"A">) -> !relay.type_var<"A">, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @instance_of_another(%f: (tensor<f32>) -> tensor<f32>) {
  // expected-error@+1 {{'relay.instantiate' op takes no relay.fn with type parameters (C1)}}
  %0 = relay.instantiate %f : ((tensor<f32>) -> tensor<f32>) -> ((tensor<f32>) -> tensor<f32>)
  return
}

// -----

func.func @instance_of_another_type() {
  %0 = relay.fn(%y: !relay.type_var<"A">) -> !relay.type_var<"A"> attributes {relay.type_params = ["A"]} {
    relay.yield %y : !relay.type_var<"A">
  }
  // expected-error@+1 {{'relay.instantiate' op gives (tensor<f32>) -> tensor<i32>, but the function is (!relay.type_var<"A">) -> !relay.type_var<"A"> (C2)}}
  %1 = relay.instantiate %0 : ((!relay.type_var<"A">) -> !relay.type_var<"A">) -> ((tensor<f32>) -> tensor<i32>)
  return
}
