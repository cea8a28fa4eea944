//! exp of f32: what `approximate-math` makes of it, and what it is made of.
//!
//! x = k ln 2 + r with an integer k and |r| <= ln 2 / 2, so exp x = 2^k exp r. Upstream's approximation is
//! the same in principle and takes 25 instructions one after the other. What bounds it is that a processor
//! looks at about a hundred instructions at a time, four such chains: this one is of 16, and shorter
//! still, as halves of the polynomial are computed side by side (Estrin's scheme).

use relay_dialects::ir::{Attr, Builder, Type, Value};

/// Between 2^23 and 2^24, where floats are the integers: adding it rounds to an integer, which is then in
/// the last bits.
const ROUNDER: f64 = 12_582_912.0;

/// ln 2 in two parts. The first has so few bits that k times it is exact.
const LN_2: [f64; 2] = [0.693_359_375, -2.121_944_4e-4];

/// (exp r - 1 - r) / r^2 by powers of r: the least greatest relative error of exp r, 4e-9, by Lawson's
/// iteration.
const COEFFICIENTS: [f64; 5] = [
    0.499_999_940_395_355_2,
    0.166_665_211_319_923_4,
    0.041_668_388_992_547_99,
    0.008_368_716_575_205_326,
    0.001_381_459_762_342_274_2,
];

/// The least f32 whose exponential is not subnormal, and the greatest whose exponential is finite.
const RANGE: [f64; 2] = [-87.336_540_222_167_97, 88.722_831_726_074_22];

/// exp of an f32 or of a vector of them, with an error below 1 unit in the last place. Where the result is
/// subnormal it is 0. exp of NaN is NaN.
pub fn exponential(b: &Builder, x: Value) -> Value {
    let Reduced { rounded, r, slope } = reduce(b, x);
    let one = b.constant(x.ty(), 1.0);
    // A multiply-add of r, as the slope is: each rounds once, and only the last makes an error of more
    // than a fraction of a unit.
    let power = fma(b, slope, r, one);
    scaled(b, x, power, rounded)
}

/// exp of `x` is 2^k (1 + `slope` r).
pub struct Reduced {
    /// A float that has k in its last bits; those before them are 0 where k is shifted to the exponent.
    pub rounded: Value,
    /// `x` - k ln 2.
    pub r: Value,
    /// (exp r - 1) / r.
    pub slope: Value,
}

/// What exp of an f32 or of a vector of them is made of.
pub fn reduce(b: &Builder, x: Value) -> Reduced {
    let number = |value: f64| b.constant(x.ty(), value);
    let fma = |x: Value, y: Value, z: Value| fma(b, x, y, z);
    let rounded = fma(x, number(std::f64::consts::LOG2_E), number(ROUNDER));
    let k = b.binary("arith.subf", rounded, number(ROUNDER));
    let r = fma(k, number(-LN_2[0]), x);
    let r = fma(k, number(-LN_2[1]), r);

    let [c0, c1, c2, c3, c4] = COEFFICIENTS.map(number);
    let square = b.binary("arith.mulf", r, r);
    let high = fma(square, c4, fma(c3, r, c2));
    let sum = fma(high, square, fma(c1, r, c0));
    let slope = fma(sum, r, number(1.0));
    Reduced { rounded, r, slope }
}

/// k 2^23, as an integer: k in the bits of a float's exponent.
pub fn exponent(b: &Builder, rounded: Value) -> Value {
    let bits = as_bits(b, rounded);
    b.binary("arith.shli", bits, b.constant(bits.ty(), 23.0))
}

/// The bits of floats as integers.
pub fn as_bits(b: &Builder, value: Value) -> Value {
    let int = of_shape(value.ty(), Type::int(b.ctx, 32));
    b.value("arith.bitcast", &[value], int, &[])
}

/// x y + z, rounded once.
pub fn fma(b: &Builder, x: Value, y: Value, z: Value) -> Value {
    b.value("math.fma", &[x, y, z], x.ty(), &[])
}

/// 2^k `power`, where `rounded` has k in its last bits and `power` is near exp of the rest of `x`.
fn scaled(b: &Builder, x: Value, power: Value, rounded: Value) -> Value {
    let shifted = exponent(b, rounded);
    let int = shifted.ty();
    // What is finite and not subnormal does not leave the exponent's eight bits: with k = 128, `power`
    // is below 1.
    let sum = b.binary("arith.addi", as_bits(b, power), shifted);
    let least = b.constant(x.ty(), RANGE[0]);
    let is_normal = compare(b, OGE, x, least);
    let sum = b.select(is_normal, sum, b.constant(int, 0.0));
    let value = b.value("arith.bitcast", &[sum], x.ty(), &[]);
    // And NaN, which it leaves NaN.
    let is_infinite = compare(b, UGT, x, b.constant(x.ty(), RANGE[1]));
    let infinite = b.binary("arith.addf", x, b.constant(x.ty(), f64::INFINITY));
    b.select(is_infinite, infinite, value)
}

/// `arith`'s number for "ordered and not less".
const OGE: i64 = 3;

/// `arith`'s number for "greater or unordered".
const UGT: i64 = 9;

/// A comparison of floats by `arith`'s number for it.
pub fn compare(b: &Builder, predicate: i64, lhs: Value, rhs: Value) -> Value {
    let predicate = ("predicate", Attr::i64(b.ctx, predicate));
    let bool = of_shape(lhs.ty(), Type::int(b.ctx, 1));
    b.value("arith.cmpf", &[lhs, rhs], bool, &[predicate])
}

/// `element`, or a vector of it as `like` is one.
pub fn of_shape(like: Type, element: Type) -> Type {
    if like.is_vector() {
        Type::vector(&like.shape(), element)
    } else {
        element
    }
}
