//! Index arithmetic that is folded while it is written, where operands are constants. It wraps, as the
//! arithmetic at run time does.

use crate::{
    ir::{Builder, Op, Value},
    ops::arith,
};
use std::collections::HashSet;

pub use crate::{
    extents::{gcd, product},
    ops::arith::CmpIPredicate as Predicate,
};

/// What an index is compared with, multiplied or divided by: a number, or what is known when the program runs.
pub trait Extent: Copy {
    /// The number, if it is one.
    fn known(self) -> Option<i64>;

    /// It as a value.
    fn to_value(self, b: &Builder) -> Value;
}

impl Extent for i64 {
    fn known(self) -> Option<i64> {
        Some(self)
    }

    fn to_value(self, b: &Builder) -> Value {
        b.index(self)
    }
}

impl Extent for Value {
    fn known(self) -> Option<i64> {
        constant(self)
    }

    fn to_value(self, _: &Builder) -> Value {
        self
    }
}

/// The value of an `arith.constant` of integer or index type.
pub fn constant(value: Value) -> Option<i64> {
    arith::Constant::making(value)?.value().as_i64()
}

/// `a + b`.
pub fn add(b: &Builder, lhs: Value, rhs: Value) -> Value {
    match (constant(lhs), constant(rhs)) {
        (Some(x), Some(y)) => b.index(x.wrapping_add(y)),
        (Some(0), _) => rhs,
        (_, Some(0)) => lhs,
        _ => arith::AddI::build(b, lhs, rhs),
    }
}

/// `a - b`.
pub fn sub(b: &Builder, lhs: Value, rhs: Value) -> Value {
    match (constant(lhs), constant(rhs)) {
        (Some(x), Some(y)) => b.index(x.wrapping_sub(y)),
        (_, Some(0)) => lhs,
        _ => arith::SubI::build(b, lhs, rhs),
    }
}

/// `a * factor`.
pub fn scale(b: &Builder, value: Value, factor: impl Extent) -> Value {
    match (constant(value), factor.known()) {
        (Some(x), Some(factor)) => b.index(x.wrapping_mul(factor)),
        (_, Some(1)) => value,
        (_, Some(0)) | (Some(0), _) => b.index(0),
        (Some(1), _) => factor.to_value(b),
        _ => arith::MulI::build(b, value, factor.to_value(b)),
    }
}

/// `a * b`.
pub fn mul(b: &Builder, lhs: Value, rhs: Value) -> Value {
    match constant(lhs) {
        Some(factor) => scale(b, rhs, factor),
        None => scale(b, lhs, rhs),
    }
}

/// `a / divisor` for a value that is not negative; a division by 0, which code that never runs may hold, is not folded.
pub fn div(b: &Builder, value: Value, divisor: impl Extent) -> Value {
    let known = constant(value).zip(divisor.known());
    match (known.and_then(|(x, y)| x.checked_div(y)), divisor.known()) {
        (Some(quotient), _) => b.index(quotient),
        (_, Some(1)) => value,
        _ => arith::DivSI::build(b, value, divisor.to_value(b)),
    }
}

/// `a % divisor` for a value that is not negative; by 0 as above.
pub fn rem(b: &Builder, value: Value, divisor: impl Extent) -> Value {
    let known = constant(value).zip(divisor.known());
    match (known.and_then(|(x, y)| x.checked_rem(y)), divisor.known()) {
        (Some(rest), _) => b.index(rest),
        (_, Some(1)) => b.index(0),
        _ => arith::RemSI::build(b, value, divisor.to_value(b)),
    }
}

/// `min(a, limit)`.
pub fn min(b: &Builder, value: Value, limit: impl Extent) -> Value {
    match constant(value).zip(limit.known()) {
        Some((x, limit)) => b.index(x.min(limit)),
        None => arith::MinSI::build(b, value, limit.to_value(b)),
    }
}

/// `max(a, limit)`.
pub fn max(b: &Builder, value: Value, limit: impl Extent) -> Value {
    match constant(value).zip(limit.known()) {
        Some((x, limit)) => b.index(x.max(limit)),
        None => arith::MaxSI::build(b, value, limit.to_value(b)),
    }
}

/// `a < limit`, as an `i1`.
pub fn less(b: &Builder, value: Value, limit: impl Extent) -> Value {
    compare(b, Predicate::Slt, value, limit.to_value(b))
}

/// A comparison of integers or indices, as an `i1`.
pub fn compare(b: &Builder, predicate: Predicate, lhs: Value, rhs: Value) -> Value {
    arith::CmpI::build(b, predicate, lhs, rhs)
}

/// Whether `value` is computed from `from`.
pub fn depends_on(value: Value, from: Value) -> bool {
    any_part(value, |part| part == from)
}

/// Whether something is true of a value, or of one that it is computed from.
pub fn any_part(value: Value, holds: impl Fn(Value) -> bool) -> bool {
    // Each is looked at once: there may be 2^n ways to it through n operations.
    let (mut open, mut seen) = (vec![value], HashSet::new());
    while let Some(part) = open.pop() {
        if holds(part) {
            return true;
        }
        if seen.insert(part) {
            open.extend(part.def().map(Op::operands).unwrap_or_default());
        }
    }
    false
}

/// The strides of a dense row-major tensor: the elements from one subscript to the next one, for each dimension;
/// `i64::MAX` where 64 bits do not hold it, which is no place in memory.
pub fn strides(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1; shape.len()];
    for dim in (1..shape.len()).rev() {
        strides[dim - 1] = shape[dim].saturating_mul(strides[dim]);
    }
    strides
}

/// The address of the element at some subscripts of a buffer, whose dimensions after the first one are known.
pub fn address_of(b: &Builder, buffer: Value, subscripts: &[Value]) -> Value {
    let ty = buffer.ty();
    let bytes = ty.element().byte_width() as i64;
    let places = subscripts.iter().zip(strides(&ty.shape()));
    places.fold(b.address(buffer), |at, (subscript, stride)| {
        let stride = b.index(stride.saturating_mul(bytes));
        arith::AddI::build(b, at, arith::MulI::build(b, *subscript, stride))
    })
}

/// How far the divisors of a number are looked for: up to this one, and those that have such a one as their
/// counterpart. Extents are products of small numbers, and who divides by 2^62 should not wait for it.
const LARGEST_TRIED: i64 = 1 << 16;

/// The divisors of a number, in ascending order: all of them, of numbers up to 2^32.
pub fn divisors(number: i64) -> Vec<i64> {
    let tried = 1..=number.isqrt().min(LARGEST_TRIED);
    let small: Vec<i64> = tried.filter(|part| number % part == 0).collect();
    let large = small.iter().rev().map(|part| number / part);
    let mut divisors: Vec<i64> = small.iter().copied().chain(large).collect();
    divisors.dedup();
    divisors
}

/// `a / b` rounded up, for positive numbers.
pub fn ceil_div(a: i64, b: i64) -> i64 {
    a / b + i64::from(a % b > 0)
}

#[cfg(test)]
mod tests {
    use super::divisors;

    #[test]
    fn divisors_come_once_and_in_order() {
        assert_eq!(divisors(1), [1]);
        assert_eq!(divisors(36), [1, 2, 3, 4, 6, 9, 12, 18, 36]);
        assert_eq!(divisors(13), [1, 13]);
        assert_eq!(divisors(i64::MAX).first(), Some(&1));
    }
}
