//! log of f64, and logarithms of other bases.
//!
//! x = 2^k m with m from sqrt(1/2) to sqrt 2. With f = m - 1 and s = f / (2 + f), log m = f - f^2 / 2 + s (f^2 / 2 + R), where R is
//! (log m - 2 s) / s, a series of s^2 whose first term is 2/3 s^2.

use super::bits::{DIGITS, TINY};
use crate::tir::approximate_math::{
    exponential::{as_bits, fma, of_shape, polynomial},
    logarithm::at_ends,
};
use relay_dialects::{
    ir::{Builder, Type, Value},
    ops::{
        arith::{self, CmpFPredicate},
        math,
    },
};
use std::f64::consts::LOG2_E;

/// The least normal number.
const LEAST: f64 = f64::MIN_POSITIVE;

/// What makes subnormal numbers normal: 2 to the power of it.
const GROWTH: f64 = 54.0;

/// The first half of the bits of sqrt(1/2).
const HALF_ROOT: f64 = (0x3fe6_a09e_u64 << 32) as f64;

/// R / s^2 by powers of s^2, for |s| to 0.1724: the error is 3.3e-20 of log m.
const SERIES: [f64; 8] = [
    0.666_666_666_666_666_6,
    0.400_000_000_000_009_4,
    0.285_714_285_707_644_5,
    0.222_222_224_005_477_6,
    0.181_817_947_008_978,
    0.153_862_905_346_589_92,
    0.132_674_185_964_748_84,
    0.131_007_213_835_034_9,
];

/// ln 2: the first part has so few bits that k times it is exact.
const LN_2: [f64; 2] = [
    f64::from_bits(0x3fe6_2e42_fee0_0000),
    1.908_214_929_270_587_7e-10,
];

/// log10 2, likewise.
const LOG10_2: [f64; 2] = [
    f64::from_bits(0x3fd3_4413_5080_0000),
    1.145_110_089_802_183_8e-10,
];

/// k of a positive number, and m.
pub fn parts(b: &Builder, x: Value) -> (Value, Value) {
    let number = |value: f64| b.constant(x.ty(), value);
    let is_small = arith::CmpF::build(b, CmpFPredicate::Olt, x, number(LEAST));
    let grown = arith::MulF::build(b, x, number(GROWTH.exp2()));
    let bits = as_bits(b, b.select(is_small, grown, x));
    let int = |value: f64| b.constant(bits.ty(), value);
    let over = arith::SubI::build(b, bits, int(HALF_ROOT));
    let k = arith::ShRSI::build(b, over, int(DIGITS));
    let power = arith::ShLI::build(b, k, int(DIGITS));
    let rest = arith::SubI::build(b, bits, power);
    let double = of_shape(x.ty(), Type::f64(b.ctx));
    let m = arith::Bitcast::build(b, double, rest);
    let k = arith::SIToFP::build(b, double, k);
    let less = arith::SubF::build(b, k, number(GROWTH));
    (b.select(is_small, less, k), m)
}

/// log m, with what is to be added to it, which is small: f, and what it is to be less.
fn of_mantissa(b: &Builder, m: Value, rest: Value) -> [Value; 2] {
    let number = |value: f64| b.constant(m.ty(), value);
    let f = arith::SubF::build(b, m, number(1.0));
    let s = arith::DivF::build(b, f, arith::AddF::build(b, f, number(2.0)));
    let square = arith::MulF::build(b, s, s);
    let series = arith::MulF::build(b, square, polynomial(b, square, &SERIES));
    let half = arith::MulF::build(b, number(0.5), arith::MulF::build(b, f, f));
    let more = fma(b, s, arith::AddF::build(b, half, series), rest);
    [f, arith::SubF::build(b, half, more)]
}

/// log of 2^k m, with what is to be added to it, which is small.
fn natural(b: &Builder, (k, m): (Value, Value), rest: Value) -> Value {
    let number = |value: f64| b.constant(k.ty(), value);
    let rest = fma(b, k, number(LN_2[1]), rest);
    let [f, less] = of_mantissa(b, m, rest);
    let near = arith::SubF::build(b, less, f);
    arith::SubF::build(b, arith::MulF::build(b, k, number(LN_2[0])), near)
}

/// log, with an error below 1 unit in the last place. Of 0 it is negative infinity, and NaN of negative numbers.
pub fn logarithm(b: &Builder, x: Value) -> Value {
    let zero = b.constant(x.ty(), 0.0);
    at_ends(b, natural(b, parts(b, x), zero), x)
}

/// log2, with an error below 3 units in the last place; exact for powers of 2.
pub fn binary_logarithm(b: &Builder, x: Value) -> Value {
    let (k, m) = parts(b, x);
    let [f, less] = of_mantissa(b, m, b.constant(x.ty(), 0.0));
    let of_m = arith::SubF::build(b, f, less);
    at_ends(b, fma(b, of_m, b.constant(x.ty(), LOG2_E), k), x)
}

/// log10, with an error below 3 units in the last place.
pub fn decimal_logarithm(b: &Builder, x: Value) -> Value {
    let number = |value: f64| b.constant(x.ty(), value);
    let (k, m) = parts(b, x);
    let [f, less] = of_mantissa(b, m, number(0.0));
    let of_m = arith::SubF::build(b, f, less);
    let rest = arith::MulF::build(b, k, number(LOG10_2[1]));
    let near = fma(b, of_m, number(std::f64::consts::LOG10_E), rest);
    at_ends(b, fma(b, k, number(LOG10_2[0]), near), x)
}

/// log(1 + x), with an error below 2 units in the last place: log u of the f64 u of 1 + x, and what u leaves out, divided by u.
pub fn logarithm_of_1_more(b: &Builder, x: Value) -> Value {
    let number = |value: f64| b.constant(x.ty(), value);
    let one = number(1.0);
    let u = arith::AddF::build(b, x, one);
    let is_large = arith::CmpF::build(b, CmpFPredicate::Ogt, x, one);
    let of_large = arith::SubF::build(b, one, arith::SubF::build(b, u, x));
    let of_small = arith::SubF::build(b, x, arith::SubF::build(b, u, one));
    let left_out = b.select(is_large, of_large, of_small);
    let value = natural(b, parts(b, u), arith::DivF::build(b, left_out, u));
    let value = at_ends(b, value, u);
    let magnitude = math::AbsF::build(b, x);
    let is_tiny = arith::CmpF::build(b, CmpFPredicate::Olt, magnitude, number(TINY));
    b.select(is_tiny, x, value)
}
