// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @prefix_c1(%x: tensor<2x6xi64>) {
  // expected-error@+2 {{axis 2 is out of range for rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.prefix %x {axis = 2 : i64, extent = array<i64: 1>} : (tensor<2x6xi64>) -> tensor<2x1xi64>
  return
}

// -----

func.func @prefix_c2(%x: tensor<2x6xi64>) {
  // expected-error@+2 {{7 of 6 elements are asked for (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.prefix %x {axis = 1 : i64, extent = array<i64: 7>} : (tensor<2x6xi64>) -> tensor<2x7xi64>
  return
}

// -----

func.func @prefix_c2_of_two(%x: tensor<2x6xi64>) {
  // expected-error@+2 {{extent is [1, 2], not one dimension (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.prefix %x {axis = 1 : i64, extent = array<i64: 1, 2>} : (tensor<2x6xi64>) -> tensor<2x1xi64>
  return
}

// -----

func.func @boxes_c1(%b: tensor<1x8x4xf32>, %s: tensor<1x3x9xf32>, %n: tensor<i64>, %t: tensor<f32>) {
  // expected-error@+2 {{boxes tensor<1x8x4xf32> and scores tensor<1x3x9xf32> do not fit (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = relay.vision.all_class_non_max_suppression %b, %s, %n, %t, %t {most = array<i64: 4>}
    : (tensor<1x8x4xf32>, tensor<1x3x9xf32>, tensor<i64>, tensor<f32>, tensor<f32>) -> (tensor<12x3xi64>, tensor<i64>)
  return
}

// -----

func.func @boxes_c2(%b: tensor<1x9x4xf32>, %s: tensor<1x3x9xf32>, %n: tensor<i32>, %t: tensor<f32>) {
  // expected-error@+2 {{the limits are not an i64 and two f32 of rank 0 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = relay.vision.all_class_non_max_suppression %b, %s, %n, %t, %t {most = array<i64: 4>}
    : (tensor<1x9x4xf32>, tensor<1x3x9xf32>, tensor<i32>, tensor<f32>, tensor<f32>) -> (tensor<12x3xi64>, tensor<i64>)
  return
}

// -----

func.func @boxes_c3(%b: tensor<1x9x4xf32>, %s: tensor<1x3x9xf32>, %n: tensor<i64>, %t: tensor<f32>) {
  // expected-error@+2 {{most is [-4], not one dimension (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = relay.vision.all_class_non_max_suppression %b, %s, %n, %t, %t {most = array<i64: -4>}
    : (tensor<1x9x4xf32>, tensor<1x3x9xf32>, tensor<i64>, tensor<f32>, tensor<f32>) -> (tensor<12x3xi64>, tensor<i64>)
  return
}

// -----

func.func @boxes_c4(%b: tensor<1x9x4xf32>, %s: tensor<1x3x9xf32>, %n: tensor<i64>, %i: tensor<f32>, %t: tensor<f32>) {
  // expected-error@+2 {{output_format 'tensorflow' is none of onnx (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:2 = relay.vision.all_class_non_max_suppression %b, %s, %n, %i, %t {output_format = "tensorflow"} : (tensor<1x9x4xf32>, tensor<1x3x9xf32>, tensor<i64>, tensor<f32>, tensor<f32>) -> (tensor<27x3xi64>, tensor<1xi64>)
  return
}
