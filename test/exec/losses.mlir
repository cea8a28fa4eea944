// Norms, losses and sums of what broadcasts repeat, against numpy.
// RUN: %python %S/Inputs/losses.py inputs %t.in.npz
// RUN: relayc run %s --inputs %t.in.npz --outputs %t.out.npz
// RUN: %python %S/Inputs/losses.py check %t.in.npz %t.out.npz

func.func @main(%x: tensor<2x3x4xf32> {relay.name = "x"}, %p: tensor<5x4xf32> {relay.name = "p"},
                %q: tensor<5x4xf32> {relay.name = "q"}, %like: tensor<3x1xf32> {relay.name = "like"},
                %i: tensor<40xi32> {relay.name = "i"})
    -> (tensor<2x3x4xf32> {relay.name = "normal"}, tensor<f32> {relay.name = "entropy"}, tensor<f32> {relay.name = "of_logits"},
        tensor<2x3x4xf32> {relay.name = "kept"}, tensor<2x3x4xf32> {relay.name = "mask"}, tensor<3x1xf32> {relay.name = "sum"},
        tensor<2x1x4xf32> {relay.name = "sum_to"}, tensor<40xi32> {relay.name = "less"}, tensor<40xi32> {relay.name = "more"}) {
  %normal = relay.nn.l2_normalize %x {eps = 0.5, axis = array<i64: 1, -1>} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %entropy = relay.nn.cross_entropy %p, %q : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<f32>
  %of_logits = relay.nn.cross_entropy_with_logits %p, %q : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<f32>
  %kept, %mask = relay.nn.dropout %x {rate = 0.3} : (tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>)
  %sum = relay.collapse_sum_like %x, %like : (tensor<2x3x4xf32>, tensor<3x1xf32>) -> tensor<3x1xf32>
  %sum_to = relay.collapse_sum_to %x {shape = array<i64: 2, 1, 4>} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
  %less = relay.fixed_point_multiply %i {multiplier = 1518500250 : i64, shift = -3 : i64} : (tensor<40xi32>) -> tensor<40xi32>
  %more = relay.fixed_point_multiply %i {multiplier = -1073741824 : i64, shift = 2 : i64} : (tensor<40xi32>) -> tensor<40xi32>
  return %normal, %entropy, %of_logits, %kept, %mask, %sum, %sum_to, %less, %more
    : tensor<2x3x4xf32>, tensor<f32>, tensor<f32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<3x1xf32>, tensor<2x1x4xf32>,
      tensor<40xi32>, tensor<40xi32>
}
