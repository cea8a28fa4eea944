//! x^y of f32: what `approximate-math` makes of it.
//!
//! |x|^y = 2^(y log2 |x|) is computed in f64, which has 29 more digits than f32: beside the last rounding, the error is 0.03 units in the last
//! place (the greatest that test/exec/power.mlir finds is 0.53). |x| = 2^k m with m from sqrt(1/2) to sqrt 2, and log2 m is an odd function
//! of (m - 1) / (m + 1). Upstream has no approximation, and libm takes one number at a time. Results for 0, infinities, NaN and negative x
//! are those of C's pow.

use super::exponential::{as_bits, fma, of_shape, polynomial};
use relay_dialects::{
    ir::{Builder, Type, Value},
    ops::{
        arith::{self, CmpFPredicate},
        math, vector,
    },
};

/// log2((1 + s) / (1 - s)) / s by powers of s^2, for |s| to 0.1716: the least greatest relative error, 4e-12, by Lawson's iteration.
const LOGARITHM: [f64; 5] = [
    2.885_390_081_790_084,
    0.961_796_673_342_477_5,
    0.577_083_584_894_849_1,
    0.411_672_721_672_673_64,
    0.340_730_074_243_807_6,
];

/// 2^f by powers of f, for f from -1/2 to 1/2: the least greatest relative error, 1.9e-9, likewise.
const EXPONENTIAL: [f64; 7] = [
    1.000_000_000_554_176,
    0.693_147_205_737_661_5,
    0.240_226_468_905_809_68,
    0.055_503_287_761_045_7,
    0.009_618_488_959_824_2,
    0.001_339_993_156_839_465,
    0.000_153_458_120_806_821_96,
];

/// Between 2^52 and 2^53, where doubles are the integers: adding it rounds to an integer, which is then in the last bits.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// The bits of a double after those of its exponent.
const DIGITS: f64 = 52.0;

/// The bias of the bits of an exponent.
const BIAS: f64 = 1023.0;

/// The bits of 1, and so the bias of an exponent in its place.
const ONE: f64 = (0x3ff0_0000_u64 << 32) as f64;

/// The first half of the bits of sqrt(1/2).
const HALF_ROOT: f64 = (0x3fe6_a09e_u64 << 32) as f64;

/// Beyond these, 2^z is 0 or infinite in f32.
const RANGE: [f64; 2] = [-160.0, 130.0];

/// The greatest whole exponent that multiplications serve.
const MOST_FACTORS: f64 = 4.0;

/// x to the power of y, f32 or vectors of them. The error is below 1 unit in the last place, and below 4 where y is a whole number to
/// [`MOST_FACTORS`]. None where y is 1/2: LLVM makes a square root of that.
pub fn power(b: &Builder, x: Value, y: Value) -> Option<Value> {
    let known = constant(y);
    if known == Some(0.5) {
        return None;
    }
    let product = known.and_then(|exponent| product(b, x, exponent));
    Some(product.unwrap_or_else(|| with_sign(b, magnitude(b, x, y), x, y)))
}

/// The number that a value is, in every lane.
pub fn constant(value: Value) -> Option<f64> {
    if let Some(broadcast) = value.def_of(vector::Broadcast::NAME) {
        return constant(broadcast.operand(0));
    }
    let written = value.def_of(arith::Constant::NAME)?.attr("value")?;
    written.splat_value().unwrap_or(written).as_f64()
}

/// x to the power of a whole number from 1 to [`MOST_FACTORS`], or of its negative, by multiplications; of other exponents none. For a negative
/// number 1 / x is multiplied: the power of x may be infinite where that of 1 / x is not 0.
pub fn product(b: &Builder, x: Value, whole: f64) -> Option<Value> {
    if whole.fract() != 0.0 || !(1.0..=MOST_FACTORS).contains(&whole.abs()) {
        return None;
    }
    let multiply = |x, y| arith::MulF::build(b, x, y);
    let x = match whole < 0.0 {
        true => arith::DivF::build(b, b.constant(x.ty(), 1.0), x),
        false => x,
    };
    Some(match whole.abs() {
        1.0 => x,
        2.0 => multiply(x, x),
        3.0 => multiply(multiply(x, x), x),
        _ => {
            let square = multiply(x, x);
            multiply(square, square)
        }
    })
}

/// |x|^y.
fn magnitude(b: &Builder, x: Value, y: Value) -> Value {
    let wide = of_shape(x.ty(), Type::f64(b.ctx));
    let [x, y] = [x, y].map(|value| arith::ExtF::build(b, wide, value));
    let logarithm = logarithm(b, math::AbsF::build(b, x));
    // 1 to any power, and any number to the power of 0, is 1. The product is NaN there if the other factor is infinite or NaN.
    let zero = b.constant(wide, 0.0);
    let exponent = arith::MulF::build(b, logarithm, y);
    let exponent = b.select(
        arith::CmpF::build(b, CmpFPredicate::Oeq, logarithm, zero),
        zero,
        exponent,
    );
    let exponent = b.select(
        arith::CmpF::build(b, CmpFPredicate::Oeq, y, zero),
        zero,
        exponent,
    );
    exponential(b, exponent)
}

/// log2 of a double that is not negative.
fn logarithm(b: &Builder, x: Value) -> Value {
    let number = |value: f64| b.constant(x.ty(), value);
    let bits = as_bits(b, x);
    let int = |value: f64| b.constant(bits.ty(), value);
    // The exponent of x / sqrt(1/2), with the bias, is not negative for any x.
    let over = arith::AddI::build(b, bits, int(ONE - HALF_ROOT));
    let exponent = arith::ShRUI::build(b, over, int(DIGITS));
    let power = arith::ShLI::build(b, exponent, int(DIGITS));
    let rest = arith::SubI::build(b, arith::AddI::build(b, bits, int(ONE)), power);
    let m = arith::Bitcast::build(b, x.ty(), rest);
    // AVX2 does not convert integers of 64 bits: the exponent goes to the last bits of a double.
    let k = arith::AddI::build(b, exponent, int(ROUNDER.to_bits() as f64));
    let k = arith::Bitcast::build(b, x.ty(), k);
    let k = arith::SubF::build(b, k, number(ROUNDER + BIAS));

    let less = arith::SubF::build(b, m, number(1.0));
    let s = arith::DivF::build(b, less, arith::AddF::build(b, m, number(1.0)));
    let square = arith::MulF::build(b, s, s);
    let logarithm = fma(b, s, polynomial(b, square, &LOGARITHM), k);
    // Of 0 it is negative infinity; infinity and NaN are their own.
    let infinity = number(f64::INFINITY);
    let is_zero = arith::CmpF::build(b, CmpFPredicate::Oeq, x, number(0.0));
    let logarithm = b.select(is_zero, number(f64::NEG_INFINITY), logarithm);
    b.select(
        arith::CmpF::build(b, CmpFPredicate::Olt, x, infinity),
        logarithm,
        x,
    )
}

/// 2^z of a double, as f32.
fn exponential(b: &Builder, z: Value) -> Value {
    let number = |value: f64| b.constant(z.ty(), value);
    // A comparison with NaN does not hold, and leaves it.
    let [least, most] = RANGE.map(number);
    let z = b.select(
        arith::CmpF::build(b, CmpFPredicate::Olt, z, least),
        least,
        z,
    );
    let z = b.select(arith::CmpF::build(b, CmpFPredicate::Ogt, z, most), most, z);
    let rounded = arith::AddF::build(b, z, number(ROUNDER));
    let f = arith::SubF::build(b, z, arith::SubF::build(b, rounded, number(ROUNDER)));
    let bits = as_bits(b, polynomial(b, f, &EXPONENTIAL));
    let k = as_bits(b, rounded);
    let k = arith::ShLI::build(b, k, b.constant(k.ty(), DIGITS));
    let scaled = arith::AddI::build(b, bits, k);
    let power = arith::Bitcast::build(b, z.ty(), scaled);
    let narrow = of_shape(z.ty(), Type::f32(b.ctx));
    arith::TruncF::build(b, narrow, power)
}

/// x^y, from |x|^y: of a negative x it is negative where y is odd, and NaN where y is not whole.
pub fn with_sign(b: &Builder, magnitude: Value, x: Value, y: Value) -> Value {
    let number = |value: f64| b.constant(x.ty(), value);
    let is_whole =
        |value| arith::CmpF::build(b, CmpFPredicate::Oeq, math::Trunc::build(b, value), value);
    let both = |one, other| arith::AndI::build(b, one, other);
    let no = |value: Value| arith::XOrI::build(b, value, b.constant(value.ty(), 1.0));
    let whole = is_whole(y);
    let odd = both(whole, no(is_whole(arith::MulF::build(b, y, number(0.5)))));
    let power = b.select(odd, math::CopySign::build(b, magnitude, x), magnitude);
    let is_negative = arith::CmpF::build(b, CmpFPredicate::Olt, x, number(0.0));
    let is_finite = arith::CmpF::build(b, CmpFPredicate::Ogt, x, number(f64::NEG_INFINITY));
    let has_none = both(both(is_negative, is_finite), no(whole));
    b.select(has_none, number(f64::NAN), power)
}
