//! Elementwise functions of one tensor.

use crate::{
    Compute, Expression,
    precision::{computed, is_narrow, truncate},
    scalar::{self, Comparison, compare},
};
use relay_dialects::{
    ir::{Attr, Builder, Type, Value},
    te::build,
};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("abs", |e| map(e, abs)),
    ("acos", |e| map(e, |b, x| b.unary("math.acos", x))),
    ("acosh", |e| map(e, |b, x| b.unary("math.acosh", x))),
    ("asin", |e| map(e, |b, x| b.unary("math.asin", x))),
    ("asinh", |e| map(e, |b, x| b.unary("math.asinh", x))),
    ("atan", |e| map(e, |b, x| b.unary("math.atan", x))),
    ("atanh", |e| map(e, |b, x| b.unary("math.atanh", x))),
    ("bitwise_not", |e| map(e, scalar::not)),
    ("ceil", |e| map(e, |b, x| b.unary("math.ceil", x))),
    ("copy", |e| map(e, |_, x| x)),
    ("cos", |e| map(e, |b, x| b.unary("math.cos", x))),
    ("cosh", |e| map(e, |b, x| b.unary("math.cosh", x))),
    ("erf", |e| map(e, |b, x| b.unary("math.erf", x))),
    ("exp", |e| map(e, |b, x| b.unary("math.exp", x))),
    ("fast_erf", |e| map(e, |b, x| approximate(b, "math.erf", x))),
    ("fast_exp", |e| map(e, |b, x| approximate(b, "math.exp", x))),
    ("fast_tanh", |e| {
        map(e, |b, x| approximate(b, "math.tanh", x))
    }),
    ("floor", |e| map(e, |b, x| b.unary("math.floor", x))),
    ("isfinite", |e| map(e, is_finite)),
    ("isinf", |e| map(e, is_infinite)),
    ("isnan", |e| {
        map(e, |b, x| compare(b, Comparison::NotEqual, x, x))
    }),
    ("log", |e| map(e, |b, x| b.unary("math.log", x))),
    ("log10", |e| map(e, |b, x| b.unary("math.log10", x))),
    ("log2", |e| map(e, |b, x| b.unary("math.log2", x))),
    ("logical_not", |e| map(e, scalar::not)),
    ("negative", |e| map(e, negative)),
    ("nn.relu", |e| map(e, relu)),
    ("round", |e| map(e, |b, x| b.unary("math.roundeven", x))),
    ("rsqrt", |e| {
        map(e, |b, x| {
            scalar::div(b, b.constant(x.ty(), 1.0), b.unary("math.sqrt", x))
        })
    }),
    ("sigmoid", |e| map(e, sigmoid)),
    ("sign", |e| map(e, sign)),
    ("sin", |e| map(e, |b, x| b.unary("math.sin", x))),
    ("sinh", |e| map(e, |b, x| b.unary("math.sinh", x))),
    ("sqrt", |e| map(e, |b, x| b.unary("math.sqrt", x))),
    ("tan", |e| map(e, |b, x| b.unary("math.tan", x))),
    ("tanh", |e| map(e, |b, x| b.unary("math.tanh", x))),
    ("trunc", |e| map(e, |b, x| b.unary("math.trunc", x))),
    ("clip", clip),
    ("nn.leaky_relu", leaky_relu),
    ("cast", cast),
];

fn map(
    e: &Expression<'_>,
    function: impl FnOnce(&Builder, Value) -> Value,
) -> Result<Vec<Value>, String> {
    e.elements(|b, indices| function(b, build::read(b, e.inputs[0], indices)))
}

/// A function that need not be exact to the last digits: with arith's flag `afn`, by which `approximate-math` takes a shorter
/// polynomial where it has one.
pub fn approximate(b: &Builder, name: &str, x: Value) -> Value {
    let flags = Attr::parse(b.ctx, "#arith.fastmath<afn>").expect("arith is loaded");
    b.value(name, &[x], x.ty(), &[("fastmath", flags)])
}

fn abs(b: &Builder, x: Value) -> Value {
    if x.ty().is_unsigned() {
        return x;
    }
    b.unary(
        if x.ty().is_float() {
            "math.absf"
        } else {
            "math.absi"
        },
        x,
    )
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
        b.unary("arith.negf", x)
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
    let exp = b.unary("math.exp", b.unary("arith.negf", x));
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

fn cast(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let to = e.attrs().ty("dtype")?;
    let contract = e.op.has_attr("contract");
    map(e, |b, x| match contract && is_narrow(to) {
        true => truncate(b, scalar::cast(b, x, computed(to)), to),
        false => scalar::cast(b, x, to),
    })
}
