//! erf of f64, and what it is less than 1.
//!
//! To 1, erf |x| is a polynomial. Beyond, erfc |x| = exp(-x^2) p / (1 + 2 |x|), where p is a smooth function of
//! t = (|x| - 4) / (|x| + 4).

use super::exponential::exponential;
use crate::tir::approximate_math::exponential::{fma, polynomial};
use relay_dialects::{
    ir::{Builder, Value},
    ops::{
        arith::{self, CmpFPredicate},
        math,
    },
};

/// erf x / x - 1 by powers of x^2, for |x| to 1: the error of erf x / x is 1.3e-19.
const NEAR: [f64; 13] = [
    0.128_379_167_095_512_6,
    -0.376_126_389_031_837_5,
    0.112_837_916_709_548_79,
    -0.026_866_170_645_076_792,
    0.005_223_977_624_818_014_5,
    -0.000_854_832_698_083_379,
    0.000_120_553_311_116_427_1,
    -1.492_559_526_683_118_2e-5,
    1.646_100_048_412_136_8e-6,
    -1.635_031_270_105_469_5e-7,
    1.465_977_527_404_743_6e-8,
    -1.137_284_885_679_167_4e-9,
    5.957_176_147_748_911e-11,
];

/// (1 + 2 x) exp(x^2) erfc x by powers of t, for x from 0.9 to 28: the relative error is 2.8e-18.
const FAR: [f64; 21] = [
    1.232_995_118_625_552_6,
    -0.139_621_116_840_562_53,
    0.015_379_652_102_621_27,
    0.068_097_054_254_693_27,
    -0.101_039_066_036_420_72,
    0.093_732_834_998_359_06,
    -0.066_330_365_808_747_86,
    0.037_167_515_536_300_65,
    -0.016_197_734_110_688_332,
    0.005_031_970_006_014_352,
    -0.000_757_772_823_321_500_4,
    -0.000_199_257_015_037_573_01,
    0.000_150_619_179_634_076_17,
    -2.439_712_983_026_389e-5,
    -1.121_376_378_160_737_8e-5,
    5.701_605_130_136_403e-6,
    2.774_620_253_044_185e-7,
    -8.065_547_599_165_365e-7,
    9.184_027_551_881_729e-8,
    8.572_617_065_178_78e-8,
    -2.414_329_005_725_513e-8,
];

/// The middle of t.
const MIDDLE: f64 = 4.0;

/// From here on erfc is 0.
const BOUND: f64 = 28.0;

/// erf, with an error below 2 units in the last place.
pub fn error_function(b: &Builder, x: Value) -> Value {
    let magnitude = math::AbsF::build(b, x);
    let far = arith::SubF::build(b, b.constant(x.ty(), 1.0), far(b, magnitude));
    let far = math::CopySign::build(b, far, x);
    b.select(is_near(b, magnitude), near(b, x), far)
}

/// erfc, with an error below 4 units in the last place.
pub fn complement(b: &Builder, x: Value) -> Value {
    let number = |value: f64| b.constant(x.ty(), value);
    let magnitude = math::AbsF::build(b, x);
    let right = far(b, magnitude);
    let left = arith::SubF::build(b, number(2.0), right);
    let is_left = arith::CmpF::build(b, CmpFPredicate::Olt, x, number(0.0));
    let far = b.select(is_left, left, right);
    let near = arith::SubF::build(b, number(1.0), near(b, x));
    b.select(is_near(b, magnitude), near, far)
}

/// Whether a magnitude is below 1.
fn is_near(b: &Builder, magnitude: Value) -> Value {
    let one = b.constant(magnitude.ty(), 1.0);
    arith::CmpF::build(b, CmpFPredicate::Olt, magnitude, one)
}

/// erf of a magnitude below 1, with its sign.
fn near(b: &Builder, x: Value) -> Value {
    let square = arith::MulF::build(b, x, x);
    fma(b, x, polynomial(b, square, &NEAR), x)
}

/// erfc of a magnitude from 0.9 on.
fn far(b: &Builder, x: Value) -> Value {
    let number = |value: f64| b.constant(x.ty(), value);
    let is_beyond = arith::CmpF::build(b, CmpFPredicate::Ogt, x, number(BOUND));
    let x = b.select(is_beyond, number(BOUND), x);
    let below = arith::SubF::build(b, x, number(MIDDLE));
    let t = arith::DivF::build(b, below, arith::AddF::build(b, x, number(MIDDLE)));
    let smooth = polynomial(b, t, &FAR);
    let slope = fma(b, x, number(2.0), number(1.0));
    // exp of the rounded square, and of what rounding left out.
    let square = arith::MulF::build(b, x, x);
    let left_out = fma(b, x, x, arith::NegF::build(b, square));
    let power = exponential(b, arith::NegF::build(b, square));
    let quotient = arith::DivF::build(b, smooth, slope);
    let rest = fma(b, quotient, arith::NegF::build(b, left_out), quotient);
    arith::MulF::build(b, power, rest)
}
