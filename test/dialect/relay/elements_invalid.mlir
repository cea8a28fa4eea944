// RUN: relay-opt %s --split-input-file --verify-diagnostics

// What is no number ends in a diagnostic, not where somebody asks for its width.

func.func @vector(%x: tensor<2xvector<4xf32>>) {
  // expected-error@+2 {{operand 0 is of vector<4xf32>, no element type (C0)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.abs %x : (tensor<2xvector<4xf32>>) -> tensor<2xvector<4xf32>>
  return
}

// -----

func.func @complex(%x: tensor<2xcomplex<f32>>) {
  // expected-error@+2 {{operand 0 is of complex<f32>, no element type (C0)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.copy %x : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return
}

// -----

func.func @index(%x: tensor<1x8xindex>, %w: tensor<24x8xindex>) {
  // expected-error@+2 {{operand 0 is of index, no element type (C0)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.dense %x, %w : (tensor<1x8xindex>, tensor<24x8xindex>) -> tensor<1x24xindex>
  return
}

// -----

func.func @second(%x: tensor<4xi8>, %y: tensor<4xi3>) {
  // expected-error@+2 {{operand 1 is of i3, no element type (C0)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.add %x, %y : (tensor<4xi8>, tensor<4xi3>) -> tensor<4xi8>
  return
}

// -----

func.func @unsigned(%x: tensor<4xui8>) {
  // expected-error@+2 {{takes floats, not ui8 (C0)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.exp %x : (tensor<4xui8>) -> tensor<4xui8>
  return
}

// -----

func.func @booleans(%x: tensor<4xi1>) {
  // expected-error@+2 {{takes integers or floats, not i1 (C0)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.multiply %x, %x : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @constant() {
  // expected-error@+1 {{is of index, no element type (C1)}}
  %0 = relay.constant dense<1> : tensor<2xindex>
  return
}
