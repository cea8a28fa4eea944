//! sin and cos of f32: what `approximate-math` makes of them.
//!
//! |x| = k pi/2 + r with an integer k and |r| little more than pi/4. The quarter turns say which of sin r
//! and cos r is wanted, and its sign. pi/2 is taken in three parts: what remains after the first is
//! exact, so r has an error of two roundings, however near |x| is to a multiple of pi/2. Beyond
//! [`BOUND`] libm is called, as numbers of that size need more digits of pi: for all lanes of a vector if one
//! is beyond.

use super::exponential::{as_bits, fma};
use relay_dialects::{
    ir::{Block, Builder, Type, Value},
    ops::{
        arith::{self, CmpFPredicate},
        math, scf, vector,
    },
};

/// To here k is found within a hundredth of a turn's quarter.
const BOUND: f64 = 1e5;

/// Between 2^23 and 2^24, where floats are the integers: adding it rounds to an integer, which is then in
/// the last bits.
const ROUNDER: f64 = 12_582_912.0;

/// pi/2, each part the f32 nearest to what is left of it.
const HALF_PI: [f64; 3] = [
    1.570_796_370_506_286_6,
    -4.371_138_828_673_793e-8,
    -1.715_124_510_005_881_9e-15,
];

/// (sin r / r - 1) / r^2 by powers of r^2: the least greatest relative error of sin r, 4e-9, by Lawson's
/// iteration.
const SINE: [f64; 3] = [
    -0.166_666_537_098_881_27,
    0.008_332_103_322_692_666,
    -0.000_195_074_250_173_072_47,
];

/// (cos r - 1 + r^2 / 2) / r^4 by powers of r^2, likewise: 1.3e-10.
const COSINE: [f64; 3] = [
    0.041_666_644_096_557_67,
    -0.001_388_723_829_031_189_5,
    2.442_417_707_828_444_5e-5,
];

/// sin of an f32 or of a vector of them, with an error below 2 units in the last place. sin of what is not
/// finite is NaN.
pub fn sine(b: &Builder, x: Value) -> Value {
    sine_or(b, x, math::Sin::build)
}

/// The same where there is no libm. Large angles become sines of f64, for which another pass has arithmetic.
pub fn sine_on_device(b: &Builder, x: Value) -> Value {
    sine_or(b, x, |b, x| by_double(b, x, math::Sin::build))
}

/// sin, of what is beyond the bound as `call` has it.
fn sine_or(b: &Builder, x: Value, call: impl Fn(&Builder, Value) -> Value) -> Value {
    or_call(b, call, x, |b, magnitude| {
        let value = quarter(b, magnitude, 0.0);
        // sin is odd; of -0 it is -0.
        let bits = as_bits(b, x);
        let sign = b.constant(bits.ty(), f64::from(i32::MIN));
        let sign = arith::AndI::build(b, bits, sign);
        let bits = arith::XOrI::build(b, as_bits(b, value), sign);
        arith::Bitcast::build(b, x.ty(), bits)
    })
}

/// cos of an f32 or of a vector of them, likewise.
pub fn cosine(b: &Builder, x: Value) -> Value {
    cosine_or(b, x, math::Cos::build)
}

/// The same where there is no libm.
pub fn cosine_on_device(b: &Builder, x: Value) -> Value {
    cosine_or(b, x, |b, x| by_double(b, x, math::Cos::build))
}

/// cos, likewise.
fn cosine_or(b: &Builder, x: Value, call: impl Fn(&Builder, Value) -> Value) -> Value {
    or_call(b, call, x, |b, magnitude| quarter(b, magnitude, 1.0))
}

/// What `write` makes of the magnitude of `x`, or where that is beyond the bound, what `call` makes of `x`.
fn or_call(
    b: &Builder,
    call: impl Fn(&Builder, Value) -> Value,
    x: Value,
    write: impl Fn(&Builder, Value) -> Value,
) -> Value {
    let magnitude = math::AbsF::build(b, x);
    let beyond = arith::CmpF::build(b, CmpFPredicate::Ogt, magnitude, b.constant(x.ty(), BOUND));
    let branch = |value: &dyn Fn(&Builder) -> Value| {
        let block = Block::new(b.ctx, &[]);
        let inside = Builder::at_end(block, b.loc, b.ctx);
        let value = value(&inside);
        scf::Yield::build(&inside, &[value]);
        block
    };
    let call = branch(&|b| call(b, x));
    let inline = branch(&|b| write(b, magnitude));
    scf::If::build(b, &[x.ty()], any(b, beyond), call, Some(inline)).result(0)
}

/// Whether a condition holds in any lane.
pub fn any(b: &Builder, condition: Value) -> Value {
    if !condition.ty().is_vector() {
        return condition;
    }
    let bool = Type::int(b.ctx, 1);
    let lanes = Type::vector(&[condition.ty().shape().iter().product()], bool);
    let flat = vector::ShapeCast::build(b, lanes, condition);
    vector::Reduction::build(b, bool, vector::CombiningKind::Or, flat, None)
}

/// sin of `x` and `ahead` quarter turns, for an `x` from 0 to the bound.
fn quarter(b: &Builder, x: Value, ahead: f64) -> Value {
    let number = |value: f64| b.constant(x.ty(), value);
    let rounded = fma(b, x, number(std::f64::consts::FRAC_2_PI), number(ROUNDER));
    let k = arith::SubF::build(b, rounded, number(ROUNDER));
    let parts = HALF_PI.into_iter();
    let r = parts.fold(x, |r, part| fma(b, k, number(-part), r));
    of_turns(b, r, as_bits(b, rounded), ahead)
}

/// sin of `r`, which is little more than pi/4 at most, and so many quarter turns, an integer, and `ahead` more.
fn of_turns(b: &Builder, r: Value, turns: Value, ahead: f64) -> Value {
    let number = |value: f64| b.constant(r.ty(), value);
    let int = |value: f64| b.constant(turns.ty(), value);
    let turns = arith::AddI::build(b, turns, int(ahead));

    let square = arith::MulF::build(b, r, r);
    let polynomial = |c: [f64; 3]| {
        let [c0, c1, c2] = c.map(number);
        fma(b, fma(b, c2, square, c1), square, c0)
    };
    let cube = arith::MulF::build(b, square, r);
    let sine = fma(b, cube, polynomial(SINE), r);
    let less_half = fma(b, square, number(-0.5), number(1.0));
    let fourth = arith::MulF::build(b, square, square);
    let cosine = fma(b, fourth, polynomial(COSINE), less_half);

    let odd = arith::AndI::build(b, turns, int(1.0));
    let is_even = arith::CmpI::build(b, arith::CmpIPredicate::Eq, odd, int(0.0));
    let value = b.select(is_even, sine, cosine);
    // The second bit of the turns is the sign.
    let half = arith::AndI::build(b, turns, int(2.0));
    let sign = arith::ShLI::build(b, half, int(30.0));
    let bits = arith::XOrI::build(b, as_bits(b, value), sign);
    arith::Bitcast::build(b, r.ty(), bits)
}

/// A function of an f32 by way of f64, which has a reduction for all angles.
fn by_double(b: &Builder, x: Value, function: fn(&Builder, Value) -> Value) -> Value {
    let wide = x.ty().with_element(Type::f64(b.ctx));
    let value = function(b, arith::ExtF::build(b, wide, x));
    arith::TruncF::build(b, x.ty(), value)
}
