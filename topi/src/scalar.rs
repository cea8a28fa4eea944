//! Scalar arithmetic on any number type.

use crate::precision::{extend, is_narrow};
use relay_dialects::ir::{Attr, Builder, Type, Value};

/// A comparison.
#[derive(Clone, Copy, Debug)]
pub enum Comparison {
    /// `a = b`.
    Equal,
    /// `a != b`.
    NotEqual,
    /// `a < b`.
    Less,
    /// `a <= b`.
    LessEqual,
    /// `a > b`.
    Greater,
    /// `a >= b`.
    GreaterEqual,
}

/// `name` + `f` for floats, `i` for integers.
fn typed(b: &Builder, name: &str, lhs: Value, rhs: Value) -> Value {
    let suffix = if lhs.ty().is_float() { "f" } else { "i" };
    b.binary(&format!("arith.{name}{suffix}"), lhs, rhs)
}

/// `a + b`.
pub fn add(b: &Builder, lhs: Value, rhs: Value) -> Value {
    typed(b, "add", lhs, rhs)
}

/// `a - b`.
pub fn sub(b: &Builder, lhs: Value, rhs: Value) -> Value {
    typed(b, "sub", lhs, rhs)
}

/// `a * b`; of booleans, and.
pub fn mul(b: &Builder, lhs: Value, rhs: Value) -> Value {
    typed(b, "mul", lhs, rhs)
}

/// `a / b`; of integers, truncated, as numpy has it where the machine would trap: `a / 0` is 0 and
/// the quotient that does not fit, least / -1, is the least again.
pub fn div(b: &Builder, lhs: Value, rhs: Value) -> Value {
    if lhs.ty().is_float() {
        return b.binary("arith.divf", lhs, rhs);
    }
    defined(b, lhs, rhs, "arith.divsi")
}

/// `a / b`, rounded towards minus infinity. Of integers, as for [`div`].
pub fn floor_div(b: &Builder, lhs: Value, rhs: Value) -> Value {
    if lhs.ty().is_float() {
        return b.unary("math.floor", div(b, lhs, rhs));
    }
    defined(b, lhs, rhs, "arith.floordivsi")
}

/// The remainder of `a / b`, with the sign of `a`. Of integers by 0, 0.
pub fn rem(b: &Builder, lhs: Value, rhs: Value) -> Value {
    if lhs.ty().is_float() {
        return b.binary("arith.remf", lhs, rhs);
    }
    // What 1 leaves is right for the others, too.
    b.binary("arith.remsi", lhs, Divisor::of(b, rhs).harmless)
}

/// The remainder of `a / b`, with the sign of `b`. Of integers by 0, 0.
pub fn floor_rem(b: &Builder, lhs: Value, rhs: Value) -> Value {
    // `a - floor(a / b) * b` would lose digits of floats, and all of them where `b` is infinite.
    let rest = rem(b, lhs, rhs);
    let zero = b.constant(lhs.ty(), 0.0);
    let is_negative = |value| compare(b, Comparison::Less, value, zero);
    let other_sign = b.binary("arith.xori", is_negative(rest), is_negative(rhs));
    let inexact = compare(b, Comparison::NotEqual, rest, zero);
    let moved = b.binary("arith.andi", other_sign, inexact);
    b.select(moved, add(b, rest, rhs), rest)
}

/// An integer divisor, and the two for which the machine's division is undefined.
struct Divisor {
    is_zero: Value,
    is_minus_one: Value,
    /// The divisor, or 1 instead of those two.
    harmless: Value,
}

impl Divisor {
    fn of(b: &Builder, value: Value) -> Self {
        let ty = value.ty();
        let is = |number| compare(b, Comparison::Equal, value, b.int_constant(ty, number));
        let (is_zero, is_minus_one) = (is(0), is(-1));
        let either = b.binary("arith.ori", is_zero, is_minus_one);
        Self {
            is_zero,
            is_minus_one,
            harmless: b.select(either, b.int_constant(ty, 1), value),
        }
    }
}

/// An integer quotient by `quotient`, which is undefined for the divisors 0 and -1.
fn defined(b: &Builder, lhs: Value, rhs: Value, quotient: &str) -> Value {
    let divisor = Divisor::of(b, rhs);
    let zero = b.int_constant(lhs.ty(), 0);
    let value = b.binary(quotient, lhs, divisor.harmless);
    let value = b.select(divisor.is_minus_one, sub(b, zero, lhs), value);
    b.select(divisor.is_zero, zero, value)
}

/// The larger one; NaN if one is NaN.
pub fn max(b: &Builder, lhs: Value, rhs: Value) -> Value {
    b.binary(
        if lhs.ty().is_float() {
            "arith.maximumf"
        } else {
            "arith.maxsi"
        },
        lhs,
        rhs,
    )
}

/// The smaller one; NaN if one is NaN.
pub fn min(b: &Builder, lhs: Value, rhs: Value) -> Value {
    b.binary(
        if lhs.ty().is_float() {
            "arith.minimumf"
        } else {
            "arith.minsi"
        },
        lhs,
        rhs,
    )
}

/// A comparison, as an `i1`. NaN is unequal to everything.
pub fn compare(b: &Builder, comparison: Comparison, lhs: Value, rhs: Value) -> Value {
    // arith numbers its predicates: ordered float ones from 1, `une` 13, signed integer ones from 0.
    let (float, int) = match comparison {
        Comparison::Equal => (1, 0),
        Comparison::NotEqual => (13, 1),
        Comparison::Less => (4, 2),
        Comparison::LessEqual => (5, 3),
        Comparison::Greater => (2, 4),
        Comparison::GreaterEqual => (3, 5),
    };
    let (name, predicate) = if lhs.ty().is_float() {
        ("arith.cmpf", float)
    } else {
        ("arith.cmpi", int)
    };
    let attr = ("predicate", Attr::i64(b.ctx, predicate));
    b.value(name, &[lhs, rhs], Type::int(b.ctx, 1), &[attr])
}

/// `value` in another number type: floats are truncated to integers, and anything is compared with
/// zero to become a boolean.
pub fn cast(b: &Builder, value: Value, to: Type) -> Value {
    let from = value.ty();
    if from == to {
        return value;
    }
    if to.is_bool() {
        return compare(b, Comparison::NotEqual, value, b.constant(from, 0.0));
    }
    // Narrow floats are converted from and to f32 only: processors have instructions for nothing else.
    let single = Type::f32(b.ctx);
    if is_narrow(from) && to != single {
        return cast(b, cast(b, value, single), to);
    }
    if is_narrow(to) && from != single {
        return cast(b, cast(b, value, single), to);
    }
    let (wide, narrow) = (
        to.bit_width() > from.bit_width(),
        to.bit_width() < from.bit_width(),
    );
    if from.is_float() && to.is_float() && wide {
        return extend(b, value, to);
    }
    let name = match (from.is_float(), to.is_float()) {
        (true, true) => "arith.truncf",
        (true, false) => "arith.fptosi",
        (false, true) if from.is_bool() => "arith.uitofp",
        (false, true) => "arith.sitofp",
        (false, false) if from.is_bool() => "arith.extui",
        (false, false) if narrow => "arith.trunci",
        (false, false) => "arith.extsi",
    };
    b.value(name, &[value], to, &[])
}

/// An index as a number.
pub fn from_index(b: &Builder, index: Value, to: Type) -> Value {
    let int = Type::int(b.ctx, 64);
    let number = b.value("arith.index_cast", &[index], int, &[]);
    cast(b, number, to)
}

/// An integer as an index.
pub fn to_index(b: &Builder, value: Value) -> Value {
    b.value("arith.index_cast", &[value], Type::index(b.ctx), &[])
}
