// The rules of `fast-math`: functions as their approximations.

rule fast_exp {
  match exp(%x)
  with  fast_exp(%x)
}

rule fast_erf {
  match erf(%x)
  with  fast_erf(%x)
}

rule fast_tanh {
  match tanh(%x)
  with  fast_tanh(%x)
}

rule fast_softmax {
  match %s = nn.softmax(%x)
  with  nn.fast_softmax(%x) {%s}
}
