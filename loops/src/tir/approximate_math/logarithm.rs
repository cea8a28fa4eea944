//! log of f32: what `approximate-math` makes of it.
//!
//! x = 2^k m with m from sqrt(1/2) to sqrt 2, and log x = k ln 2 + log m. Upstream's approximation takes a subnormal number for the least
//! normal one.

use super::exponential::{as_bits, fma, of_shape, polynomial};
use relay_dialects::{
    ir::{Builder, Type, Value},
    ops::arith::{self, CmpFPredicate},
};

/// The least normal number.
const TINY: f64 = f32::MIN_POSITIVE as f64;

/// The bits of a float after those of its exponent.
const DIGITS: f64 = 23.0;

/// The bits of sqrt(1/2).
const HALF_ROOT: f64 = 0x3f35_04f3_u32 as f64;

/// (log(1 + f) - f + f^2 / 2) / f^3 by even powers of f, for f from sqrt(1/2) - 1 to sqrt 2 - 1: the coefficients of Cephes' logf.
const EVEN: [f64; 5] = [
    0.333_333_311_74,
    0.200_007_147_65,
    0.142_493_227_87,
    0.116_769_987_4,
    0.070_376_836_292,
];

/// The same by odd powers of f.
const ODD: [f64; 4] = [
    -0.249_999_939_93,
    -0.166_680_576_65,
    -0.124_201_408_46,
    -0.115_146_103_1,
];

/// log of an f32 or of a vector of them, with an error below 1 unit in the last place. Of 0 it is negative infinity, and NaN of negative
/// numbers.
pub fn logarithm(b: &Builder, x: Value) -> Value {
    let number = |value: f64| b.constant(x.ty(), value);
    // 2^23 x is normal if x is subnormal. Its exponent is 23 more.
    let is_small = arith::CmpF::build(b, CmpFPredicate::Olt, x, number(TINY));
    let grown = arith::MulF::build(b, x, number(DIGITS.exp2()));
    let normal = b.select(is_small, grown, x);
    let (k, m) = parts(b, normal);
    let less = arith::SubF::build(b, k, number(DIGITS));
    let k = b.select(is_small, less, k);
    let f = arith::SubF::build(b, m, number(1.0));

    let square = arith::MulF::build(b, f, f);
    // Two chains side by side take less time than one of their length.
    let [even, odd] = [&EVEN[..], &ODD].map(|powers| polynomial(b, square, powers));
    let slope = fma(b, fma(b, odd, f, even), f, number(-0.5));
    let of_m = fma(b, slope, square, f);
    let logarithm = fma(b, k, number(std::f64::consts::LN_2), of_m);
    at_ends(b, logarithm, x)
}

/// k and m of a normal number.
fn parts(b: &Builder, x: Value) -> (Value, Value) {
    let bits = as_bits(b, x);
    let int = |value: f64| b.constant(bits.ty(), value);
    let over = arith::SubI::build(b, bits, int(HALF_ROOT));
    let k = arith::ShRSI::build(b, over, int(DIGITS));
    let power = arith::ShLI::build(b, k, int(DIGITS));
    let m = arith::SubI::build(b, bits, power);
    let single = of_shape(x.ty(), Type::f32(b.ctx));
    (
        arith::SIToFP::build(b, single, k),
        arith::Bitcast::build(b, single, m),
    )
}

/// The logarithm of x where x is positive and finite. Infinity and NaN are their own.
pub fn at_ends(b: &Builder, logarithm: Value, x: Value) -> Value {
    let number = |value: f64| b.constant(x.ty(), value);
    let [zero, infinity] = [0.0, f64::INFINITY].map(number);
    let result = b.select(
        arith::CmpF::build(b, CmpFPredicate::Olt, x, infinity),
        logarithm,
        x,
    );
    let result = b.select(
        arith::CmpF::build(b, CmpFPredicate::Olt, x, zero),
        number(f64::NAN),
        result,
    );
    b.select(
        arith::CmpF::build(b, CmpFPredicate::Oeq, x, zero),
        number(f64::NEG_INFINITY),
        result,
    )
}
