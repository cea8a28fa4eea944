//! Scalar arithmetic on any number type.
//!
//! The type of a value says whether it is unsigned, as that of its tensor does; `arith` computes with integers that
//! say nothing of it, and has operations for both. Here one is chosen by the type.

use crate::{
    precision::{extend, is_narrow},
    stored,
};
use relay_dialects::{
    Element,
    ir::{Builder, Type, Value},
    ops::{
        arith::{self, FastMathFlags},
        math,
    },
};

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

/// What makes an op of two operands.
type Binary = fn(&Builder, Value, Value) -> Value;

/// An operation of `arith` on two numbers of one type: floats or integers.
fn typed(b: &Builder, float: Binary, int: Binary, lhs: Value, rhs: Value) -> Value {
    let build = if lhs.ty().is_float() { float } else { int };
    binary(b, build, lhs, rhs)
}

/// An operation of `arith` on two numbers of one type.
fn binary(b: &Builder, build: Binary, lhs: Value, rhs: Value) -> Value {
    let result = build(b, bits(b, lhs), bits(b, rhs));
    b.signed_as(result, lhs.ty())
}

/// A number as `arith` takes it.
fn bits(b: &Builder, value: Value) -> Value {
    b.signed_as(value, value.ty().signless())
}

/// `signed`, or `unsigned` of unsigned integers.
fn by_sign<Build>(value: Value, signed: Build, unsigned: Build) -> Build {
    if value.ty().is_unsigned() {
        unsigned
    } else {
        signed
    }
}

/// `a + b`.
pub fn add(b: &Builder, lhs: Value, rhs: Value) -> Value {
    typed(b, arith::AddF::build, arith::AddI::build, lhs, rhs)
}

/// `a - b`.
pub fn sub(b: &Builder, lhs: Value, rhs: Value) -> Value {
    typed(b, arith::SubF::build, arith::SubI::build, lhs, rhs)
}

/// `a * b`; of booleans, and.
pub fn mul(b: &Builder, lhs: Value, rhs: Value) -> Value {
    typed(b, arith::MulF::build, arith::MulI::build, lhs, rhs)
}

/// `sum + a * b`, of floats rounded once where the processor does that.
pub fn multiply_add(b: &Builder, sum: Value, lhs: Value, rhs: Value) -> Value {
    if !sum.ty().is_float() {
        return add(b, sum, mul(b, lhs, rhs));
    }
    let contract = Some(FastMathFlags::CONTRACT);
    let product = arith::MulF::build_with(b, lhs, rhs, contract);
    arith::AddF::build_with(b, sum, product, contract)
}

/// `a / b`; of integers, truncated, as numpy has it where the machine would trap: `a / 0` is 0 and
/// the quotient that does not fit, least / -1, is the least again.
pub fn div(b: &Builder, lhs: Value, rhs: Value) -> Value {
    if lhs.ty().is_float() {
        return arith::DivF::build(b, lhs, rhs);
    }
    defined(
        b,
        lhs,
        rhs,
        by_sign::<Binary>(lhs, arith::DivSI::build, arith::DivUI::build),
    )
}

/// `a / b`, rounded towards zero. Of integers, [`div`].
pub fn trunc_div(b: &Builder, lhs: Value, rhs: Value) -> Value {
    let quotient = div(b, lhs, rhs);
    match lhs.ty().is_float() {
        true => math::Trunc::build(b, quotient),
        false => quotient,
    }
}

/// `a / b`, rounded towards minus infinity. Of integers, as for [`div`].
pub fn floor_div(b: &Builder, lhs: Value, rhs: Value) -> Value {
    if lhs.ty().is_float() {
        return math::Floor::build(b, div(b, lhs, rhs));
    }
    defined(
        b,
        lhs,
        rhs,
        by_sign::<Binary>(lhs, arith::FloorDivSI::build, arith::DivUI::build),
    )
}

/// The remainder of `a / b`, with the sign of `a`. Of integers by 0, 0.
pub fn rem(b: &Builder, lhs: Value, rhs: Value) -> Value {
    if lhs.ty().is_float() {
        return arith::RemF::build(b, lhs, rhs);
    }
    // The remainder by 1 is 0, which is also the result for 0 and -1.
    let build = by_sign::<Binary>(lhs, arith::RemSI::build, arith::RemUI::build);
    binary(b, build, lhs, Divisor::of(b, rhs).harmless)
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
fn defined(b: &Builder, lhs: Value, rhs: Value, quotient: Binary) -> Value {
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
    binary(b, arith::AndI::build, lhs, rhs)
}

/// The bits that one of two integers or booleans has, or both.
pub fn or(b: &Builder, lhs: Value, rhs: Value) -> Value {
    binary(b, arith::OrI::build, lhs, rhs)
}

/// The bits that one of two integers or booleans has, but not both.
pub fn xor(b: &Builder, lhs: Value, rhs: Value) -> Value {
    binary(b, arith::XOrI::build, lhs, rhs)
}

/// `lhs` shifted by so many bits to the left, with zeros behind. The machine says nothing of as many bits as there are, or more,
/// or fewer than none: here nothing is left then, as in numpy.
pub fn shift_left(b: &Builder, lhs: Value, count: Value) -> Value {
    let shift = Shift::by(b, count);
    let shifted = binary(b, arith::ShLI::build, lhs, shift.harmless);
    b.select(shift.is_partial, shifted, b.int_constant(lhs.ty(), 0))
}

/// `lhs` shifted by so many bits to the right, with copies of the sign before it. Of as many bits as there are, or more, or fewer than
/// none, as for [`shift_left`], the sign is left.
pub fn shift_right(b: &Builder, lhs: Value, count: Value) -> Value {
    let shift = Shift::by(b, count);
    let build = by_sign::<Binary>(lhs, arith::ShRSI::build, arith::ShRUI::build);
    let shifted = binary(b, build, lhs, shift.harmless);
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
        let harmless = binary(
            b,
            arith::MinUI::build,
            count,
            b.int_constant(count.ty(), most),
        );
        Self {
            is_partial: compare(b, Comparison::Equal, count, harmless),
            harmless,
        }
    }
}

/// The larger one; NaN if one is NaN.
pub fn max(b: &Builder, lhs: Value, rhs: Value) -> Value {
    let build = if lhs.ty().is_float() {
        arith::MaximumF::build
    } else {
        by_sign::<Binary>(lhs, arith::MaxSI::build, arith::MaxUI::build)
    };
    binary(b, build, lhs, rhs)
}

/// The smaller one; NaN if one is NaN.
pub fn min(b: &Builder, lhs: Value, rhs: Value) -> Value {
    let build = if lhs.ty().is_float() {
        arith::MinimumF::build
    } else {
        by_sign::<Binary>(lhs, arith::MinSI::build, arith::MinUI::build)
    };
    binary(b, build, lhs, rhs)
}

/// A comparison, as an `i1`. NaN is unequal to everything.
pub fn compare(b: &Builder, comparison: Comparison, lhs: Value, rhs: Value) -> Value {
    use arith::{CmpFPredicate as Float, CmpIPredicate as Int};
    let (float, signed, unsigned) = match comparison {
        Comparison::Equal => (Float::Oeq, Int::Eq, Int::Eq),
        Comparison::NotEqual => (Float::Une, Int::Ne, Int::Ne),
        Comparison::Less => (Float::Olt, Int::Slt, Int::Ult),
        Comparison::LessEqual => (Float::Ole, Int::Sle, Int::Ule),
        Comparison::Greater => (Float::Ogt, Int::Sgt, Int::Ugt),
        Comparison::GreaterEqual => (Float::Oge, Int::Sge, Int::Uge),
    };
    let ty = lhs.ty();
    let (lhs, rhs) = (bits(b, lhs), bits(b, rhs));
    match ty.is_float() {
        true => arith::CmpF::build(b, float, lhs, rhs),
        false if ty.is_unsigned() => arith::CmpI::build(b, unsigned, lhs, rhs),
        false => arith::CmpI::build(b, signed, lhs, rhs),
    }
}

/// What makes an op of a type and an operand.
type Conversion = fn(&Builder, Type, Value) -> Value;

/// `value` in another number type: floats are truncated to integers, and anything is compared with
/// zero to become a boolean.
pub fn cast(b: &Builder, value: Value, to: Type) -> Value {
    let from = value.ty();
    if from == to {
        return value;
    }
    if let Some(element) = stored::element(from) {
        return cast(b, stored::load(b, value, element), to);
    }
    if let Some(element) = stored::element(to) {
        return stored::store(b, storable(b, value, element), element);
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
            false => arith::TruncF::build(b, to, value),
        };
    }
    let unsigned = from.is_unsigned() || from.is_bool();
    let (number, signless) = (bits(b, value), to.signless());
    let build: Conversion = match (from.is_float(), to.is_float()) {
        (true, _) => return from_float(b, value, to),
        (false, true) if unsigned => arith::UIToFP::build,
        (false, true) => arith::SIToFP::build,
        (false, false) if to.bit_width() == from.bit_width() => return b.signed_as(number, to),
        (false, false) if to.bit_width() < from.bit_width() => arith::TruncI::build,
        (false, false) if unsigned => arith::ExtUI::build,
        (false, false) => arith::ExtSI::build,
    };
    b.signed_as(build(b, signless, number), to)
}

/// A number in the type of which one is made that is only stored: f32, or an integer of 8 bits.
fn storable(b: &Builder, value: Value, element: Element) -> Value {
    if element.minifloat().is_some() {
        return cast(b, value, Type::f32(b.ctx));
    }
    // A float that 8 bits do not hold would be undefined.
    let whole = match value.ty().is_float() {
        true => cast(b, value, Type::int(b.ctx, 32)),
        false => value,
    };
    cast(b, whole, Type::int(b.ctx, 8))
}

/// The bits of a number as one of another type.
pub fn reinterpret(b: &Builder, value: Value, to: Type) -> Value {
    let from = value.ty();
    let byte = Type::int(b.ctx, 8);
    if from.is_bool() {
        return reinterpret(b, cast(b, value, byte), to);
    }
    if to.is_bool() {
        return cast(b, reinterpret(b, value, byte), to);
    }
    // What is only stored lies in bytes.
    let holder = |ty: Type| match ty.is_float() && stored::element(ty).is_none() {
        true => ty,
        false => Type::int(b.ctx, ty.bit_width().max(8)),
    };
    let (old, new) = (holder(from), holder(to));
    let bits = b.signed_as(value, old);
    let bits = match old == new {
        true => bits,
        false => arith::Bitcast::build(b, new, bits),
    };
    b.signed_as(bits, to)
}

/// A float as an integer. Where it does not fit, nothing is promised; but that of a small unsigned one wraps, as
/// numpy's does, because processors convert to signed ones of 32 bits anyway.
fn from_float(b: &Builder, value: Value, to: Type) -> Value {
    let int = Type::int(b.ctx, 32);
    if to.is_unsigned() && to.bit_width() < 32 {
        let wide = arith::FPToSI::build(b, int, value);
        return cast(b, wide, to);
    }
    let build = match to.is_unsigned() {
        true => arith::FPToUI::build,
        false => arith::FPToSI::build,
    };
    b.signed_as(build(b, to.signless(), value), to)
}

/// An index as a number.
pub fn from_index(b: &Builder, index: Value, to: Type) -> Value {
    let int = Type::int(b.ctx, 64);
    let number = arith::IndexCast::build(b, int, index);
    cast(b, number, to)
}

/// An integer as an index.
pub fn to_index(b: &Builder, value: Value) -> Value {
    let build = by_sign::<Conversion>(value, arith::IndexCast::build, arith::IndexCastUI::build);
    build(b, Type::index(b.ctx), bits(b, value))
}
