//! x^y of f64, and cube roots.
//!
//! |x|^y = 2^(y log2 |x|). An exponent of 1000 has ten digits before the point, so the logarithm is a sum of two f64, with some 68 digits.

use super::{
    bits::{ROUNDER, clamp, integer, power_of_integer},
    exponential::power_of_two_parts,
    logarithm::parts,
};
use crate::tir::approximate_math::{
    exponential::{fma, polynomial},
    power::{constant, product, with_sign},
};
use relay_dialects::{
    ir::{Builder, Value},
    ops::{
        arith::{self, CmpFPredicate},
        math,
    },
};

/// (atanh s / s - 1 - s^2 / 3) / s^4 by powers of s^2, for |s| to 0.1724: the error is 9e-22 of atanh s.
const SERIES: [f64; 8] = [
    0.2,
    0.142_857_142_857_147_12,
    0.111_111_111_108_103_8,
    0.090_909_091_716_580_63,
    0.076_922_970_600_632_84,
    0.066_674_251_412_735_57,
    0.058_525_107_837_693_14,
    0.058_679_094_277_564_84,
];

/// 2 / ln 2, and what its f64 leaves out.
const SCALE: [f64; 2] = [2.885_390_081_777_926_8, 4.071_054_748_186_206_6e-17];

/// What the f64 of 1/3 leaves out.
const THIRD_REST: f64 = 1.850_371_707_708_594e-17;

/// Beyond these, 2^z is 0 or infinite.
const RANGE: [f64; 2] = [-1080.0, 1030.0];

/// A sum of two numbers. The second one is small.
#[derive(Clone, Copy)]
struct Pair(Value, Value);

/// x to the power of y, with an error below 2 units in the last place, and below 4 where y is a whole number to 4. Results for 0, infinities, NaN
/// and negative x are those of C's pow.
pub fn power(b: &Builder, x: Value, y: Value) -> Value {
    match constant(y).and_then(|y| product(b, x, y)) {
        Some(product) => product,
        None => with_sign(b, magnitude(b, x, y), x, y),
    }
}

/// |x|^y.
fn magnitude(b: &Builder, x: Value, y: Value) -> Value {
    let number = |value: f64| b.constant(x.ty(), value);
    let zero = number(0.0);
    let Pair(high, low) = logarithm(b, math::AbsF::build(b, x));
    let exponent = arith::MulF::build(b, high, y);
    let left_out = fma(b, high, y, arith::NegF::build(b, exponent));
    let rest = fma(b, low, y, left_out);
    // 1 to any power, and any number to the power of 0, is 1. The product is NaN there if the other factor is infinite or NaN.
    let is_zero = |value| arith::CmpF::build(b, CmpFPredicate::Oeq, value, zero);
    let is_one = arith::OrI::build(b, is_zero(high), is_zero(y));
    let exponent = b.select(is_one, zero, exponent);
    // Where the result is 0 or infinite, what is left out does not matter, and may be NaN.
    let size = math::AbsF::build(b, exponent);
    let is_inside = arith::CmpF::build(b, CmpFPredicate::Olt, size, number(-RANGE[0]));
    let rest = b.select(is_inside, rest, zero);
    let rest = b.select(is_one, zero, rest);
    power_of_two_parts(b, clamp(b, exponent, RANGE), rest)
}

/// log2 of a number that is not negative: 2 / ln 2 s (1 + s^2 / 3 + ...) of s = (m - 1) / (m + 1), and k.
fn logarithm(b: &Builder, x: Value) -> Pair {
    let number = |value: f64| b.constant(x.ty(), value);
    let (k, m) = parts(b, x);
    let one = number(1.0);
    let less = arith::SubF::build(b, m, one);
    let more = arith::AddF::build(b, m, one);
    let more_rest = arith::SubF::build(b, m, arith::SubF::build(b, more, one));
    let s = quotient(b, less, Pair(more, more_rest));
    let square = times(b, s, s);
    let series = polynomial(b, square.0, &SERIES);
    // 1 + square (1/3 + square series)
    let third = add(
        b,
        number(1.0 / 3.0),
        fma(b, square.0, series, number(THIRD_REST)),
    );
    let slope = times(b, square, third);
    let slope = {
        let Pair(high, low) = add(b, one, slope.0);
        Pair(high, arith::AddF::build(b, low, slope.1))
    };
    let of_m = times(
        b,
        times(b, s, slope),
        Pair(number(SCALE[0]), number(SCALE[1])),
    );
    let Pair(high, low) = add(b, k, of_m.0);
    let low = arith::AddF::build(b, low, of_m.1);
    let Pair(high, low) = add(b, high, low);
    let end = |value: f64| number(value);
    let is = |predicate, other| arith::CmpF::build(b, predicate, x, other);
    let is_zero = is(CmpFPredicate::Oeq, end(0.0));
    // Infinity and NaN are their own logarithms.
    let is_finite = is(CmpFPredicate::Olt, end(f64::INFINITY));
    let at_ends = b.select(is_zero, end(f64::NEG_INFINITY), high);
    let is_inside = is(CmpFPredicate::Ogt, end(0.0));
    let is_inside = arith::AndI::build(b, is_inside, is_finite);
    Pair(
        b.select(is_finite, at_ends, x),
        b.select(is_inside, low, end(0.0)),
    )
}

/// x / y, to twice the digits.
fn quotient(b: &Builder, x: Value, y: Pair) -> Pair {
    let high = arith::DivF::build(b, x, y.0);
    let negative = arith::NegF::build(b, high);
    let rest = fma(b, negative, y.0, x);
    let rest = fma(b, negative, y.1, rest);
    Pair(high, arith::DivF::build(b, rest, y.0))
}

/// x + y of numbers of which the first one is not smaller (Dekker's sum).
fn add(b: &Builder, x: Value, y: Value) -> Pair {
    let sum = arith::AddF::build(b, x, y);
    let rest = arith::SubF::build(b, y, arith::SubF::build(b, sum, x));
    Pair(sum, rest)
}

/// x y, to twice the digits.
fn times(b: &Builder, x: Pair, y: Pair) -> Pair {
    let high = arith::MulF::build(b, x.0, y.0);
    let left_out = fma(b, x.0, y.0, arith::NegF::build(b, high));
    let rest = fma(b, x.0, y.1, fma(b, x.1, y.0, left_out));
    Pair(high, rest)
}

/// The cube root of m by powers of m: the greatest relative error is 0.0053.
const CUBE_ROOT: [f64; 4] = [0.607_329_61, 0.459_223_08, -0.077_137_95, 0.005_824_24];

/// The cube root, with an error below 2 units in the last place: of x = 2^(3 q) m with m from sqrt(1/2) to 4 sqrt 2, 2^q times that of m,
/// by two of Halley's steps and one of Newton's.
pub fn cube_root(b: &Builder, x: Value) -> Value {
    let number = |value: f64| b.constant(x.ty(), value);
    let magnitude = math::AbsF::build(b, x);
    let (k, m) = parts(b, magnitude);
    // The third of k, rounded down.
    let third = arith::MulF::build(b, k, number(1.0 / 3.0));
    let q = math::Floor::build(b, arith::AddF::build(b, third, number(0.01)));
    let rest = fma(b, q, number(-3.0), k);
    let whole = |value| integer(b, arith::AddF::build(b, value, number(ROUNDER)));
    let m = arith::MulF::build(b, m, power_of_integer(b, whole(rest)));
    let mut root = polynomial(b, m, &CUBE_ROOT);
    for _ in 0..2 {
        let cube = arith::MulF::build(b, arith::MulF::build(b, root, root), root);
        let above = fma(b, m, number(2.0), cube);
        let below = fma(b, cube, number(2.0), m);
        root = arith::MulF::build(b, root, arith::DivF::build(b, above, below));
    }
    let square = arith::MulF::build(b, root, root);
    let over = arith::SubF::build(b, root, arith::DivF::build(b, m, square));
    root = fma(b, over, number(-1.0 / 3.0), root);
    let root = arith::MulF::build(b, root, power_of_integer(b, whole(q)));
    // 0, infinity and NaN are their own roots.
    let is_positive = arith::CmpF::build(b, CmpFPredicate::Ogt, magnitude, number(0.0));
    let is_finite = arith::CmpF::build(b, CmpFPredicate::Olt, magnitude, number(f64::INFINITY));
    let is_inside = arith::AndI::build(b, is_positive, is_finite);
    math::CopySign::build(b, b.select(is_inside, root, magnitude), x)
}
