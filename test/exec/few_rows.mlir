// Products of few rows with matrices that no core's cache holds, against numpy in double precision: columns
// that vectors divide and that they do not, an epilogue, matrices in a batch, a matrix whose rows are the
// units; the same bits with one thread and with two.
// RUN: %python %S/Inputs/few_rows.py inputs %t.in.npz
// RUN: relayc run %s --threads 1 --inputs %t.in.npz --outputs %t.1.npz
// RUN: relayc run %s --threads 2 --inputs %t.in.npz --outputs %t.2.npz
// RUN: %python %S/Inputs/few_rows.py check %t.in.npz %t.1.npz %t.2.npz

func.func @main(%one_a: tensor<1x1024xf32> {relay.name = "one_a"},
                %one_b: tensor<1024x1024xf32> {relay.name = "one_b"},
                %three_a: tensor<3x1030xf32> {relay.name = "three_a"},
                %three_b: tensor<1030x1000xf32> {relay.name = "three_b"},
                %four_a: tensor<4x700xf32> {relay.name = "four_a"},
                %four_b: tensor<700x1536xf32> {relay.name = "four_b"},
                %bias: tensor<1536xf32> {relay.name = "bias"},
                %batch_a: tensor<2x2x640xf32> {relay.name = "batch_a"},
                %batch_b: tensor<2x640x1536xf32> {relay.name = "batch_b"},
                %units_a: tensor<4x600xf32> {relay.name = "units_a"},
                %units_b: tensor<1300x600xf32> {relay.name = "units_b"})
    -> (tensor<1x1024xf32> {relay.name = "one"},
        tensor<3x1000xf32> {relay.name = "three"},
        tensor<4x1536xf32> {relay.name = "relu"},
        tensor<2x2x1536xf32> {relay.name = "batch"},
        tensor<4x1300xf32> {relay.name = "units"}) {
  %one = relay.nn.matmul %one_a, %one_b {transpose_a = false, transpose_b = false} : (tensor<1x1024xf32>, tensor<1024x1024xf32>) -> tensor<1x1024xf32>
  %three = relay.nn.matmul %three_a, %three_b {transpose_a = false, transpose_b = false} : (tensor<3x1030xf32>, tensor<1030x1000xf32>) -> tensor<3x1000xf32>
  %four = relay.nn.matmul %four_a, %four_b {transpose_a = false, transpose_b = false} : (tensor<4x700xf32>, tensor<700x1536xf32>) -> tensor<4x1536xf32>
  %biased = relay.add %four, %bias : (tensor<4x1536xf32>, tensor<1536xf32>) -> tensor<4x1536xf32>
  %relu = relay.nn.relu %biased : (tensor<4x1536xf32>) -> tensor<4x1536xf32>
  %batch = relay.nn.batch_matmul %batch_a, %batch_b {transpose_a = false, transpose_b = false} : (tensor<2x2x640xf32>, tensor<2x640x1536xf32>) -> tensor<2x2x1536xf32>
  %units = relay.nn.dense %units_a, %units_b : (tensor<4x600xf32>, tensor<1300x600xf32>) -> tensor<4x1300xf32>
  return %one, %three, %relu, %batch, %units
      : tensor<1x1024xf32>, tensor<3x1000xf32>, tensor<4x1536xf32>, tensor<2x2x1536xf32>, tensor<4x1300xf32>
}
