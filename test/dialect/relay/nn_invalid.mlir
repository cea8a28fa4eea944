// RUN: relay-opt %s --split-input-file --verify-diagnostics

func.func @dense_c1(%x: tensor<1x2x3xf32>, %y: tensor<4x3xf32>) {
  // expected-error@+2 {{expected rank 2 for operand 0, got 3 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.dense %x, %y : (tensor<1x2x3xf32>, tensor<4x3xf32>) -> tensor<1x2x4xf32>
  return
}

// -----

func.func @dense_c2(%x: tensor<2x3xf32>, %y: tensor<4x5xf32>) {
  // expected-error@+2 {{data [2, 3] and weight [4, 5] do not multiply (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.dense %x, %y : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @dense_c3(%x: tensor<2x3xf32>, %y: tensor<4x3xf64>) {
  // expected-error@+2 {{element types f32 and f64 differ (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.dense %x, %y : (tensor<2x3xf32>, tensor<4x3xf64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @dense_pack_c1(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>) {
  // expected-error@+2 {{expected rank 3 for operand 1, got 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_dense_pack %x, %y : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @dense_pack_c2(%x: tensor<2x3xf32>, %y: tensor<1x4x16xf32>) {
  // expected-error@+2 {{data [2, 3] and packed weight [1, 4, 16] do not multiply (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_dense_pack %x, %y : (tensor<2x3xf32>, tensor<1x4x16xf32>) -> tensor<2x16xf32>
  return
}

// -----

func.func @dense_pack_c3(%x: tensor<2x3xf32>, %y: tensor<1x3x16xf32>) {
  // expected-error@+2 {{there is no dimension N (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_dense_pack %x, %y {weight_layout = "MC16m"} : (tensor<2x3xf32>, tensor<1x3x16xf32>) -> tensor<2x16xf32>
  return
}

// -----

func.func @dense_pack_c3_blocks(%x: tensor<2x3xf32>, %y: tensor<1x3x8xf32>) {
  // expected-error@+2 {{weight has blocks of 8 along N, and its layout of 16 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_dense_pack %x, %y : (tensor<2x3xf32>, tensor<1x3x8xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @dense_pack_c4(%x: tensor<2x3xf32>, %y: tensor<1x3x16xf64>) {
  // expected-error@+2 {{element types f32 and f64 differ (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_dense_pack %x, %y : (tensor<2x3xf32>, tensor<1x3x16xf64>) -> tensor<2x16xf32>
  return
}

// -----

func.func @matmul_c1(%x: tensor<3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+2 {{takes matrices or batches of them, not rank 1 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.matmul %x, %y : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @matmul_c1_ranks(%x: tensor<2x3xf32>, %y: tensor<1x3x4xf32>) {
  // expected-error@+2 {{expected rank 2 for operand 1, got 3 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.matmul %x, %y : (tensor<2x3xf32>, tensor<1x3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @matmul_c2(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+2 {{[2, 3] and [3, 4] do not multiply (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.matmul %x, %y {transpose_b = true} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @batch_matmul_c3(%x: tensor<2x2x3xf32>, %y: tensor<3x3x4xf32>) {
  // expected-error@+2 {{batches 2 and 3 differ (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.batch_matmul %x, %y : (tensor<2x2x3xf32>, tensor<3x3x4xf32>) -> tensor<3x2x4xf32>
  return
}

// -----

func.func @batch_matmul_c4(%x: tensor<2x2x3xf32>, %y: tensor<2x3x4xi32>) {
  // expected-error@+2 {{element types f32 and i32 differ (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.batch_matmul %x, %y : (tensor<2x2x3xf32>, tensor<2x3x4xi32>) -> tensor<2x2x4xf32>
  return
}

// -----

func.func @bias_add_c1(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  // expected-error@+2 {{axis 2 is out of range for rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.bias_add %x, %y {axis = 2 : i64} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @bias_add_c2(%x: tensor<2x3xf32>, %y: tensor<2xf32>) {
  // expected-error@+2 {{operand 1 has shape [2], expected [3] (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.bias_add %x, %y : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @prelu_c2(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>) {
  // expected-error@+2 {{operand 1 has shape [1, 3], expected [3] (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.prelu %x, %y : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @prelu_c3(%x: tensor<2x3xf32>, %y: tensor<3xf16>) {
  // expected-error@+2 {{element types f32 and f16 differ (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.prelu %x, %y : (tensor<2x3xf32>, tensor<3xf16>) -> tensor<2x3xf32>
  return
}

// -----

func.func @batch_norm_c1(%x: tensor<2x3xf32>, %v: tensor<3xf32>) {
  // expected-error@+2 {{axis 2 is out of range for rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.batch_norm %x, %v, %v, %v, %v {axis = 2 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @batch_norm_c2(%x: tensor<2x3xf32>, %v: tensor<4xf32>) {
  // expected-error@+2 {{operand 1 has shape [4], expected [3] (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.batch_norm %x, %v, %v, %v, %v : (tensor<2x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @batch_norm_c3(%x: tensor<2x3xi32>, %v: tensor<3xi32>) {
  // expected-error@+2 {{takes floats, not i32 (C0)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.batch_norm %x, %v, %v, %v, %v : (tensor<2x3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @batch_norm_c4(%x: tensor<2x3xf32>, %v: tensor<3xf32>) {
  // expected-error@+2 {{epsilon -1 is not at least 0 (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.batch_norm %x, %v, %v, %v, %v {epsilon = -1.0} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @instance_norm_c2(%x: tensor<2x3xf32>, %v: tensor<4xf32>) {
  // expected-error@+2 {{operand 1 has shape [4], expected [3] (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.instance_norm %x, %v, %v : (tensor<2x3xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @instance_norm_c4(%x: tensor<2x3xf32>, %v: tensor<3xf32>) {
  // expected-error@+2 {{epsilon NaN is not at least 0 (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.instance_norm %x, %v, %v {epsilon = 0x7FF8000000000000 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @layer_norm_c1(%x: tensor<2x3xf32>, %v: tensor<3xf32>) {
  // expected-error@+2 {{axis -3 is out of range for rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.layer_norm %x, %v, %v {axis = -3 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @layer_norm_c3(%x: tensor<2x3xf32>, %v: tensor<3xf64>) {
  // expected-error@+2 {{element types f32 and f64 differ (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.layer_norm %x, %v, %v : (tensor<2x3xf32>, tensor<3xf64>, tensor<3xf64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @batch_flatten_c1(%x: tensor<f32>) {
  // expected-error@+2 {{takes data of rank 1 or more (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.batch_flatten %x : (tensor<f32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @lrn_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axis 4 is out of range for rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.lrn %x {axis = 4 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @lrn_c0(%x: tensor<2x3xi64>) {
  // expected-error@+2 {{takes floats, not i64 (C0)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.lrn %x : (tensor<2x3xi64>) -> tensor<2x3xi64>
  return
}

// -----

func.func @lrn_c2(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{size 0 is not at least 1 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.lrn %x {size = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @fast_softmax_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axis 2 is out of range for rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.fast_softmax %x {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @softmax_c1(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axis 2 is out of range for rank 2 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.softmax %x {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @softmax_c0(%x: tensor<2x3xi64>) {
  // expected-error@+2 {{takes floats, not i64 (C0)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.softmax %x : (tensor<2x3xi64>) -> tensor<2x3xi64>
  return
}

// -----

func.func @log_softmax_c1(%x: tensor<f32>) {
  // expected-error@+2 {{axis -1 is out of range for rank 0 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.log_softmax %x : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @pad_c1(%x: tensor<2x3xf32>, %y: tensor<1xf32>) {
  // expected-error@+2 {{expected rank 0 for operand 1, got 1 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.pad %x, %y {pad_width = array<i64: 0, 0, 0, 0>} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @pad_c2(%x: tensor<2x3xf32>, %y: tensor<f32>) {
  // expected-error@+2 {{pad_width [1, 1] is not two numbers per dimension (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.pad %x, %y {pad_width = array<i64: 1, 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @pad_c2_negative(%x: tensor<2x3xf32>, %y: tensor<f32>) {
  // expected-error@+2 {{pad_width [0, 0, 0, -1] is not two numbers per dimension (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.pad %x, %y {pad_width = array<i64: 0, 0, 0, -1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @pad_c2_overflow(%x: tensor<2x3xf32>, %y: tensor<f32>) {
  // expected-error@+2 {{a dimension of 2 + 9223372036854775807 exceeds 64 bits (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.pad %x, %y {pad_width = array<i64: 9223372036854775807, 0, 0, 0>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @pad_c3_reflect(%x: tensor<2x3xf32>, %y: tensor<f32>) {
  // expected-error@+2 {{reflect takes 4 elements of dimension 1, which has 3 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.pad %x, %y {pad_width = array<i64: 0, 0, 0, 3>, pad_mode = "reflect"} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @pad_c3_edge(%x: tensor<0xf32>, %y: tensor<f32>) {
  // expected-error@+2 {{edge takes 1 elements of dimension 0, which has 0 (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.pad %x, %y {pad_width = array<i64: 1, 0>, pad_mode = "edge"} : (tensor<0xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

func.func @pad_c4(%x: tensor<2x3xf32>, %y: tensor<f32>) {
  // expected-error@+2 {{pad_mode 'wrap' is none of constant, edge, reflect (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.pad %x, %y {pad_width = array<i64: 0, 0, 0, 0>, pad_mode = "wrap"} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @pad_c5(%x: tensor<2x3xf32>, %y: tensor<i64>) {
  // expected-error@+2 {{element types f32 and i64 differ (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.pad %x, %y {pad_width = array<i64: 0, 0, 0, 0>} : (tensor<2x3xf32>, tensor<i64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @depth_to_space_c1(%x: tensor<4x2x2xf32>) {
  // expected-error@+2 {{expected rank 4 for operand 0, got 3 (C1)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.depth_to_space %x {block_size = 2 : i64} : (tensor<4x2x2xf32>) -> tensor<1x4x4xf32>
  return
}

// -----

func.func @depth_to_space_c2(%x: tensor<1x6x2x2xf32>) {
  // expected-error@+2 {{6 channels do not make blocks of 2 by 2 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.depth_to_space %x {block_size = 2 : i64} : (tensor<1x6x2x2xf32>) -> tensor<1x1x4x4xf32>
  return
}

// -----

func.func @depth_to_space_c2_zero(%x: tensor<1x4x2x2xf32>) {
  // expected-error@+2 {{4 channels do not make blocks of 0 by 0 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.depth_to_space %x {block_size = 0 : i64} : (tensor<1x4x2x2xf32>) -> tensor<1x1x4x4xf32>
  return
}

// -----

func.func @depth_to_space_c2_extreme(%x: tensor<1x4x2x2xf32>) {
  // expected-error@+2 {{4 channels do not make blocks of 9223372036854775807 by 9223372036854775807 (C2)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.depth_to_space %x {block_size = 9223372036854775807 : i64} : (tensor<1x4x2x2xf32>) -> tensor<1x1x4x4xf32>
  return
}

// -----

func.func @depth_to_space_c3(%x: tensor<1x4x2x2xf32>) {
  // expected-error@+2 {{mode 'DRC' is none of DCR, CDR (C3)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.depth_to_space %x {block_size = 2 : i64, mode = "DRC"} : (tensor<1x4x2x2xf32>) -> tensor<1x1x4x4xf32>
  return
}

// -----

func.func @dense_c4(%x: tensor<2x8xf32>, %y: tensor<4x8xf32>) {
  // expected-error@+2 {{units is 5, but by the type of the weight it is 4 (C4)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.dense %x, %y {units = 5 : i64} : (tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @dense_pack_c5(%x: tensor<2x8xf32>, %y: tensor<1x8x16xf32>) {
  // expected-error@+2 {{units is 15, but by the type of the weight it is 16 (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.contrib_dense_pack %x, %y {units = 15 : i64} : (tensor<2x8xf32>, tensor<1x8x16xf32>) -> tensor<2x16xf32>
  return
}

// -----

func.func @matmul_c5(%x: tensor<2x8xf32>, %y: tensor<8x4xf32>) {
  // expected-error@+2 {{units is 8, but by the type of the weight it is 4 (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.matmul %x, %y {units = 8 : i64} : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @group_norm_c5(%x: tensor<2x6x3xf32>, %g: tensor<6xf32>, %b: tensor<6xf32>) {
  // expected-error@+2 {{6 elements of axis 1 are not 4 groups (C5)}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = relay.nn.group_norm %x, %g, %b {num_groups = 4 : i64} : (tensor<2x6x3xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<2x6x3xf32>
  return
}
