// The rules of `simplify-inference`: normalisations as arithmetic that fuses, and whose constant part folds. Vectors belong
// to one axis of the data; new dimensions behind theirs let them broadcast along it.

// The mean and the variance are operands, and often constants: then all but one product and one sum can be folded.
rule batch_norm {
  match %o = nn.batch_norm(%x, %gamma, %beta, %mean, %variance)
  let   behind = rank(%x) - 1 - axis(%o.axis, rank(%x))
  let   %scale = rsqrt(%variance + %o.epsilon) * %gamma
  let   %shift = %beta - %mean * %scale
  with  %x * expand_dims(%scale) {axis = 1, num_newaxis = behind}? + expand_dims(%shift) {axis = 1, num_newaxis = behind}?
}

// The mean and the variance are those of all axes but the batch and the channels. Where there is no such axis, the operator
// stays: a mean over an empty list of axes is one over all of them.
rule instance_norm {
  match %o = nn.instance_norm(%x, %gamma, %beta)
  let   axes = without(range(rank(%x)), [0, axis(%o.axis, rank(%x))])
  where length(axes) > 0
  let   behind = rank(%x) - 1 - axis(%o.axis, rank(%x))
  let   %centred = %x - mean(%x) {axis = axes, keepdims = true}
  let   %variance = mean(%centred * %centred) {axis = axes, keepdims = true}
  let   %normal = %centred * rsqrt(%variance + %o.epsilon)
  with  %normal * expand_dims(%gamma) {axis = 1, num_newaxis = behind}? + expand_dims(%beta) {axis = 1, num_newaxis = behind}?
}

// The mean and the variance are those of one axis.
rule layer_norm {
  match %o = nn.layer_norm(%x, %gamma, %beta)
  let   place = axis(%o.axis, rank(%x))
  let   behind = rank(%x) - 1 - place
  let   %centred = %x - mean(%x) {axis = [place], keepdims = true}
  let   %variance = mean(%centred * %centred) {axis = [place], keepdims = true}
  let   %normal = %centred * rsqrt(%variance + %o.epsilon)
  with  %normal * expand_dims(%gamma) {axis = 1, num_newaxis = behind}? + expand_dims(%beta) {axis = 1, num_newaxis = behind}?
}
