//! exp of f32: what `approximate-math` makes of it, and what it is made of.
//!
//! x = k ln 2 + r with an integer k and |r| <= ln 2 / 2, so exp x = 2^k exp r. Upstream's approximation is
//! the same in principle and takes 25 instructions one after the other, this one 14. Neither end is a case of its own
//! here: x is brought into a range at whose ends 2^k is 0, or so large that the product is infinite.

use relay_dialects::{
    ir::{Builder, Type, Value},
    ops::{
        arith::{self, CmpFPredicate},
        math,
    },
};

/// Between 2^23 and 2^24, where floats are the integers: adding it rounds to an integer, which is then in
/// the last bits.
pub const ROUNDER: f64 = 12_582_912.0;

/// How exact an exponential is.
struct Form {
    /// The parts of ln 2, from which k times it is taken.
    ln_2: &'static [f64],
    /// exp r by powers of r, of which the first two are given: the least greatest relative error of exp r, by Lawson's
    /// iteration.
    coefficients: &'static [f64],
}

/// The first part of ln 2 has so few bits that k times it is exact. The error of exp r is 4e-9.
const EXACT: Form = Form {
    ln_2: &[0.693_359_375, -2.121_944_4e-4],
    coefficients: &[
        1.0,
        1.0,
        0.499_999_940_395_355_2,
        0.166_665_211_319_923_4,
        0.041_668_388_992_547_99,
        0.008_368_716_575_205_326,
        0.001_381_459_762_342_274_2,
    ],
};

/// A multiply-add less for ln 2 as one f32, whose error counts k times, and one less for exp r, with an error of 1e-7.
const SHORT: Form = Form {
    ln_2: &[std::f64::consts::LN_2],
    coefficients: &[
        1.0,
        1.0,
        0.499_992_311_000_824,
        0.166_671_141_982_078_55,
        0.041_890_159_249_305_725,
        0.008_312_520_571_053_028,
    ],
};

/// Beyond these, exp is 0 or infinite. The first has k = -126, the second an infinite exponential.
const RANGE: [f64; 2] = [-87.0, 89.0];

/// The bias of the exponent's bits less 1. So the bits of 2^(k - 1) are a sum without borrow or carry: those of 0 for
/// k = -126, and of a finite number for k = 128.
const BIAS: f64 = 126.0;

/// exp of an f32 or of a vector of them, with an error below 1 unit in the last place; 0 where that is below
/// 2^-125.5. exp of NaN is NaN.
pub fn exponential(b: &Builder, x: Value) -> Value {
    write(b, x, &EXACT)
}

/// exp of an f32 or of a vector of them, with a relative error below 5e-7; 0 where that is below 2^-125.5.
pub fn short_exponential(b: &Builder, x: Value) -> Value {
    write(b, x, &SHORT)
}

fn write(b: &Builder, x: Value, form: &Form) -> Value {
    // A comparison with NaN does not hold, and leaves it.
    let [least, most] = RANGE.map(|bound| b.constant(x.ty(), bound));
    let x = b.select(
        arith::CmpF::build(b, CmpFPredicate::Ogt, least, x),
        least,
        x,
    );
    let x = b.select(arith::CmpF::build(b, CmpFPredicate::Olt, most, x), most, x);
    let rounder = ROUNDER + BIAS;
    let (rounded, r) = remainder(b, x, rounder, form.ln_2);
    // Twice exp r, for 2^(k - 1). Each step is a multiply-add of r, which rounds once, and only the last
    // makes an error of more than a fraction of a unit.
    let doubled: Vec<f64> = form.coefficients.iter().map(|value| 2.0 * value).collect();
    let power = polynomial(b, r, &doubled);
    let scale = arith::Bitcast::build(b, x.ty(), exponent(b, rounded));
    arith::MulF::build(b, power, scale)
}

/// The sum of the coefficients times the powers of x, from 0 on (Horner's scheme).
pub fn polynomial(b: &Builder, x: Value, coefficients: &[f64]) -> Value {
    let mut numbers = coefficients
        .iter()
        .rev()
        .map(|value| b.constant(x.ty(), *value));
    let first = numbers.next().unwrap_or_else(|| b.constant(x.ty(), 0.0));
    numbers.fold(first, |sum, next| fma(b, sum, x, next))
}

/// x / ln 2 rounded to k as the last bits of a float, which is k more than `rounder`, and x - k ln 2.
fn remainder(b: &Builder, x: Value, rounder: f64, ln_2: &[f64]) -> (Value, Value) {
    let number = |value: f64| b.constant(x.ty(), value);
    let rounded = fma(b, x, number(std::f64::consts::LOG2_E), number(rounder));
    let k = arith::SubF::build(b, rounded, number(rounder));
    let take = |rest, part: &f64| fma(b, k, number(-part), rest);
    (rounded, ln_2.iter().fold(x, take))
}

/// k 2^23, as an integer: k in the bits of a float's exponent.
pub fn exponent(b: &Builder, rounded: Value) -> Value {
    let bits = as_bits(b, rounded);
    arith::ShLI::build(b, bits, b.constant(bits.ty(), 23.0))
}

/// The bits of floats as integers.
pub fn as_bits(b: &Builder, value: Value) -> Value {
    let bits = 8 * value.ty().element().byte_width();
    let int = of_shape(value.ty(), Type::int(b.ctx, bits as u32));
    arith::Bitcast::build(b, int, value)
}

/// x y + z, rounded once.
pub fn fma(b: &Builder, x: Value, y: Value, z: Value) -> Value {
    math::Fma::build(b, x, y, z)
}

/// `element`, or a vector of it as `like` is one.
pub fn of_shape(like: Type, element: Type) -> Type {
    if like.is_vector() {
        Type::vector(&like.shape(), element)
    } else {
        element
    }
}
