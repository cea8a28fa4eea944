//! exp of f64, and functions that are made of it.
//!
//! x = k ln 2 + r with an integer k and |r| little more than ln 2 / 2, so exp x = 2^k exp r.

use super::bits::{ROUNDER, TINY, clamp, integer, power_of_integer, scale};
use crate::tir::approximate_math::exponential::{fma, polynomial};
use relay_dialects::{
    ir::{Builder, Value},
    ops::{
        arith::{self, CmpFPredicate},
        math,
    },
};
use std::f64::consts::{LN_2, LOG2_E};

/// What ln 2 is more than its f64.
const LN_2_REST: f64 = 2.319_046_813_846_299_6e-17;

/// (exp r - 1 - r) / r^2 by powers of r, for |r| to 0.35: the relative error of exp r is 2.6e-19.
const SLOPE: [f64; 11] = [
    0.5,
    0.166_666_666_666_666_7,
    0.041_666_666_666_666_67,
    0.008_333_333_333_325_544,
    0.001_388_888_888_888_332_7,
    0.000_198_412_698_768_643_56,
    2.480_158_732_700_718_7e-5,
    2.755_725_283_351_691e-6,
    2.755_727_181_021_98e-7,
    2.510_627_473_357_329_6e-8,
    2.091_544_229_778_011_6e-9,
];

/// Beyond these, exp is 0 or infinite.
const RANGE: [f64; 2] = [-746.0, 710.0];

/// Beyond these, 2^x is 0 or infinite.
const BINARY_RANGE: [f64; 2] = [-1080.0, 1030.0];

/// Below the first one exp x - 1 is -1, beyond the second one infinite: the exponent of its half still has an f64.
const RANGE_LESS_1: [f64; 2] = [-40.0, 709.79];

/// k as an integer, and r.
fn remainder(b: &Builder, x: Value) -> (Value, Value) {
    let number = |value: f64| b.constant(x.ty(), value);
    let rounded = fma(b, x, number(LOG2_E), number(ROUNDER));
    let k = arith::SubF::build(b, rounded, number(ROUNDER));
    // x - k ln 2 is exact with the f64 of ln 2.
    let r = fma(b, k, number(-LN_2), x);
    let r = fma(b, k, number(-LN_2_REST), r);
    (integer(b, rounded), r)
}

/// exp r for |r| to 0.35.
fn of_remainder(b: &Builder, r: Value) -> Value {
    polynomial(b, r, &[&[1.0, 1.0], &SLOPE[..]].concat())
}

/// exp, with an error below 1 unit in the last place; for subnormal results, of the least number.
pub fn exponential(b: &Builder, x: Value) -> Value {
    let x = clamp(b, x, RANGE);
    let (k, r) = remainder(b, x);
    scale(b, of_remainder(b, r), k)
}

/// 2^x, with an error below 2 units in the last place.
pub fn power_of_two(b: &Builder, x: Value) -> Value {
    power_of_two_parts(b, clamp(b, x, BINARY_RANGE), b.constant(x.ty(), 0.0))
}

/// 2^(z + rest) of a number and of what is to be added to it, which is small. The first one is between -1080 and 1030, or NaN.
pub fn power_of_two_parts(b: &Builder, z: Value, rest: Value) -> Value {
    let number = |value: f64| b.constant(z.ty(), value);
    let rounded = arith::AddF::build(b, z, number(ROUNDER));
    let f = arith::SubF::build(b, z, arith::SubF::build(b, rounded, number(ROUNDER)));
    let f = arith::AddF::build(b, f, rest);
    let r = arith::MulF::build(b, f, number(LN_2));
    scale(b, of_remainder(b, r), integer(b, rounded))
}

/// exp x - 1, with an error below 2 units in the last place: 2 (2^(k-1) (exp r - 1) + 2^(k-1) - 1/2).
pub fn exponential_less_1(b: &Builder, x: Value) -> Value {
    let number = |value: f64| b.constant(x.ty(), value);
    let inside = clamp(b, x, RANGE_LESS_1);
    let (k, r) = remainder(b, inside);
    let square = arith::MulF::build(b, r, r);
    let less_1 = fma(b, square, polynomial(b, r, &SLOPE), r);
    let half = arith::SubI::build(b, k, b.constant(k.ty(), 1.0));
    let half = power_of_integer(b, half);
    let rest = arith::SubF::build(b, half, number(0.5));
    let value = arith::MulF::build(b, fma(b, half, less_1, rest), number(2.0));
    let magnitude = math::AbsF::build(b, x);
    let is_tiny = arith::CmpF::build(b, CmpFPredicate::Olt, magnitude, number(TINY));
    b.select(is_tiny, x, value)
}

/// -t / (2 + t) of t = exp(-2 |x|) - 1, with the sign of x: an error below 3 units in the last place.
pub fn hyperbolic_tangent(b: &Builder, x: Value) -> Value {
    let number = |value: f64| b.constant(x.ty(), value);
    let doubled = arith::MulF::build(b, math::AbsF::build(b, x), number(-2.0));
    let t = exponential_less_1(b, doubled);
    let value = arith::DivF::build(b, t, arith::AddF::build(b, t, number(2.0)));
    math::CopySign::build(b, value, x)
}
