//! Elementwise functions of one tensor.

use crate::{
    Compute, Expression,
    precision::{computed, is_narrow, truncate},
    scalar::{self, Comparison, compare},
};
use relay_dialects::{
    ir::{Builder, Type, Value},
    ops::{
        arith::{self, FastMathFlags},
        math,
    },
    te::build,
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("abs", |e| map(e, abs)),
    ("acos", |e| map(e, math::Acos::build)),
    ("acosh", |e| map(e, math::Acosh::build)),
    ("asin", |e| map(e, math::Asin::build)),
    ("asinh", |e| map(e, math::Asinh::build)),
    ("atan", |e| map(e, math::Atan::build)),
    ("atanh", |e| map(e, math::Atanh::build)),
    ("bitwise_not", |e| map(e, scalar::not)),
    ("ceil", |e| map(e, math::Ceil::build)),
    ("copy", |e| map(e, |_, x| x)),
    ("cos", |e| map(e, math::Cos::build)),
    ("cosh", |e| map(e, math::Cosh::build)),
    ("erf", |e| map(e, math::Erf::build)),
    ("exp", |e| map(e, math::Exp::build)),
    ("fast_erf", |e| {
        map(e, |b, x| approximate(b, math::Erf::build_with, x))
    }),
    ("fast_exp", |e| {
        map(e, |b, x| approximate(b, math::Exp::build_with, x))
    }),
    ("fast_tanh", |e| {
        map(e, |b, x| approximate(b, math::Tanh::build_with, x))
    }),
    ("floor", |e| map(e, math::Floor::build)),
    ("isfinite", |e| map(e, is_finite)),
    ("isinf", |e| map(e, is_infinite)),
    ("isnan", |e| {
        map(e, |b, x| compare(b, Comparison::NotEqual, x, x))
    }),
    ("log", |e| map(e, math::Log::build)),
    ("log10", |e| map(e, math::Log10::build)),
    ("log2", |e| map(e, math::Log2::build)),
    ("logical_not", |e| map(e, scalar::not)),
    ("negative", |e| map(e, negative)),
    ("nn.relu", |e| map(e, relu)),
    ("round", |e| map(e, math::RoundEven::build)),
    ("rsqrt", |e| {
        map(e, |b, x| {
            scalar::div(b, b.constant(x.ty(), 1.0), math::Sqrt::build(b, x))
        })
    }),
    ("sigmoid", |e| map(e, sigmoid)),
    ("sign", |e| map(e, sign)),
    ("sin", |e| map(e, math::Sin::build)),
    ("sinh", |e| map(e, math::Sinh::build)),
    ("sqrt", |e| map(e, math::Sqrt::build)),
    ("tan", |e| map(e, math::Tan::build)),
    ("tanh", |e| map(e, math::Tanh::build)),
    ("trunc", |e| map(e, math::Trunc::build)),
    ("clip", clip),
    ("nn.leaky_relu", leaky_relu),
    ("cast", cast),
    ("reinterpret", reinterpret),
];

fn map(
    e: &Expression<'_>,
    function: impl FnOnce(&Builder, Value) -> Value,
) -> Result<Vec<Value>, String> {
    e.elements(|b, indices| function(b, build::read(b, e.inputs[0], indices)))
}

/// A function that need not be exact to the last digits: with arith's flag `afn`, by which `approximate-math` takes a shorter
/// polynomial where it has one.
pub fn approximate(
    b: &Builder,
    build: impl FnOnce(&Builder, Value, Option<FastMathFlags>) -> Value,
    x: Value,
) -> Value {
    build(b, x, Some(FastMathFlags::AFN))
}

fn abs(b: &Builder, x: Value) -> Value {
    if x.ty().is_unsigned() {
        return x;
    }
    match x.ty().is_float() {
        true => math::AbsF::build(b, x),
        false => math::AbsI::build(b, x),
    }
}

/// NaN is not below infinity.
fn is_finite(b: &Builder, x: Value) -> Value {
    compare(b, Comparison::Less, abs(b, x), infinity(b, x.ty()))
}

fn is_infinite(b: &Builder, x: Value) -> Value {
    compare(b, Comparison::Equal, abs(b, x), infinity(b, x.ty()))
}

fn infinity(b: &Builder, ty: Type) -> Value {
    b.constant(ty, f64::INFINITY)
}

fn negative(b: &Builder, x: Value) -> Value {
    if x.ty().is_float() {
        arith::NegF::build(b, x)
    } else {
        scalar::sub(b, b.constant(x.ty(), 0.0), x)
    }
}

/// As a comparison and a choice, which is one instruction where `maximum` takes several. NaN stays.
pub fn relu(b: &Builder, x: Value) -> Value {
    let zero = b.constant(x.ty(), 0.0);
    b.select(compare(b, Comparison::Less, x, zero), zero, x)
}

pub fn sigmoid(b: &Builder, x: Value) -> Value {
    let one = b.constant(x.ty(), 1.0);
    let exp = math::Exp::build(b, arith::NegF::build(b, x));
    scalar::div(b, one, scalar::add(b, one, exp))
}

/// -1, 1, or what is neither below nor above 0: 0 and NaN.
fn sign(b: &Builder, x: Value) -> Value {
    let number = |value: f64| b.constant(x.ty(), value);
    let negative = compare(b, Comparison::Less, x, number(0.0));
    let positive = compare(b, Comparison::Greater, x, number(0.0));
    b.select(negative, number(-1.0), b.select(positive, number(1.0), x))
}

fn clip(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let (low, high) = (e.attrs().float("a_min")?, e.attrs().float("a_max")?);
    map(e, |b, x| {
        let bounded = scalar::max(b, x, bound(b, x.ty(), low));
        scalar::min(b, bounded, bound(b, x.ty(), high))
    })
}

/// A bound of numbers of a type; of integers, none beyond those that the type has.
fn bound(b: &Builder, ty: Type, value: f64) -> Value {
    if !ty.is_int() {
        return b.constant(ty, value);
    }
    let (least, greatest) = ty.int_range();
    let nearest = match ty.is_unsigned() {
        true => (value as u64).min(greatest as u64) as i64,
        false => (value as i64).clamp(least, greatest),
    };
    b.int_constant(ty, nearest)
}

fn leaky_relu(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let alpha = e.attrs().float("alpha")?;
    map(e, |b, x| {
        let scaled = scalar::mul(b, x, b.constant(x.ty(), alpha));
        b.select(
            compare(b, Comparison::Greater, x, b.constant(x.ty(), 0.0)),
            x,
            scaled,
        )
    })
}

fn reinterpret(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let to = e.attrs().ty("dtype")?;
    map(e, |b, x| scalar::reinterpret(b, x, to))
}

fn cast(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let to = e.attrs().ty("dtype")?;
    let contract = e.op.has_attr("contract");
    map(e, |b, x| match contract && is_narrow(to) {
        true => truncate(b, scalar::cast(b, x, computed(to)), to),
        false => scalar::cast(b, x, to),
    })
}
