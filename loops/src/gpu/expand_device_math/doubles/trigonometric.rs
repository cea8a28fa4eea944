//! sin, cos and tan of f64.
//!
//! |x| = k pi/2 + r with an integer k and |r| little more than pi/4. pi/2 is taken in three parts: what remains after the first is
//! exact. Large angles need more digits of pi.

use super::large_angles;
use crate::tir::approximate_math::{
    exponential::{as_bits, fma, polynomial},
    trigonometric::any,
};
use relay_dialects::{
    ir::{Block, Builder, Type, Value},
    ops::{
        arith::{self, CmpFPredicate, CmpIPredicate},
        math, scf,
    },
};

/// To here, 2^45, three parts of pi/2 have enough digits.
const BOUND: f64 = (1_u64 << 45) as f64;

/// pi/2, each part the f64 nearest to what is left of it.
const HALF_PI: [f64; 3] = [
    std::f64::consts::FRAC_PI_2,
    6.123_233_995_736_766e-17,
    -1.497_384_904_859_169_8e-33,
];

/// (sin r / r - 1) / r^2 by powers of r^2, for |r| to 0.86: the relative error of sin r is 3.3e-20.
const SINE: [f64; 7] = [
    -0.166_666_666_666_666_66,
    0.008_333_333_333_333_328,
    -0.000_198_412_698_412_574_68,
    2.755_731_921_403_779e-6,
    -2.505_210_457_582_846e-8,
    1.605_829_469_839_182_4e-10,
    -7.574_057_922_862_584e-13,
];

/// (cos r - 1 + r^2 / 2) / r^4 by powers of r^2, likewise: 2.2e-18.
const COSINE: [f64; 6] = [
    0.041_666_666_666_666_664,
    -0.001_388_888_888_888_502_5,
    2.480_158_729_554_637_8e-5,
    -2.755_731_576_949_089_4e-7,
    2.087_586_377_180_033_6e-9,
    -1.136_421_314_676_043e-11,
];

/// A reduced angle: sin r, cos r, and the quarter turns before it, an integer from 0 to 3.
struct Turned {
    sine: Value,
    cosine: Value,
    turns: Value,
}

/// sin, with an error below 2 units in the last place. sin of what is not finite is NaN.
pub fn sine(b: &Builder, x: Value) -> Value {
    let turned = reduce(b, math::AbsF::build(b, x));
    // sin is odd; of -0 it is -0.
    let value = as_bits(b, at(b, &turned, 0.0, x));
    let sign = b.constant(value.ty(), i64::MIN as f64);
    let sign = arith::AndI::build(b, as_bits(b, x), sign);
    arith::Bitcast::build(b, x.ty(), arith::XOrI::build(b, value, sign))
}

/// cos, likewise.
pub fn cosine(b: &Builder, x: Value) -> Value {
    at(b, &reduce(b, math::AbsF::build(b, x)), 1.0, x)
}

/// tan, with an error below 4 units in the last place.
pub fn tangent(b: &Builder, x: Value) -> Value {
    let Turned {
        sine,
        cosine,
        turns,
    } = reduce(b, math::AbsF::build(b, x));
    let one = b.constant(turns.ty(), 1.0);
    let odd = arith::AndI::build(b, turns, one);
    let is_odd = arith::CmpI::build(b, CmpIPredicate::Eq, odd, one);
    let negative = arith::NegF::build(b, cosine);
    let above = b.select(is_odd, negative, sine);
    let below = b.select(is_odd, sine, cosine);
    let value = as_bits(b, arith::DivF::build(b, above, below));
    let sign = b.constant(value.ty(), i64::MIN as f64);
    let sign = arith::AndI::build(b, as_bits(b, x), sign);
    let value = arith::Bitcast::build(b, x.ty(), arith::XOrI::build(b, value, sign));
    or_nan(b, value, x)
}

/// Reduces a magnitude: of vectors with all digits, if one lane needs them.
fn reduce(b: &Builder, x: Value) -> Turned {
    let (r, turns) = rest(b, x);
    let is_far = arith::CmpF::build(b, CmpFPredicate::Ogt, x, b.constant(x.ty(), BOUND));
    let branch = |write: &dyn Fn(&Builder) -> [Value; 2]| {
        let block = Block::new(b.ctx, &[]);
        let inside = Builder::at_end(block, b.loc, b.ctx);
        let values = write(&inside);
        scf::Yield::build(&inside, &values);
        block
    };
    let far = branch(&|b| {
        let (far, far_turns) = large_angles::reduce(b, x);
        [b.select(is_far, far, r), b.select(is_far, far_turns, turns)]
    });
    let near = branch(&|_| [r, turns]);
    let types = [r.ty(), turns.ty()];
    let chosen = scf::If::build(b, &types, any(b, is_far), far, Some(near));
    turned(b, chosen.result(0), chosen.result(1))
}

/// What is left of a magnitude to the bound, and the quarter turns before it, modulo 4, as an integer.
fn rest(b: &Builder, x: Value) -> (Value, Value) {
    let number = |value: f64| b.constant(x.ty(), value);
    let turns = arith::MulF::build(b, x, number(std::f64::consts::FRAC_2_PI));
    let k = math::RoundEven::build(b, turns);
    let parts = HALF_PI.into_iter();
    let r = parts.fold(x, |r, part| fma(b, k, number(-part), r));
    let fourth = arith::MulF::build(b, k, number(0.25));
    let rounds = arith::MulF::build(b, math::Floor::build(b, fourth), number(4.0));
    let rest = arith::SubF::build(b, k, rounds);
    // Of what is not finite, it is NaN.
    let is_number = arith::CmpF::build(b, CmpFPredicate::Ord, rest, rest);
    let rest = b.select(is_number, rest, number(0.0));
    let whole = x.ty().with_element(Type::int(b.ctx, 64));
    (r, arith::FPToSI::build(b, whole, rest))
}

/// sin and cos of what is left.
fn turned(b: &Builder, r: Value, turns: Value) -> Turned {
    let number = |value: f64| b.constant(r.ty(), value);
    let square = arith::MulF::build(b, r, r);
    let cube = arith::MulF::build(b, square, r);
    let less_half = fma(b, square, number(-0.5), number(1.0));
    let fourth = arith::MulF::build(b, square, square);
    Turned {
        sine: fma(b, cube, polynomial(b, square, &SINE), r),
        cosine: fma(b, fourth, polynomial(b, square, &COSINE), less_half),
        turns,
    }
}

/// sin of an angle and `ahead` quarter turns. NaN where `x` is not finite.
fn at(b: &Builder, turned: &Turned, ahead: f64, x: Value) -> Value {
    let int = |value: f64| b.constant(turned.turns.ty(), value);
    let turns = arith::AddI::build(b, turned.turns, int(ahead));
    let odd = arith::AndI::build(b, turns, int(1.0));
    let is_even = arith::CmpI::build(b, CmpIPredicate::Eq, odd, int(0.0));
    let value = b.select(is_even, turned.sine, turned.cosine);
    // The second bit of the turns is the sign.
    let half = arith::AndI::build(b, turns, int(2.0));
    let sign = arith::ShLI::build(b, half, int(62.0));
    let bits = arith::XOrI::build(b, as_bits(b, value), sign);
    or_nan(b, arith::Bitcast::build(b, x.ty(), bits), x)
}

/// A value, or NaN where `x` is not finite.
fn or_nan(b: &Builder, value: Value, x: Value) -> Value {
    let number = |value: f64| b.constant(x.ty(), value);
    let magnitude = math::AbsF::build(b, x);
    let is_finite = arith::CmpF::build(b, CmpFPredicate::Olt, magnitude, number(f64::INFINITY));
    b.select(is_finite, value, number(f64::NAN))
}
