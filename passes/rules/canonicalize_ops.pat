// The rule of `canonicalize-ops`.

// Later passes know one addition. New dimensions behind the bias's own let it broadcast along its axis.
rule bias_add {
  match %o = nn.bias_add(%x, %bias)
  with  %x + expand_dims(%bias) {axis = 1, num_newaxis = rank(%x) - 1 - axis(%o.axis, rank(%x))}?
}
