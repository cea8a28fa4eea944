//! erf of f32: what `approximate-math` makes of it.
//!
//! erf |x| = 1 - 2^z with z = log2 erfc |x|, which is -|x| times a smooth function. 2^z - 1 is had from the integer
//! nearest to z and the rest without loss of digits near 0, so one polynomial serves all numbers; upstream's
//! approximation is a quotient of polynomials chosen from four.

use super::exponential::{ROUNDER, exponent, fma, polynomial};
use relay_dialects::{
    ir::{Builder, Value},
    ops::{
        arith::{self, CmpFPredicate},
        math,
    },
};

/// From here on erf is 1 in f32.
const BOUND: f64 = -4.0;

/// log2(erfc(-m)) / m by powers of m, for m from -4 to 0: the least greatest relative error of erf, 3.5e-8, by Lawson's
/// iteration.
const EXPONENT: [f64; 8] = [
    1.627_907_086_263_421_5,
    -0.918_443_462_573_736,
    0.148_329_841_990_248_8,
    0.027_875_348_278_634_04,
    0.000_296_791_542_216_318_53,
    -0.001_805_884_397_210_763_6,
    -0.000_549_666_254_433_865_3,
    -5.872_892_293_009_373e-5,
];

/// (2^f - 1) / f by powers of f, for f from -1/2 to 1/2: the least greatest relative error of erf, 7e-9, likewise.
const SLOPE: [f64; 6] = [
    0.693_147_181_979_565_3,
    0.240_226_425_211_597_7,
    0.055_503_588_246_669_42,
    0.009_619_012_693_674_508,
    0.001_339_142_003_225_278_3,
    0.000_152_078_200_510_920_7,
];

/// The bias of the bits of an exponent.
const BIAS: f64 = 127.0;

/// erf of an f32 or of a vector of them, with an error below 3 units in the last place.
pub fn error_function(b: &Builder, x: Value) -> Value {
    let number = |value: f64| b.constant(x.ty(), value);
    let negative = arith::NegF::build(b, math::AbsF::build(b, x));
    let is_beyond = arith::CmpF::build(b, CmpFPredicate::Olt, negative, number(BOUND));
    let m = b.select(is_beyond, number(BOUND), negative);
    let z = arith::MulF::build(b, m, polynomial(b, m, &EXPONENT));
    // z is a sum of an integer, which is in the last bits of `rounded`, and of f.
    let rounder = number(ROUNDER + BIAS);
    let rounded = arith::AddF::build(b, z, rounder);
    let f = arith::SubF::build(b, z, arith::SubF::build(b, rounded, rounder));
    let rest = arith::MulF::build(b, f, polynomial(b, f, &SLOPE));
    let power = arith::Bitcast::build(b, x.ty(), exponent(b, rounded));
    // 2^k (1 + rest) - 1
    let less_1 = arith::SubF::build(b, power, number(1.0));
    let value = fma(b, power, rest, less_1);
    math::CopySign::build(b, value, x)
}
