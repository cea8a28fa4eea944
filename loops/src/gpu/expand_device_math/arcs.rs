//! atan, asin and acos of f32 and f64, and the angle of two numbers.

use crate::tir::approximate_math::exponential::{as_bits, fma, polynomial};
use relay_dialects::{
    ir::{Builder, Value},
    ops::{
        arith::{self, CmpFPredicate, CmpIPredicate},
        math,
    },
};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// tan of pi/8 and of 3 pi/8.
const BOUNDS: [f64; 2] = [0.414_213_562_373_095, 2.414_213_562_373_095];

/// What differs between types.
struct Form {
    /// What pi/2 is more than the number of the type that is nearest to it.
    half_pi_rest: f64,
    /// (atan q / q - 1) / q^2 by powers of q^2, for |q| to 0.4147.
    tangent: &'static [f64],
    /// (asin q / q - 1) / q^2 by powers of q^2, for |q| to 1/2.
    sine: &'static [f64],
}

/// The relative errors of atan q and asin q are 2.4e-9 and 1e-9.
const SINGLE: Form = Form {
    half_pi_rest: -4.371_139_000_186_241e-8,
    tangent: &[
        -0.333_333_317_428_179_1,
        0.199_995_362_711_341_55,
        -0.142_638_098_292_118_4,
        0.107_421_579_159_051_93,
        -0.064_467_194_620_770_65,
    ],
    sine: &[
        0.166_666_663_374_309_08,
        0.075_000_945_434_974_24,
        0.044_599_401_528_512_18,
        0.031_100_662_735_494_57,
        0.017_149_238_357_677_253,
        0.033_690_847_202_830_12,
    ],
};

/// The relative errors of atan q and asin q are 1.8e-19 and 2.4e-19.
const DOUBLE: Form = Form {
    half_pi_rest: 6.123_233_995_736_766e-17,
    tangent: &[
        -0.333_333_333_333_333_3,
        0.199_999_999_999_997_98,
        -0.142_857_142_856_585_74,
        0.111_111_111_050_334_67,
        -0.090_909_087_474_385_06,
        0.076_922_961_999_679_73,
        -0.066_664_217_453_518_14,
        0.058_788_929_347_181_634,
        -0.052_301_889_934_494_805,
        0.045_503_846_552_787_87,
        -0.034_539_518_756_678_086,
        0.016_251_396_585_923_04,
    ],
    sine: &[
        0.166_666_666_666_666_66,
        0.075_000_000_000_001_18,
        0.044_642_857_142_551_895,
        0.030_381_944_475_532_34,
        0.022_372_157_443_507_22,
        0.017_352_816_540_325_496,
        0.013_963_780_012_203_57,
        0.011_566_459_612_121_669,
        0.009_621_842_970_100_282,
        0.009_319_560_794_767_446,
        0.003_044_879_909_455_677_3,
        0.019_554_513_336_123_378,
        -0.019_241_671_746_743_04,
        0.029_612_011_264_955_12,
    ],
};

/// The form of a number's type.
fn form(x: Value) -> &'static Form {
    match x.ty().element().is_f64() {
        true => &DOUBLE,
        false => &SINGLE,
    }
}

/// atan, with an error below 2 units in the last place.
pub fn arc_tangent(b: &Builder, x: Value) -> Value {
    let magnitude = math::AbsF::build(b, x);
    math::CopySign::build(b, of_magnitude(b, magnitude), x)
}

/// atan of a number that is not negative: of `t` itself, or pi/4 and that of (t - 1) / (t + 1), or pi/2 less that of 1 / t.
fn of_magnitude(b: &Builder, t: Value) -> Value {
    let (number, form) = (|value: f64| b.constant(t.ty(), value), form(t));
    let [is_over_first, is_over_second] =
        BOUNDS.map(|bound| arith::CmpF::build(b, CmpFPredicate::Ogt, t, number(bound)));
    let one_of = |first, second, third| {
        let over = b.select(is_over_second, third, second);
        b.select(is_over_first, over, first)
    };
    let one = number(1.0);
    let above = one_of(t, arith::SubF::build(b, t, one), number(-1.0));
    let below = one_of(one, arith::AddF::build(b, t, one), t);
    let base = one_of(number(0.0), number(FRAC_PI_4), number(FRAC_PI_2));
    let base_rest = one_of(
        number(0.0),
        number(form.half_pi_rest / 2.0),
        number(form.half_pi_rest),
    );
    let q = arith::DivF::build(b, above, below);
    let square = arith::MulF::build(b, q, q);
    let slope = arith::MulF::build(b, square, polynomial(b, square, form.tangent));
    let rest = fma(b, q, slope, base_rest);
    arith::AddF::build(b, base, arith::AddF::build(b, q, rest))
}

/// The angle of (x, y), as C's atan2 has it, with an error below 3 units in the last place.
pub fn angle(b: &Builder, y: Value, x: Value) -> Value {
    let number = |value: f64| b.constant(x.ty(), value);
    let [width, height] = [x, y].map(|value| math::AbsF::build(b, value));
    let equal = arith::CmpF::build(b, CmpFPredicate::Oeq, width, height);
    // 0 / 0 stands for 0, and infinity by infinity for 1.
    let is_zero = arith::CmpF::build(b, CmpFPredicate::Oeq, width, number(0.0));
    let quotient = arith::DivF::build(b, height, width);
    let of_equal = b.select(is_zero, number(0.0), number(1.0));
    let acute = of_magnitude(b, b.select(equal, of_equal, quotient));
    let from_pi = arith::SubF::build(b, acute, number(2.0 * form(x).half_pi_rest));
    let obtuse = arith::SubF::build(b, number(PI), from_pi);
    let bits = as_bits(b, x);
    let zero = b.constant(bits.ty(), 0.0);
    let is_left = arith::CmpI::build(b, CmpIPredicate::Slt, bits, zero);
    let value = b.select(is_left, obtuse, acute);
    math::CopySign::build(b, value, y)
}

/// What asin and acos are made of.
struct Reduced {
    /// Whether |x| is above 1/2.
    is_far: Value,
    /// |x|, or where that is above 1/2, sqrt((1 - |x|) / 2).
    q: Value,
    /// asin q - q.
    rest: Value,
}

fn reduce(b: &Builder, x: Value) -> Reduced {
    let number = |value: f64| b.constant(x.ty(), value);
    let magnitude = math::AbsF::build(b, x);
    let is_far = arith::CmpF::build(b, CmpFPredicate::Ogt, magnitude, number(0.5));
    let half_rest = fma(b, magnitude, number(-0.5), number(0.5));
    let near_square = arith::MulF::build(b, x, x);
    let square = b.select(is_far, half_rest, near_square);
    let q = b.select(is_far, math::Sqrt::build(b, half_rest), magnitude);
    let slope = arith::MulF::build(b, square, polynomial(b, square, form(x).sine));
    Reduced {
        is_far,
        q,
        rest: arith::MulF::build(b, q, slope),
    }
}

/// asin, with an error below 2 units in the last place: of magnitudes above 1/2, pi/2 less two times that of [`Reduced::q`]. NaN beyond 1.
pub fn arc_sine(b: &Builder, x: Value) -> Value {
    let number = |value: f64| b.constant(x.ty(), value);
    let Reduced { is_far, q, rest } = reduce(b, x);
    let near = arith::AddF::build(b, q, rest);
    let doubled = fma(b, rest, number(-2.0), number(form(x).half_pi_rest));
    let complement = fma(b, q, number(-2.0), number(FRAC_PI_2));
    let far = arith::AddF::build(b, complement, doubled);
    math::CopySign::build(b, b.select(is_far, far, near), x)
}

/// acos, with an error below 2 units in the last place. NaN beyond 1.
pub fn arc_cosine(b: &Builder, x: Value) -> Value {
    let number = |value: f64| b.constant(x.ty(), value);
    let Reduced { is_far, q, rest } = reduce(b, x);
    let zero = number(0.0);
    let is_negative = arith::CmpF::build(b, CmpFPredicate::Olt, x, zero);
    let doubled = arith::MulF::build(b, arith::AddF::build(b, q, rest), number(2.0));
    let less = arith::SubF::build(b, doubled, number(2.0 * form(x).half_pi_rest));
    let from_pi = arith::SubF::build(b, number(PI), less);
    let far = b.select(is_negative, from_pi, doubled);
    let signed = |value| math::CopySign::build(b, value, x);
    let less = arith::SubF::build(b, signed(rest), number(form(x).half_pi_rest));
    let near = arith::SubF::build(b, signed(q), number(FRAC_PI_2));
    let near = arith::NegF::build(b, arith::AddF::build(b, near, less));
    b.select(is_far, far, near)
}
