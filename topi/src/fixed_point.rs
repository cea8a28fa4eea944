//! Products with fixed-point numbers, as networks of integers scale their sums.

use crate::{
    Expression,
    scalar::{self, Comparison, compare},
};
use relay_dialects::{
    Element,
    ir::{Builder, Value},
    relay::ops::losses::Rounding,
};

/// The bits behind the point of a multiplier.
const FRACTION_BITS: i64 = 31;

/// The shift that leaves the sign of 64 bits.
const SIGN_SHIFT: i64 = 63;

/// The rounding that an operator's attribute names.
///
/// # Errors
/// If there is none of the name.
pub fn rounding(e: &Expression<'_>) -> Result<Rounding, String> {
    let name = e.attrs().str("rounding")?;
    Rounding::named(&name).ok_or_else(|| format!("has no rounding {name}"))
}

/// The number multiplier * 2^(exponent - 31), both of 64 bits. The multiplier has 32 of them, and the exponent is from -32 to 30.
#[derive(Clone, Copy)]
pub struct FixedPoint {
    /// The digits.
    pub multiplier: Value,
    /// The place of the point.
    pub exponent: Value,
}

impl FixedPoint {
    /// The product with an integer of 32 bits, in 64 bits.
    pub fn times(self, b: &Builder, x: Value, rounding: Rounding) -> Value {
        let wide = Element::I64.ty(b.ctx);
        let number = |number: i64| b.int_constant(wide, number);
        let x = scalar::cast(b, x, wide);
        if rounding == Rounding::Twice {
            return self.times_twice_rounded(b, x);
        }
        let product = scalar::mul(b, x, self.multiplier);
        let dropped = scalar::sub(b, number(FRACTION_BITS), self.exponent);
        let one = number(1);
        let half = scalar::shift_left(b, one, scalar::sub(b, dropped, one));
        let half = match rounding {
            // The sign is -1: of two numbers as near, the lower one.
            Rounding::ToNearest => {
                let sign = scalar::shift_right(b, product, number(SIGN_SHIFT));
                scalar::add(b, half, sign)
            }
            _ => half,
        };
        scalar::shift_right(b, scalar::add(b, product, half), dropped)
    }

    /// TFLite's `MultiplyByQuantizedMultiplier`: a saturating rounding doubling high product, and a rounding division by a power of two.
    fn times_twice_rounded(self, b: &Builder, x: Value) -> Value {
        let (wide, word) = (Element::I64.ty(b.ctx), Element::I32.ty(b.ctx));
        let number = |number: i64| b.int_constant(wide, number);
        let zero = number(0);
        let left = scalar::max(b, self.exponent, zero);
        let right = scalar::max(b, scalar::sub(b, zero, self.exponent), zero);
        // What is shifted has 32 bits again.
        let x = scalar::cast(b, scalar::shift_left(b, x, left), word);
        let product = scalar::mul(b, scalar::cast(b, x, wide), self.multiplier);
        let sum = scalar::add(b, product, number(1 << (FRACTION_BITS - 1)));
        let high = scalar::shift_right(b, sum, number(FRACTION_BITS));
        let high = scalar::min(b, high, number(i64::from(i32::MAX)));
        divided_by_power(b, high, right)
    }
}

/// x / 2^count, rounded to the nearest number; of two as near the one farther from zero.
fn divided_by_power(b: &Builder, x: Value, count: Value) -> Value {
    let wide = x.ty();
    let number = |number: i64| b.int_constant(wide, number);
    let one = number(1);
    let rest = scalar::and(b, x, scalar::sub(b, scalar::shift_left(b, one, count), one));
    let half = scalar::shift_right(b, scalar::shift_left(b, one, count), one);
    let shifted = scalar::shift_right(b, x, count);
    // Below zero, what is shifted out counts from the lower number on: the middle is rounded down.
    let is_negative = compare(b, Comparison::Less, x, number(0));
    let needed = b.select(is_negative, scalar::add(b, half, one), half);
    let is_more = compare(b, Comparison::GreaterEqual, rest, needed);
    let is_shifted = compare(b, Comparison::Greater, count, number(0));
    let more = scalar::and(b, is_more, is_shifted);
    b.select(more, scalar::add(b, shifted, one), shifted)
}
