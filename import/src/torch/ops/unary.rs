//! Functions of one tensor, element by element.

use super::row::{Row, row};
use crate::{
    compose::activation::{clipped, exp_minus_1, log_of_sum_with_1},
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    torch::{node::Node, promote::as_float},
};
use relay_dialects::element::Element;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("abs", |n, b| same(n, b, "abs")),
    row("absolute", |n, b| same(n, b, "abs")),
    row("acos", |n, b| float(n, b, "acos")),
    row("acosh", |n, b| float(n, b, "acosh")),
    row("arccos", |n, b| float(n, b, "acos")),
    row("arccosh", |n, b| float(n, b, "acosh")),
    row("arcsin", |n, b| float(n, b, "asin")),
    row("arcsinh", |n, b| float(n, b, "asinh")),
    row("arctan", |n, b| float(n, b, "atan")),
    row("arctanh", |n, b| float(n, b, "atanh")),
    row("asin", |n, b| float(n, b, "asin")),
    row("asinh", |n, b| float(n, b, "asinh")),
    row("atan", |n, b| float(n, b, "atan")),
    row("atanh", |n, b| float(n, b, "atanh")),
    row("bitwise_not", |n, b| {
        b.unary("bitwise_not", &n.tensor("self")?)
    }),
    row("ceil", |n, b| whole(n, b, "ceil")),
    row("cos", |n, b| float(n, b, "cos")),
    row("cosh", |n, b| float(n, b, "cosh")),
    row("deg2rad", |n, b| scaled(n, b, std::f64::consts::PI / 180.0)),
    row("erf", |n, b| float(n, b, "erf")),
    row("erfc", erfc),
    row("exp", |n, b| float(n, b, "exp")),
    row("exp2", exp2),
    row("expm1", expm1),
    row("floor", |n, b| whole(n, b, "floor")),
    row("frac", frac),
    row("isfinite", |n, b| question(n, b, "isfinite", 1.0)),
    row("isinf", |n, b| question(n, b, "isinf", 0.0)),
    row("isnan", |n, b| question(n, b, "isnan", 0.0)),
    row("isneginf", |n, b| infinite(n, b, f64::NEG_INFINITY)),
    row("isposinf", |n, b| infinite(n, b, f64::INFINITY)),
    row("log", |n, b| float(n, b, "log")),
    row("log10", |n, b| float(n, b, "log10")),
    row("log1p", log1p),
    row("log2", |n, b| float(n, b, "log2")),
    row("logical_not", logical_not),
    row("nan_to_num", nan_to_num),
    row("neg", |n, b| same(n, b, "negative")),
    row("rad2deg", |n, b| scaled(n, b, 180.0 / std::f64::consts::PI)),
    row("reciprocal", reciprocal),
    row("round", round),
    row("rsqrt", |n, b| float(n, b, "rsqrt")),
    row("sgn", |n, b| same(n, b, "sign")),
    row("sigmoid", |n, b| float(n, b, "sigmoid")),
    row("sign", |n, b| same(n, b, "sign")),
    row("signbit", signbit),
    row("sin", |n, b| float(n, b, "sin")),
    row("sinh", |n, b| float(n, b, "sinh")),
    row("sqrt", |n, b| float(n, b, "sqrt")),
    row("square", |n, b| {
        let x = n.tensor("self")?;
        b.binary("multiply", &x, &x)
    }),
    row("tan", |n, b| float(n, b, "tan")),
    row("tanh", |n, b| float(n, b, "tanh")),
    row("trunc", |n, b| whole(n, b, "trunc")),
    row("logit", logit),
    row("negative", |n, b| same(n, b, "negative")),
    row("special_erfc", erfc),
    row("special_exp2", exp2),
    row("special_logit", logit),
    row("special_round", round),
    row("special_sinc", sinc),
    row("special_erf", |n, b| float(n, b, "erf")),
    row("special_expit", |n, b| float(n, b, "sigmoid")),
    row("special_expm1", expm1),
    row("special_log1p", log1p),
    row("sinc", sinc),
    row("fix", |n, b| whole(n, b, "trunc")),
];

/// The tensor, with whole numbers and booleans as floats.
pub fn floats(n: &Node<'_>, b: &mut GraphBuilder, name: &str) -> Result<Value> {
    let x = n.tensor(name)?;
    b.cast(&x, as_float(x.element()))
}

fn float(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Value> {
    let x = floats(n, b, "self")?;
    b.unary(op, &x)
}

fn same(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Value> {
    b.unary(op, &n.tensor("self")?)
}

/// A rounding: whole numbers stay.
fn whole(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Value> {
    let x = n.tensor("self")?;
    match x.element().is_float() {
        true => b.unary(op, &x),
        false => Ok(x),
    }
}

/// A question that has one answer for all whole numbers.
fn question(n: &Node<'_>, b: &mut GraphBuilder, op: &str, of_ints: f64) -> Result<Value> {
    let x = n.tensor("self")?;
    match x.element().is_float() {
        true => b.unary(op, &x),
        false => b.full(Element::Bool, x.dims(), of_ints),
    }
}

fn scaled(n: &Node<'_>, b: &mut GraphBuilder, factor: f64) -> Result<Value> {
    let x = floats(n, b, "self")?;
    b.with_scalar("multiply", &x, factor)
}

fn erfc(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let erf = float(n, b, "erf")?;
    let one = b.scalar(erf.element(), 1.0);
    b.binary("subtract", &one, &erf)
}

fn exp2(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = floats(n, b, "self")?;
    let two = b.scalar(x.element(), 2.0);
    b.binary("power", &two, &x)
}

fn expm1(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = floats(n, b, "self")?;
    exp_minus_1(b, &x)
}

fn log1p(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = floats(n, b, "self")?;
    log_of_sum_with_1(b, &x)
}

fn frac(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let whole = b.unary("trunc", &x)?;
    b.binary("subtract", &x, &whole)
}

fn logical_not(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let flags = b.cast(&x, Element::Bool)?;
    b.unary("logical_not", &flags)
}

fn reciprocal(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = floats(n, b, "self")?;
    let one = b.scalar(x.element(), 1.0);
    b.binary("divide", &one, &x)
}

/// Rounds to whole numbers, or to so many decimals.
fn round(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let decimals = n.int_or("decimals", 0)?;
    if decimals == 0 {
        return whole(n, b, "round");
    }
    let power = 10f64.powi(decimals as i32);
    let x = scaled(n, b, power)?;
    let rounded = b.unary("round", &x)?;
    b.with_scalar("divide", &rounded, power)
}

fn signbit(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    is_negative(b, &n.tensor("self")?)
}

/// Whether the sign is that of negative numbers, as that of -0 is.
pub fn is_negative(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let bits = match x.element() {
        Element::F64 => Element::I64,
        Element::F32 => Element::I32,
        Element::F16 | Element::Bf16 => Element::I16,
        _ => return b.with_scalar("less", x, 0.0),
    };
    let bits = b.op(
        "reinterpret",
        std::slice::from_ref(x),
        &[("dtype", Param::Type(bits))],
    )?;
    b.with_scalar("less", &bits, 0.0)
}

fn infinite(n: &Node<'_>, b: &mut GraphBuilder, which: f64) -> Result<Value> {
    let x = n.tensor("self")?;
    match x.element().is_float() {
        true => b.with_scalar("equal", &x, which),
        false => b.full(Element::Bool, x.dims(), 0.0),
    }
}

/// Other numbers in the place of what is no number, and of infinities.
fn nan_to_num(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    if !x.element().is_float() {
        n.ignore(&["nan", "posinf", "neginf"]);
        return Ok(x);
    }
    let most = greatest_finite(x.element());
    let (low, high) = (n.float_or("neginf", -most)?, n.float_or("posinf", most)?);
    let nan = n.float_or("nan", 0.0)?;
    let mut result = x.clone();
    for (infinity, number) in [(f64::NEG_INFINITY, low), (f64::INFINITY, high)] {
        let is_infinite = b.with_scalar("equal", &x, infinity)?;
        let number = b.scalar(x.element(), number);
        result = b.op("where", &[is_infinite, number, result], &[])?;
    }
    let is_nan = b.unary("isnan", &x)?;
    let nan = b.scalar(x.element(), nan);
    b.op("where", &[is_nan, nan, result], &[])
}

fn greatest_finite(element: Element) -> f64 {
    match element {
        Element::F64 => f64::MAX,
        Element::F16 => half::f16::MAX.to_f64(),
        Element::Bf16 => half::bf16::MAX.to_f64(),
        _ => f64::from(f32::MAX),
    }
}

/// log(x / (1 - x)), of numbers that are moved away from 0 and 1 by epsilon if that is given.
fn logit(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let mut x = floats(n, b, "self")?;
    if let Some(epsilon) = n.float("eps")? {
        x = clipped(b, &x, epsilon, 1.0 - epsilon)?;
    }
    let one = b.scalar(x.element(), 1.0);
    let rest = b.binary("subtract", &one, &x)?;
    let odds = b.binary("divide", &x, &rest)?;
    b.unary("log", &odds)
}

/// sin(pi x) / (pi x), which is 1 at 0.
fn sinc(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = floats(n, b, "self")?;
    let angle = b.with_scalar("multiply", &x, std::f64::consts::PI)?;
    let sine = b.unary("sin", &angle)?;
    let quotient = b.binary("divide", &sine, &angle)?;
    let is_zero = b.with_scalar("equal", &x, 0.0)?;
    let one = b.scalar(x.element(), 1.0);
    b.op("where", &[is_zero, one, quotient], &[])
}
