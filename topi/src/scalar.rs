//! Scalar arithmetic on any number type.
//!
//! The type of a value says whether it is unsigned, as that of its tensor does; `arith` computes with integers that
//! say nothing of it, and has operations for both. Here one is chosen by the type.

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
    binary(b, &format!("arith.{name}{suffix}"), lhs, rhs)
}

/// An operation of `arith` on two numbers of one type.
fn binary(b: &Builder, name: &str, lhs: Value, rhs: Value) -> Value {
    let result = b.binary(name, bits(b, lhs), bits(b, rhs));
    b.signed_as(result, lhs.ty())
}

/// A number as `arith` takes it.
fn bits(b: &Builder, value: Value) -> Value {
    b.signed_as(value, value.ty().signless())
}

/// `signed`, or `unsigned` of unsigned integers.
fn by_sign<'a>(value: Value, signed: &'a str, unsigned: &'a str) -> &'a str {
    if value.ty().is_unsigned() {
        unsigned
    } else {
        signed
    }
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

/// `sum + a * b`, of floats rounded once where the processor does that.
pub fn multiply_add(b: &Builder, sum: Value, lhs: Value, rhs: Value) -> Value {
    if !sum.ty().is_float() {
        return add(b, sum, mul(b, lhs, rhs));
    }
    let flags = Attr::parse(b.ctx, "#arith.fastmath<contract>").expect("arith is loaded");
    let fused = |name, lhs, rhs| b.value(name, &[lhs, rhs], sum.ty(), &[("fastmath", flags)]);
    let product = fused("arith.mulf", lhs, rhs);
    fused("arith.addf", sum, product)
}

/// `a / b`; of integers, truncated, as numpy has it where the machine would trap: `a / 0` is 0 and
/// the quotient that does not fit, least / -1, is the least again.
pub fn div(b: &Builder, lhs: Value, rhs: Value) -> Value {
    if lhs.ty().is_float() {
        return b.binary("arith.divf", lhs, rhs);
    }
    defined(b, lhs, rhs, by_sign(lhs, "arith.divsi", "arith.divui"))
}

/// `a / b`, rounded towards zero. Of integers, [`div`].
pub fn trunc_div(b: &Builder, lhs: Value, rhs: Value) -> Value {
    let quotient = div(b, lhs, rhs);
    match lhs.ty().is_float() {
        true => b.unary("math.trunc", quotient),
        false => quotient,
    }
}

/// `a / b`, rounded towards minus infinity. Of integers, as for [`div`].
pub fn floor_div(b: &Builder, lhs: Value, rhs: Value) -> Value {
    if lhs.ty().is_float() {
        return b.unary("math.floor", div(b, lhs, rhs));
    }
    defined(b, lhs, rhs, by_sign(lhs, "arith.floordivsi", "arith.divui"))
}

/// The remainder of `a / b`, with the sign of `a`. Of integers by 0, 0.
pub fn rem(b: &Builder, lhs: Value, rhs: Value) -> Value {
    if lhs.ty().is_float() {
        return b.binary("arith.remf", lhs, rhs);
    }
    // The remainder by 1 is 0, which is also the result for 0 and -1.
    let name = by_sign(lhs, "arith.remsi", "arith.remui");
    binary(b, name, lhs, Divisor::of(b, rhs).harmless)
}

/// The remainder of `a / b`, with the sign of `b`. Of integers by 0, 0.
pub fn floor_rem(b: &Builder, lhs: Value, rhs: Value) -> Value {
    // `a - floor(a / b) * b` would lose digits of floats, and all of them where `b` is infinite.
    let rest = rem(b, lhs, rhs);
    if lhs.ty().is_unsigned() {
        return rest;
    }
    let zero = b.constant(lhs.ty(), 0.0);
    let is_negative = |value| compare(b, Comparison::Less, value, zero);
    let other_sign = xor(b, is_negative(rest), is_negative(rhs));
    let inexact = compare(b, Comparison::NotEqual, rest, zero);
    let moved = and(b, other_sign, inexact);
    b.select(moved, add(b, rest, rhs), rest)
}

/// An integer divisor, and the two for which the machine's division is undefined.
struct Divisor {
    is_zero: Value,
    /// Of those with a sign.
    is_minus_one: Option<Value>,
    /// The divisor, or 1 instead of those two.
    harmless: Value,
}

impl Divisor {
    fn of(b: &Builder, value: Value) -> Self {
        let ty = value.ty();
        let is = |number| compare(b, Comparison::Equal, value, b.int_constant(ty, number));
        let is_zero = is(0);
        let is_minus_one = (!ty.is_unsigned()).then(|| is(-1));
        let undefined = match is_minus_one {
            Some(is_minus_one) => or(b, is_zero, is_minus_one),
            None => is_zero,
        };
        Self {
            is_zero,
            is_minus_one,
            harmless: b.select(undefined, b.int_constant(ty, 1), value),
        }
    }
}

/// An integer quotient by `quotient`, which is undefined for the divisors 0 and -1.
fn defined(b: &Builder, lhs: Value, rhs: Value, quotient: &str) -> Value {
    let divisor = Divisor::of(b, rhs);
    let zero = b.int_constant(lhs.ty(), 0);
    let value = binary(b, quotient, lhs, divisor.harmless);
    let value = match divisor.is_minus_one {
        Some(is_minus_one) => b.select(is_minus_one, sub(b, zero, lhs), value),
        None => value,
    };
    b.select(divisor.is_zero, zero, value)
}

/// Each bit of integers or booleans flipped.
pub fn not(b: &Builder, value: Value) -> Value {
    let ones = match value.ty().is_bool() {
        true => b.constant(value.ty(), 1.0),
        false => b.int_constant(value.ty(), -1),
    };
    xor(b, value, ones)
}

/// The bits that both integers or booleans have.
pub fn and(b: &Builder, lhs: Value, rhs: Value) -> Value {
    binary(b, "arith.andi", lhs, rhs)
}

/// The bits that one of two integers or booleans has, or both.
pub fn or(b: &Builder, lhs: Value, rhs: Value) -> Value {
    binary(b, "arith.ori", lhs, rhs)
}

/// The bits that one of two integers or booleans has, but not both.
pub fn xor(b: &Builder, lhs: Value, rhs: Value) -> Value {
    binary(b, "arith.xori", lhs, rhs)
}

/// `lhs` shifted by so many bits to the left, with zeros behind. The machine says nothing of as many bits as there are, or more,
/// or fewer than none: here nothing is left then, as in numpy.
pub fn shift_left(b: &Builder, lhs: Value, count: Value) -> Value {
    let shift = Shift::by(b, count);
    let shifted = binary(b, "arith.shli", lhs, shift.harmless);
    b.select(shift.is_partial, shifted, b.int_constant(lhs.ty(), 0))
}

/// `lhs` shifted by so many bits to the right, with copies of the sign before it. Of as many bits as there are, or more, or fewer than
/// none, as for [`shift_left`], the sign is left.
pub fn shift_right(b: &Builder, lhs: Value, count: Value) -> Value {
    let shift = Shift::by(b, count);
    let name = by_sign(lhs, "arith.shrsi", "arith.shrui");
    let shifted = binary(b, name, lhs, shift.harmless);
    if lhs.ty().is_unsigned() {
        return b.select(shift.is_partial, shifted, b.int_constant(lhs.ty(), 0));
    }
    shifted
}

/// By how many bits an integer is shifted.
struct Shift {
    /// Whether some bits stay.
    is_partial: Value,
    /// The number, or the largest one for which the machine's shift is defined.
    harmless: Value,
}

impl Shift {
    fn by(b: &Builder, count: Value) -> Self {
        let most = i64::from(count.ty().bit_width()) - 1;
        // Without its sign, a negative number is a large one.
        let harmless = binary(b, "arith.minui", count, b.int_constant(count.ty(), most));
        Self {
            is_partial: compare(b, Comparison::Equal, count, harmless),
            harmless,
        }
    }
}

/// The larger one; NaN if one is NaN.
pub fn max(b: &Builder, lhs: Value, rhs: Value) -> Value {
    let name = if lhs.ty().is_float() {
        "arith.maximumf"
    } else {
        by_sign(lhs, "arith.maxsi", "arith.maxui")
    };
    binary(b, name, lhs, rhs)
}

/// The smaller one; NaN if one is NaN.
pub fn min(b: &Builder, lhs: Value, rhs: Value) -> Value {
    let name = if lhs.ty().is_float() {
        "arith.minimumf"
    } else {
        by_sign(lhs, "arith.minsi", "arith.minui")
    };
    binary(b, name, lhs, rhs)
}

/// A comparison, as an `i1`. NaN is unequal to everything.
pub fn compare(b: &Builder, comparison: Comparison, lhs: Value, rhs: Value) -> Value {
    // arith numbers its predicates: ordered float ones from 1, `une` 13, integer ones from 0, those of order
    // first signed, then unsigned.
    let (float, signed, unsigned) = match comparison {
        Comparison::Equal => (1, 0, 0),
        Comparison::NotEqual => (13, 1, 1),
        Comparison::Less => (4, 2, 6),
        Comparison::LessEqual => (5, 3, 7),
        Comparison::Greater => (2, 4, 8),
        Comparison::GreaterEqual => (3, 5, 9),
    };
    let (name, predicate) = match lhs.ty() {
        ty if ty.is_float() => ("arith.cmpf", float),
        ty if ty.is_unsigned() => ("arith.cmpi", unsigned),
        _ => ("arith.cmpi", signed),
    };
    let attr = ("predicate", Attr::i64(b.ctx, predicate));
    let operands = [bits(b, lhs), bits(b, rhs)];
    b.value(name, &operands, Type::int(b.ctx, 1), &[attr])
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
    if from.is_float() && to.is_float() {
        return match to.bit_width() > from.bit_width() {
            true => extend(b, value, to),
            false => b.value("arith.truncf", &[value], to, &[]),
        };
    }
    let unsigned = from.is_unsigned() || from.is_bool();
    let (number, signless) = (bits(b, value), to.signless());
    let name = match (from.is_float(), to.is_float()) {
        (true, _) => return from_float(b, value, to),
        (false, true) if unsigned => "arith.uitofp",
        (false, true) => "arith.sitofp",
        (false, false) if to.bit_width() == from.bit_width() => return b.signed_as(number, to),
        (false, false) if to.bit_width() < from.bit_width() => "arith.trunci",
        (false, false) if unsigned => "arith.extui",
        (false, false) => "arith.extsi",
    };
    b.signed_as(b.value(name, &[number], signless, &[]), to)
}

/// A float as an integer. Where it does not fit, nothing is promised; but that of a small unsigned one wraps, as
/// numpy's does, because processors convert to signed ones of 32 bits anyway.
fn from_float(b: &Builder, value: Value, to: Type) -> Value {
    let int = Type::int(b.ctx, 32);
    if to.is_unsigned() && to.bit_width() < 32 {
        let wide = b.value("arith.fptosi", &[value], int, &[]);
        return cast(b, wide, to);
    }
    let name = match to.is_unsigned() {
        true => "arith.fptoui",
        false => "arith.fptosi",
    };
    b.signed_as(b.value(name, &[value], to.signless(), &[]), to)
}

/// An index as a number.
pub fn from_index(b: &Builder, index: Value, to: Type) -> Value {
    let int = Type::int(b.ctx, 64);
    let number = b.value("arith.index_cast", &[index], int, &[]);
    cast(b, number, to)
}

/// An integer as an index.
pub fn to_index(b: &Builder, value: Value) -> Value {
    let name = by_sign(value, "arith.index_cast", "arith.index_castui");
    b.value(name, &[bits(b, value)], Type::index(b.ctx), &[])
}
