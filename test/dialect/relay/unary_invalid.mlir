// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @result(%x: tensor<3xf32>) {
  // expected-error@+2 {{are incompatible with return type(s) of operation}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.relu %x : (tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @unary_c0_float(%x: tensor<3xi64>) {
  // expected-error@+2 {{takes floats, not i64 (C0)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.exp %x : (tensor<3xi64>) -> tensor<3xi64>
  return
}

// -----

func.func @unary_c0_boolean(%x: tensor<3xf32>) {
  // expected-error@+2 {{takes booleans, not f32 (C0)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.logical_not %x : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @clip_c1(%x: tensor<3xf32>) {
  // expected-error@+2 {{a_min 2 is not at most a_max 1 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.clip %x {a_min = 2.0, a_max = 1.0} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @clip_c1_nan(%x: tensor<3xf32>) {
  // expected-error@+2 {{a_min NaN is not at most a_max 1 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.clip %x {a_min = 0x7FF8000000000000 : f64, a_max = 1.0} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @cast_c1(%x: tensor<3xf32>) {
  // expected-error@+2 {{dtype is index, no element type (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.cast %x {dtype = index} : (tensor<3xf32>) -> tensor<3xindex>
  return
}

// -----

func.func @reinterpret_c1(%x: tensor<3xf32>) {
  // expected-error@+2 {{f32 has 32 bits, and f16 has 16 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.reinterpret %x {dtype = f16} : (tensor<3xf32>) -> tensor<3xf16>
  return
}

// -----

// Nothing is computed with what is only stored.
func.func @stored_only_c0(%x: tensor<3xf8E4M3FN>) {
  // expected-error@+2 {{C0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.abs %x : (tensor<3xf8E4M3FN>) -> tensor<3xf8E4M3FN>
  return
}

// -----

func.func @isnan_c0(%x: tensor<3xi32>) {
  // expected-error@+2 {{takes floats, not i32 (C0)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.isnan %x : (tensor<3xi32>) -> tensor<3xi1>
  return
}
