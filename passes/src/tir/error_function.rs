//! erf of f32: what `approximate-math` makes of it.
//!
//! erf |x| = 1 - exp y with y = ln erfc |x|, which is -|x| times a smooth function. exp y - 1 is had from
//! the parts that exp is made of without loss of digits near 0, so one polynomial serves all numbers;
//! upstream's approximation is a quotient of polynomials chosen from four.

use super::exponential::{Reduced, compare, exponent, fma, reduce};
use relay_dialects::ir::{Builder, Value};

/// From here on erf is 1 in f32.
const BOUND: f64 = -4.0;

/// ln erfc(-m) / m - 1 by powers of m, for m from -4 to 0: the least greatest relative error of erf,
/// 4e-9, by Lawson's iteration.
const COEFFICIENTS: [f64; 9] = [
    0.128_379_166_126_251_22,
    -0.636_619_389_057_159_4,
    0.102_777_831_256_389_62,
    0.019_153_064_116_835_594,
    -0.000_160_396_972_205_489_87,
    -0.001_667_028_409_428_894_5,
    -0.000_632_837_414_741_516_1,
    -0.000_117_641_437_100_246_55,
    -9.256_285_011_360_887e-6,
];

/// `arith`'s number for "ordered and less".
const OLT: i64 = 4;

/// erf of an f32 or of a vector of them, with an error below 3 units in the last place.
pub fn error_function(b: &Builder, x: Value) -> Value {
    let number = |value: f64| b.constant(x.ty(), value);
    let negative = b.unary("arith.negf", b.unary("math.absf", x));
    let is_beyond = compare(b, OLT, negative, number(BOUND));
    let m = b.select(is_beyond, number(BOUND), negative);
    let y = fma(b, m, factor(b, m), m);
    let Reduced { rounded, r, slope } = reduce(b, y);
    let rest = b.binary("arith.mulf", slope, r);
    let exponent = exponent(b, rounded);
    let bits_of_1 = b.constant(exponent.ty(), f64::from(1f32.to_bits()));
    let power = b.binary("arith.addi", exponent, bits_of_1);
    let power = b.value("arith.bitcast", &[power], x.ty(), &[]);
    // 2^k (1 + rest) - 1
    let less_1 = b.binary("arith.subf", power, number(1.0));
    let value = fma(b, power, rest, less_1);
    b.binary("math.copysign", value, x)
}

/// The polynomial, in parts that are computed side by side (Estrin's scheme).
fn factor(b: &Builder, m: Value) -> Value {
    let c = COEFFICIENTS.map(|value| b.constant(m.ty(), value));
    let square = b.binary("arith.mulf", m, m);
    let fourth = b.binary("arith.mulf", square, square);
    let pair = |at: usize| fma(b, c[at + 1], m, c[at]);
    let low = fma(b, pair(2), square, pair(0));
    let high = fma(b, pair(6), square, pair(4));
    let high = fma(b, c[8], fourth, high);
    fma(b, high, fourth, low)
}
