// The rules of `div-to-mul`.

// The reciprocal of a constant is a constant, which fold-constant computes.
rule div_to_mul {
  match %x / %c: constant
  where element(%c) is float and not const(%x)
  with  %x * (1 / %c)
}
