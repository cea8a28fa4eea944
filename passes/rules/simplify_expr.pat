// The rules of `simplify-expr`. A rule applies only where its replacement has the type of what it replaces.

// Numbers that change nothing.

rule add_zero {
  match %x + 0
  with  %x
}

rule subtract_zero {
  match %x - 0
  with  %x
}

rule multiply_one {
  match %x * 1
  with  %x
}

rule divide_one {
  match %x / 1
  with  %x
}

// A division takes as long as some ten multiplications, and the product is rounded once more. Only where neither
// number is subnormal, of which a reciprocal has fewer digits or is infinite.
rule reciprocal {
  match %x / %c: constant
  where element(%c) == f32 and normal(value(%c)) and normal(1 / value(%c)) and not const(%x)
  with  %x * constant(1 / value(%c), type(%c))
}

rule reciprocal_root {
  match 1 / sqrt(%x)
  with  rsqrt(%x)
}

rule double {
  match %x + %x
  where not const(%x)
  with  %x * 2
}

// A factor goes to where weights take it, and a product with a sum behind it is one instruction.
rule product_of_sum {
  match %o = (%i = %x + %a: constant) * %b: constant
  where element(%o) is float and one_use(%i) and not const(%x) and type(%x) == type(%o)
  with  %x * %b + %a * %b
}

// Reshapes: those to the operand's own shape, and all but the last one of a chain.

rule same_shape {
  match %o = operator(%x)
  where view(%o) and sized(%o) and type(%o) == type(%x)
  with  %x
}

rule view_to_own_shape {
  match %o = operator(%i = operator(%x))
  where view(%o) and view(%i) and sized(%o) and type(%o) == type(%x)
  with  %x
}

rule view_of_view {
  match %o = operator(%i = operator(%x))
  where view(%o) and view(%i) and static(%o)
  with  reshape(%x) {newshape = shape(%o)}
}

// What is computed element by element between a reshape and one back needs neither: nothing then stands between it and what
// computes its operand.
rule view_and_back {
  match %o = operator(%u = operator(%i = operator(%x)) {TOpPattern = 0})
  where view(%o) and view(%i) and static(%o) and shape(%o) == shape(%x) and one_use(%u)
  with  %u(%x)
}

// Transposes: of axes in order, of axes that move none but those of one element, and chains.

rule same_axes {
  match %o = transpose(%x)
  where sorted(%o.axes)
  with  %x
}

rule unmoved {
  match %o = transpose(%x)
  where static(%x) and not moves(%o)
  with  reshape(%x) {newshape = shape(%o)}
}

rule transpose_of_transpose {
  match %o = transpose(%i = transpose(%x))
  with  transpose(%x) {axes = pick(%i.axes, %o.axes)}
}

// Casts: to the operand's own type, and of a cast to a type that holds all values of the first one.

rule same_element {
  match cast(%x)
  with  %x
}

rule cast_of_widening {
  match %o = cast(%i = cast(%x))
  where element(%x) is signed and element(%i) is signed and bits(element(%x)) <= bits(element(%i))
     or element(%x) is unsigned and element(%i) is unsigned and bits(element(%x)) <= bits(element(%i))
     or element(%x) is unsigned and element(%i) is signed and bits(element(%x)) < bits(element(%i))
     or element(%x) is float and element(%i) is float and bits(element(%x)) < bits(element(%i))
  with  cast(%x) {dtype = element(%o)}
}

// Layouts: to the same one, there and back, by way of another one, and of one pixel, where nothing moves.

rule same_layout {
  match %o = layout_transform(%x)
  where %o.src_layout == %o.dst_layout
  with  %x
}

rule there_and_back {
  match %o = layout_transform(%i = layout_transform(%x))
  where %i.dst_layout == %o.src_layout and %i.src_layout == %o.dst_layout
  with  %x
}

rule layout_by_way_of_another {
  match %o = layout_transform(%i = layout_transform(%x))
  where %i.dst_layout == %o.src_layout and %i.src_layout != %o.dst_layout
  with  layout_transform(%x) {src_layout = %i.src_layout, dst_layout = %o.dst_layout}
}

rule blocks_of_one_pixel {
  match %o = layout_transform(%x)
  where static(%o) and dim(%x, 2) * dim(%x, 3) == 1
  where %o.src_layout == "NCHW" and begins(%o.dst_layout, "NCHW") and ends(%o.dst_layout, "c")
     or %o.dst_layout == "NCHW" and begins(%o.src_layout, "NCHW") and ends(%o.src_layout, "c")
  with  reshape(%x) {newshape = shape(%o)}
}

// Constants come together, where fold-constant finds them.

rule adjacent_sums {
  match %o = (%i = %x + %a: constant) + %b: constant
  where element(%o) is float and one_use(%i) and not const(%x) and type(%x) == type(%o)
  with  %x + (%a + %b)
}

rule sum_of_difference {
  match %o = (%i = %x - %a: constant) + %b: constant
  where element(%o) is float and one_use(%i) and not const(%x) and type(%x) == type(%o)
  with  %x + (%b - %a)
}

rule difference_of_sum {
  match %o = (%i = %x + %a: constant) - %b: constant
  where element(%o) is float and one_use(%i) and not const(%x) and type(%x) == type(%o)
  with  %x + (%a - %b)
}

rule adjacent_products {
  match %o = (%i = %x * %a: constant) * %b: constant
  where element(%o) is float and one_use(%i) and not const(%x) and type(%x) == type(%o)
  with  %x * (%a * %b)
}

// Tensors of one number, whose shape is known.

rule zeros_like {
  match zeros_like(%x)
  where static(%x)
  with  zeros() {shape = shape(%x), dtype = element(%x)}
}

rule ones_like {
  match ones_like(%x)
  where static(%x)
  with  ones() {shape = shape(%x), dtype = element(%x)}
}

rule full_like {
  match full_like(%x, %value)
  where static(%x)
  with  full(%value) {shape = shape(%x), dtype = element(%x)}
}

rule add_zeros {
  match %x + zeros()
  with  %x
}

rule subtract_zeros {
  match %x - zeros()
  with  %x
}

rule multiply_ones {
  match %x * ones()
  with  %x
}

rule divide_ones {
  match %x / ones()
  with  %x
}

rule same_broadcast {
  match broadcast_to(%x)
  with  %x
}

rule broadcast_number {
  match %o = broadcast_to(%c: constant)
  where static(%o) and value(%c) == value(%c)
  with  constant(value(%c), type(%o))
}

// Choices that are known: masks that hide nothing.

rule chosen {
  match %o = relay.where(%c: constant, %x, _)
  where static(%o) and value(%c) == 1
  with  broadcast_to(%x) {shape = shape(%o)}
}

rule not_chosen {
  match %o = relay.where(%c: constant, _, %y)
  where static(%o) and value(%c) == 0
  with  broadcast_to(%y) {shape = shape(%o)}
}

// Clips: of another one, and to all numbers that the type has.

rule clip_of_clip {
  match %o = clip(%i = clip(%x))
  where max(%i.a_min, %o.a_min) <= min(%i.a_max, %o.a_max)
  with  clip(%x) {a_min = max(%i.a_min, %o.a_min), a_max = min(%i.a_max, %o.a_max)}
}

rule clip_of_all {
  match %o = clip(%x)
  where element(%x) == ui8 and %o.a_min <= 0 and %o.a_max >= 255
     or element(%x) == i8 and %o.a_min <= -128 and %o.a_max >= 127
  with  %x
}

// Of dequantised bytes, the greatest are those of the greatest bytes.

rule pool_of_dequantized {
  match %p = nn.max_pool2d((%f = cast(%x)) * %s: constant)
  where element(%x) == ui8 or element(%x) == i8
  where element(%f) is float and value(%s) > 0
  with  cast(nn.max_pool2d(%x) {%p}) {dtype = element(%f)} * %s
}

rule pool_of_dequantized_around_zero {
  match %p = nn.max_pool2d(((%f = cast(%x)) - %z: constant) * %s: constant)
  where element(%x) == ui8 or element(%x) == i8
  where element(%f) is float and rank(%z) == 0 and value(%s) > 0
  with  (cast(nn.max_pool2d(%x) {%p}) {dtype = element(%f)} - %z) * %s
}

// Quantising cuts off what is negative, if the zero point is the least byte.

rule relu_before_clip {
  match %c = clip(%p = (%r = nn.relu(%x)) * %s: constant)
  where value(%s) > 0 and %c.a_min >= 0 and element(%c) is float and type(%x) == type(%p) and one_use(%r)
  with  clip(%x * %s) {%c}
}

// Steps that 32 bits hold are cut off as integers, which processors do in less time than with floats.

rule clip_of_steps {
  match %o = cast(%i = cast(round(%c = clip(%x))))
  where element(%i) == i32 and element(%x) == f32 and magnitude(%x) < 2147480000
  where element(%o) == ui8 and %c.a_min == 0 and %c.a_max == 255
     or element(%o) == i8 and %c.a_min == -128 and %c.a_max == 127
  with  cast(clip(cast(round(%x)) {dtype = i32}) {%c}) {dtype = element(%o)}
}

rule clip_of_steps_around_zero {
  match %o = cast((%i = cast(round(%c = clip(%x)))) + %z: constant)
  where element(%i) == i32 and element(%x) == f32 and magnitude(%x) < 2147480000
  let   least = %c.a_min + value(%z)
  let   greatest = %c.a_max + value(%z)
  where element(%o) == ui8 and least == 0 and greatest == 255
     or element(%o) == i8 and least == -128 and greatest == 127
  with  cast(clip(cast(round(%x)) {dtype = i32} + %z) {a_min = least, a_max = greatest}) {dtype = element(%o)}
}

// Bytes that are quantised as before stay the same. The product of one scale and the reciprocal of the other is 1, or differs from
// it in its last bits.

rule scaled_by_one {
  match round(%m = (%f = cast(%x)) * %s: constant)
  where element(%x) == ui8 and element(%f) == f32 and type(%f) == type(%m)
  where value(%s) > 0.999999 and value(%s) < 1.000001
  with  round(%f)
}

rule scaled_by_one_around_zero {
  match round(%m = (%f = cast(%x) - %z: constant) * %s: constant)
  where element(%x) == ui8 and element(%f) == f32 and type(%f) == type(%m) and magnitude(%z) <= 255
  where value(%s) > 0.999999 and value(%s) < 1.000001
  with  round(%f)
}

rule quantized_again {
  match %o = cast(%c = clip(cast(round(cast(%x)))))
  where element(%x) == ui8 and element(%o) == ui8 and element(%c) == i32 and %c.a_min <= 0 and %c.a_max >= 255
  with  %x
}

rule quantized_again_around_zero {
  match %o = cast(%c = clip(cast(round(cast(%x) - %z: constant)) + %d: constant))
  where element(%x) == ui8 and element(%o) == ui8 and element(%c) == i32 and %c.a_min <= 0 and %c.a_max >= 255
  where value(%z) == value(%d) and magnitude(%z) <= 255
  with  %x
}
