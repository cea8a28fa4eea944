//! Parts of an f64: its exponent and its digits.

use crate::tir::approximate_math::exponential::{as_bits, of_shape};
use relay_dialects::{
    ir::{Builder, Type, Value},
    ops::arith,
};

/// Between 2^52 and 2^53, where doubles are the integers: adding it rounds to an integer, which is then in the last bits.
pub const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// The bits of a double after those of its exponent.
pub const DIGITS: f64 = 52.0;

/// The bias of the bits of an exponent.
pub const BIAS: f64 = 1023.0;

/// Below this magnitude, x + x^2 is x.
pub const TINY: f64 = 1.0 / (1_u64 << 54) as f64;

/// The integer in the last bits of a double to which [`ROUNDER`] was added.
pub fn integer(b: &Builder, rounded: Value) -> Value {
    let bits = as_bits(b, rounded);
    let rounder = b.constant(bits.ty(), ROUNDER.to_bits() as f64);
    arith::SubI::build(b, bits, rounder)
}

/// 2^k of an integer k from -1022 to 1023.
pub fn power_of_integer(b: &Builder, k: Value) -> Value {
    let biased = arith::AddI::build(b, k, b.constant(k.ty(), BIAS));
    let bits = arith::ShLI::build(b, biased, b.constant(k.ty(), DIGITS));
    let double = of_shape(k.ty(), Type::f64(b.ctx));
    arith::Bitcast::build(b, double, bits)
}

/// x 2^k of an integer k from -2044 to 2046: in two steps, because 2^k may have no f64 where the product has one.
pub fn scale(b: &Builder, x: Value, k: Value) -> Value {
    let half = arith::ShRSI::build(b, k, b.constant(k.ty(), 1.0));
    let rest = arith::SubI::build(b, k, half);
    let [half, rest] = [half, rest].map(|k| power_of_integer(b, k));
    arith::MulF::build(b, arith::MulF::build(b, x, half), rest)
}

/// `x` where it is NaN or lies between two numbers, else the nearer one of them.
pub fn clamp(b: &Builder, x: Value, range: [f64; 2]) -> Value {
    use arith::CmpFPredicate::{Ogt, Olt};
    let [least, most] = range.map(|bound| b.constant(x.ty(), bound));
    let x = b.select(arith::CmpF::build(b, Olt, x, least), least, x);
    b.select(arith::CmpF::build(b, Ogt, x, most), most, x)
}
