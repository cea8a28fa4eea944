//! Arithmetic on quantised integers as TensorFlow Lite's kernels round it.

use crate::{
    compose::activation::clipped,
    graph::{
        attr::Param,
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        value::Value,
    },
};
use relay_dialects::{element::Element, relay::ops::losses::Rounding};

/// The bits behind the point of a multiplier.
const FRACTION_BITS: i32 = 31;

/// The least exponent: products with less are 0.
const LEAST_EXPONENT: i32 = -31;

/// The number multiplier * 2^(exponent - 31).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Factor {
    /// 0, or from 2^30 to below 2^31.
    pub multiplier: i32,
    /// The place of the point.
    pub exponent: i32,
}

impl Factor {
    /// The nearest one to a number that is not negative.
    pub fn of(number: f64) -> Self {
        let zero = Self {
            multiplier: 0,
            exponent: 0,
        };
        if number <= 0.0 || !number.is_finite() {
            return zero;
        }
        let mut exponent = exponent_of(number);
        let digits = number * 2f64.powi(-exponent);
        let mut multiplier = (digits * 2f64.powi(FRACTION_BITS)).round() as i64;
        if multiplier == 1 << FRACTION_BITS {
            multiplier /= 2;
            exponent += 1;
        }
        if exponent < LEAST_EXPONENT {
            return zero;
        }
        Self {
            multiplier: multiplier as i32,
            exponent,
        }
    }
}

impl Factor {
    /// A part of it, one of a number of elements, as kernels of means compute it.
    pub fn part_of(self, count: i64) -> Self {
        let bits = (63 - count.max(1).leading_zeros() as i32)
            .min(32)
            .min(31 + self.exponent);
        Self {
            multiplier: ((i64::from(self.multiplier) << bits.max(0)) / count.max(1)) as i32,
            exponent: self.exponent - bits.max(0),
        }
    }
}

/// The power of two that a positive number is from 1/2 to below 1 times of.
fn exponent_of(number: f64) -> i32 {
    const FRACTION: i32 = 52;
    const HALF: i32 = 1022;
    let field = |number: f64| ((number.to_bits() >> FRACTION) & 0x7ff) as i32;
    match field(number) {
        // What is too small for a digit before the point.
        0 => field(number * 2f64.powi(FRACTION + 2)) - HALF - FRACTION - 2,
        exponent => exponent - HALF,
    }
}

/// The products of integers of 32 bits and numbers, rounded twice, as kernels in integers do it: one number for all, or one for each
/// subscript of an axis.
pub fn scaled(b: &mut GraphBuilder, x: &Value, numbers: &[f64], axis: usize) -> Result<Value> {
    let factors: Vec<Factor> = numbers.iter().copied().map(Factor::of).collect();
    scaled_by(b, x, &factors, axis, Rounding::Twice)
}

/// The same with factors, and another rounding.
pub fn scaled_by(
    b: &mut GraphBuilder,
    x: &Value,
    factors: &[Factor],
    axis: usize,
    rounding: Rounding,
) -> Result<Value> {
    let (first, others) = factors.split_first().ok_or("there is no scale")?;
    let is_one = others.iter().all(|factor| factor == first);
    let factors = if is_one { &factors[..1] } else { factors };
    let list = |part: fn(&Factor) -> i32| {
        let numbers: Vec<i64> = factors.iter().map(|factor| part(factor).into()).collect();
        let shape = if is_one {
            vec![]
        } else {
            vec![numbers.len() as i64]
        };
        b.known(Const::new(Element::I32, shape, &Numbers::ints(&numbers)))
    };
    let operands = [
        x.clone(),
        list(|factor| factor.multiplier),
        list(|factor| factor.exponent.max(0)),
        list(|factor| (-factor.exponent).max(0)),
    ];
    let axes = if is_one { vec![] } else { vec![axis as i64] };
    let attrs = [
        ("is_lshift_required", Param::Bool(true)),
        ("is_rshift_required", Param::Bool(true)),
        ("axes", Param::Ints(axes)),
        ("rounding", Param::Str(rounding.name())),
    ];
    b.op("fixed_point_multiply_per_axis", &operands, &attrs)
}

/// The products of integers of 64 bits and numbers, as kernels of 16 bits round them: multipliers have 15 bits.
pub fn scaled_wide(b: &mut GraphBuilder, x: &Value, numbers: &[f64]) -> Result<Value> {
    let factors: Vec<Factor> = numbers.iter().copied().map(Factor::of).collect();
    let is_one = factors.windows(2).all(|pair| pair[0] == pair[1]);
    let list = |part: &dyn Fn(&Factor) -> i64| {
        let count = if is_one { 1 } else { factors.len() };
        let numbers: Vec<i64> = factors.iter().take(count).map(part).collect();
        let shape = if is_one { vec![] } else { vec![count as i64] };
        b.known(Const::new(Element::I64, shape, &Numbers::ints(&numbers)))
    };
    let multiplier = list(&|factor| match i64::from(factor.multiplier) {
        large if large >= 0x7fff_0000 => 0x7fff,
        other => (other + (1 << 15)) >> 16,
    });
    let dropped = list(&|factor| 15 - i64::from(factor.exponent));
    let half = list(&|factor| 1 << (14 - factor.exponent).clamp(0, 62));
    let product = b.binary("multiply", x, &multiplier)?;
    let sum = b.binary("add", &product, &half)?;
    b.binary("right_shift", &sum, &dropped)
}

/// Integers of 32 or 64 bits plus a zero point, cut to a range, as others.
pub fn narrowed(
    b: &mut GraphBuilder,
    x: &Value,
    zero: i64,
    range: [f64; 2],
    element: Element,
) -> Result<Value> {
    let moved = match zero {
        0 => x.clone(),
        zero => b.with_scalar("add", x, zero as f64)?,
    };
    let cut = clipped(b, &moved, range[0], range[1])?;
    b.cast(&cut, element)
}

/// The distances of integers from a zero point, in 32 bits.
pub fn distances(b: &mut GraphBuilder, x: &Value, zero: i64) -> Result<Value> {
    let wide = b.cast(x, Element::I32)?;
    match zero {
        0 => Ok(wide),
        zero => b.with_scalar("subtract", &wide, zero as f64),
    }
}

/// The products of integers and a power of two.
pub fn shifted(b: &mut GraphBuilder, x: &Value, bits: u32) -> Result<Value> {
    b.with_scalar("multiply", x, 2f64.powi(bits as i32))
}

#[cfg(test)]
mod tests {
    use super::Factor;

    /// The factors that frexp of C gives.
    #[test]
    fn factors_have_their_highest_bit() {
        let of = |number| {
            let Factor {
                multiplier,
                exponent,
            } = Factor::of(number);
            (multiplier, exponent)
        };
        assert_eq!(of(1.0), (1 << 30, 1));
        assert_eq!(of(0.5), (1 << 30, 0));
        assert_eq!(of(0.75), (3 << 29, 0));
        assert_eq!(of(1.0 - 2f64.powi(-40)), (1 << 30, 1));
        assert_eq!(of(2f64.powi(-31)), (1 << 30, -30));
        assert_eq!(of(2f64.powi(-33)), (0, 0));
        assert_eq!(of(0.0), (0, 0));
    }
}
