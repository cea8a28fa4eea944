// The rules of `simplify-quantized`.

// Steps that fit into a byte stay in registers: neither the byte, nor the zero point that is added before and taken off behind it,
// changes them.

rule bytes_and_back {
  match %o = cast(%b = cast(%i = cast(round(%c = clip(_)))))
  where element(%i) == i32 and element(%o) is float
  where element(%b) == ui8 and %c.a_min >= 0 and %c.a_max <= 255
     or element(%b) == i8 and %c.a_min >= -128 and %c.a_max <= 127
  with  cast(%i) {dtype = element(%o)}
}

rule bytes_and_back_around_zero {
  match %o = (%f = cast(%b = cast((%i = cast(round(%c = clip(_)))) + %z: constant))) - %d: constant
  where element(%i) == i32 and element(%o) is float and value(%z) == value(%d) and type(%f) == type(%o)
  where element(%b) == ui8 and %c.a_min + value(%z) >= 0 and %c.a_max + value(%z) <= 255
     or element(%b) == i8 and %c.a_min + value(%z) >= -128 and %c.a_max + value(%z) <= 127
  with  cast(%i) {dtype = element(%o)}
}

// The same, of steps that are cut off as integers.

rule integers_and_back {
  match %o = cast(%b = cast(%i = clip(_)))
  where element(%i) == i32 and element(%o) is float
  where element(%b) == ui8 and %i.a_min >= 0 and %i.a_max <= 255
     or element(%b) == i8 and %i.a_min >= -128 and %i.a_max <= 127
  with  cast(%i) {dtype = element(%o)}
}

rule integers_and_back_around_zero {
  match %o = (cast(%i = clip(%x + %z: constant))) - %d: constant
  where element(%i) == i32 and element(%o) == f32 and value(%z) == value(%d) and type(%x) == type(%i)
  where max(%i.a_max, 0 - %i.a_min) <= 255
  with  cast(clip(%x) {a_min = %i.a_min - value(%z), a_max = %i.a_max - value(%z)}) {dtype = f32}
}

// A sum of dequantised tensors is quantised by two factors in the place of three.

rule scale_of_scaled_sum {
  match round(%c = clip(%o = (%s = (%p = %x * %a: constant) + (%q = %y * %b: constant)) * %d: constant))
  where element(%o) == f32 and one_use(%s) and one_use(%p) and one_use(%q)
  where type(%x) == type(%o) and type(%y) == type(%o)
  where normal(value(%a) * value(%d)) and normal(value(%b) * value(%d))
  with  round(clip(%x * constant(value(%a) * value(%d), type(%a)) + %y * constant(value(%b) * value(%d), type(%b))) {%c})
}

rule integers_of_scaled_sum {
  match %t = cast(round(%o = (%s = (%p = %x * %a: constant) + (%q = %y * %b: constant)) * %d: constant))
  where element(%t) == i32 and element(%o) == f32 and one_use(%s) and one_use(%p) and one_use(%q)
  where type(%x) == type(%o) and type(%y) == type(%o)
  where normal(value(%a) * value(%d)) and normal(value(%b) * value(%d))
  with  cast(round(%x * constant(value(%a) * value(%d), type(%a)) + %y * constant(value(%b) * value(%d), type(%b)))) {dtype = i32}
}
