// Products of inputs against numpy in double precision: vectors, columns, dot and outer products, rows
// shorter than a vector, many rows; the same bits with one thread and with two.
// RUN: %python %S/Inputs/products.py inputs %t.in.npz
// RUN: relayc run %s --threads 1 --inputs %t.in.npz --outputs %t.1.npz
// RUN: relayc run %s --threads 2 --inputs %t.in.npz --outputs %t.2.npz
// RUN: %python %S/Inputs/products.py check %t.in.npz %t.1.npz %t.2.npz

func.func @main(%vector_a: tensor<1x300xf32> {relay.name = "vector_a"},
                %vector_b: tensor<300x520xf32> {relay.name = "vector_b"},
                %few_a: tensor<4x70xf32> {relay.name = "few_a"},
                %few_b: tensor<70x33xf32> {relay.name = "few_b"},
                %column_a: tensor<50x300xf32> {relay.name = "column_a"},
                %column_b: tensor<300x1xf32> {relay.name = "column_b"},
                %dot_a: tensor<1x5000xf32> {relay.name = "dot_a"},
                %dot_b: tensor<5000x1xf32> {relay.name = "dot_b"},
                %outer_a: tensor<70x1xf32> {relay.name = "outer_a"},
                %outer_b: tensor<1x45xf32> {relay.name = "outer_b"},
                %narrow_a: tensor<100x60xf32> {relay.name = "narrow_a"},
                %narrow_b: tensor<60x8xf32> {relay.name = "narrow_b"},
                %five_a: tensor<300x30xf32> {relay.name = "five_a"},
                %five_b: tensor<30x5xf32> {relay.name = "five_b"},
                %copied_a: tensor<130x260xf32> {relay.name = "copied_a"},
                %copied_b: tensor<260x512xf32> {relay.name = "copied_b"},
                %ragged_a: tensor<224x260xf32> {relay.name = "ragged_a"},
                %ragged_b: tensor<260x500xf32> {relay.name = "ragged_b"},
                %many_a: tensor<300x40xf32> {relay.name = "many_a"},
                %many_b: tensor<40x21xf32> {relay.name = "many_b"},
                %eight_a: tensor<30x8x50xf32> {relay.name = "eight_a"},
                %eight_b: tensor<30x50x8xf32> {relay.name = "eight_b"},
                %twelve_a: tensor<7x12x40xf32> {relay.name = "twelve_a"},
                %twelve_b: tensor<7x40x12xf32> {relay.name = "twelve_b"},
                %four_a: tensor<9x4x64xf32> {relay.name = "four_a"},
                %four_b: tensor<9x64x4xf32> {relay.name = "four_b"},
                %seven_a: tensor<5x7x32xf32> {relay.name = "seven_a"},
                %seven_b: tensor<5x32x7xf32> {relay.name = "seven_b"},
                %three_a: tensor<6x5x20xf32> {relay.name = "three_a"},
                %three_b: tensor<6x20x3xf32> {relay.name = "three_b"},
                %strided_a: tensor<2x96x40xf32> {relay.name = "strided_a"},
                %strided_b: tensor<2x40x512xf32> {relay.name = "strided_b"},
                %scores_a: tensor<2x1000x40xf32> {relay.name = "scores_a"},
                %scores_b: tensor<2x40x1024xf32> {relay.name = "scores_b"},
                %keys_a: tensor<12x1x64xf32> {relay.name = "keys_a"},
                %keys_c: tensor<1x12x100x64xf32> {relay.name = "keys_c"})
    -> (tensor<1x520xf32> {relay.name = "vector"},
        tensor<4x33xf32> {relay.name = "few"},
        tensor<50x1xf32> {relay.name = "column"},
        tensor<1x1xf32> {relay.name = "dot"},
        tensor<70x45xf32> {relay.name = "outer"},
        tensor<100x8xf32> {relay.name = "narrow"},
        tensor<300x5xf32> {relay.name = "five"},
        tensor<130x512xf32> {relay.name = "copied"},
        tensor<224x500xf32> {relay.name = "ragged"},
        tensor<300x21xf32> {relay.name = "many"},
        tensor<30x8x8xf32> {relay.name = "eight"},
        tensor<7x12x12xf32> {relay.name = "twelve"},
        tensor<9x4x4xf32> {relay.name = "four"},
        tensor<5x7x7xf32> {relay.name = "seven"},
        tensor<6x5x3xf32> {relay.name = "three"},
        tensor<2x96x512xf32> {relay.name = "strided"},
        tensor<2x1000x1024xf32> {relay.name = "scores"},
        tensor<12x1x100xf32> {relay.name = "keys"}) {
  %vector_t = relay.transpose %vector_b {axes = array<i64: 1, 0>} : (tensor<300x520xf32>) -> tensor<520x300xf32>
  %vector = relay.nn.dense %vector_a, %vector_t : (tensor<1x300xf32>, tensor<520x300xf32>) -> tensor<1x520xf32>
  %few_t = relay.transpose %few_b {axes = array<i64: 1, 0>} : (tensor<70x33xf32>) -> tensor<33x70xf32>
  %few = relay.nn.dense %few_a, %few_t : (tensor<4x70xf32>, tensor<33x70xf32>) -> tensor<4x33xf32>
  %column_t = relay.transpose %column_b {axes = array<i64: 1, 0>} : (tensor<300x1xf32>) -> tensor<1x300xf32>
  %column = relay.nn.dense %column_a, %column_t : (tensor<50x300xf32>, tensor<1x300xf32>) -> tensor<50x1xf32>
  %dot_t = relay.transpose %dot_b {axes = array<i64: 1, 0>} : (tensor<5000x1xf32>) -> tensor<1x5000xf32>
  %dot = relay.nn.dense %dot_a, %dot_t : (tensor<1x5000xf32>, tensor<1x5000xf32>) -> tensor<1x1xf32>
  %outer_t = relay.transpose %outer_b {axes = array<i64: 1, 0>} : (tensor<1x45xf32>) -> tensor<45x1xf32>
  %outer = relay.nn.dense %outer_a, %outer_t : (tensor<70x1xf32>, tensor<45x1xf32>) -> tensor<70x45xf32>
  %narrow_t = relay.transpose %narrow_b {axes = array<i64: 1, 0>} : (tensor<60x8xf32>) -> tensor<8x60xf32>
  %narrow = relay.nn.dense %narrow_a, %narrow_t : (tensor<100x60xf32>, tensor<8x60xf32>) -> tensor<100x8xf32>
  %five_t = relay.transpose %five_b {axes = array<i64: 1, 0>} : (tensor<30x5xf32>) -> tensor<5x30xf32>
  %five = relay.nn.dense %five_a, %five_t : (tensor<300x30xf32>, tensor<5x30xf32>) -> tensor<300x5xf32>
  %copied_t = relay.transpose %copied_b {axes = array<i64: 1, 0>} : (tensor<260x512xf32>) -> tensor<512x260xf32>
  %copied = relay.nn.dense %copied_a, %copied_t : (tensor<130x260xf32>, tensor<512x260xf32>) -> tensor<130x512xf32>
  %ragged_t = relay.transpose %ragged_b {axes = array<i64: 1, 0>} : (tensor<260x500xf32>) -> tensor<500x260xf32>
  %ragged = relay.nn.dense %ragged_a, %ragged_t : (tensor<224x260xf32>, tensor<500x260xf32>) -> tensor<224x500xf32>
  %many_t = relay.transpose %many_b {axes = array<i64: 1, 0>} : (tensor<40x21xf32>) -> tensor<21x40xf32>
  %many = relay.nn.dense %many_a, %many_t : (tensor<300x40xf32>, tensor<21x40xf32>) -> tensor<300x21xf32>
  %eight = relay.nn.batch_matmul %eight_a, %eight_b : (tensor<30x8x50xf32>, tensor<30x50x8xf32>) -> tensor<30x8x8xf32>
  %twelve = relay.nn.batch_matmul %twelve_a, %twelve_b : (tensor<7x12x40xf32>, tensor<7x40x12xf32>) -> tensor<7x12x12xf32>
  %four = relay.nn.batch_matmul %four_a, %four_b : (tensor<9x4x64xf32>, tensor<9x64x4xf32>) -> tensor<9x4x4xf32>
  %seven = relay.nn.batch_matmul %seven_a, %seven_b : (tensor<5x7x32xf32>, tensor<5x32x7xf32>) -> tensor<5x7x7xf32>
  %three = relay.nn.batch_matmul %three_a, %three_b : (tensor<6x5x20xf32>, tensor<6x20x3xf32>) -> tensor<6x5x3xf32>
  %strided = relay.nn.batch_matmul %strided_a, %strided_b : (tensor<2x96x40xf32>, tensor<2x40x512xf32>) -> tensor<2x96x512xf32>
  %scores = relay.nn.batch_matmul %scores_a, %scores_b {transpose_a = false, transpose_b = false} : (tensor<2x1000x40xf32>, tensor<2x40x1024xf32>) -> tensor<2x1000x1024xf32>
  %keys_t = relay.transpose %keys_c {axes = array<i64: 0, 1, 3, 2>} : (tensor<1x12x100x64xf32>) -> tensor<1x12x64x100xf32>
  %keys_b = relay.reshape %keys_t {newshape = array<i64: 12, 64, 100>} : (tensor<1x12x64x100xf32>) -> tensor<12x64x100xf32>
  %keys = relay.nn.batch_matmul %keys_a, %keys_b : (tensor<12x1x64xf32>, tensor<12x64x100xf32>) -> tensor<12x1x100xf32>
  return %vector, %few, %column, %dot, %outer, %narrow, %five, %copied, %ragged, %many, %eight, %twelve, %four, %seven, %three, %strided, %scores, %keys
      : tensor<1x520xf32>, tensor<4x33xf32>, tensor<50x1xf32>, tensor<1x1xf32>, tensor<70x45xf32>, tensor<100x8xf32>, tensor<300x5xf32>, tensor<130x512xf32>, tensor<224x500xf32>, tensor<300x21xf32>, tensor<30x8x8xf32>, tensor<7x12x12xf32>, tensor<9x4x4xf32>, tensor<5x7x7xf32>, tensor<6x5x3xf32>, tensor<2x96x512xf32>, tensor<2x1000x1024xf32>, tensor<12x1x100xf32>
}
