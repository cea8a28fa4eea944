//! Functions of two or three operands, element by element, with broadcasting and promotion of types.

use super::{
    row::{Row, row},
    unary::is_negative,
};
use crate::{
    compose::{activation::clipped, complex::angle},
    graph::{
        builder::GraphBuilder,
        error::Result,
        value::{Value, broadcast_shapes},
    },
    torch::{
        item::Operand,
        node::Node,
        promote::{as_float, result_type},
    },
};
use relay_dialects::element::Element;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("add", |n, b| sum(n, b, "add")),
    row("addcdiv", |n, b| third(n, b, "divide")),
    row("addcmul", |n, b| third(n, b, "multiply")),
    row("arctan2", atan2),
    row("atan2", atan2),
    row("bitwise_and", |n, b| bits(n, b, "bitwise_and")),
    row("bitwise_left_shift", |n, b| bits(n, b, "left_shift")),
    row("bitwise_or", |n, b| bits(n, b, "bitwise_or")),
    row("bitwise_right_shift", |n, b| bits(n, b, "right_shift")),
    row("bitwise_xor", |n, b| bits(n, b, "bitwise_xor")),
    row("__and__", |n, b| bits(n, b, "bitwise_and")),
    row("__or__", |n, b| bits(n, b, "bitwise_or")),
    row("__xor__", |n, b| bits(n, b, "bitwise_xor")),
    row("__lshift__", |n, b| bits(n, b, "left_shift")),
    row("__rshift__", |n, b| bits(n, b, "right_shift")),
    row("clamp", clamp),
    row("clamp_max", |n, b| bounded(n, b, None, Some("max"))),
    row("clamp_min", |n, b| bounded(n, b, Some("min"), None)),
    row("clip", clamp),
    row("copysign", copysign),
    row("div", divide),
    row("divide", divide),
    row("true_divide", divide),
    row("eq", |n, b| plain(n, b, "equal")),
    row("floor_divide", |n, b| plain(n, b, "floor_divide")),
    row("fmax", |n, b| of_numbers_only(n, b, "maximum")),
    row("fmin", |n, b| of_numbers_only(n, b, "minimum")),
    row("fmod", |n, b| plain(n, b, "mod")),
    row("ge", |n, b| plain(n, b, "greater_equal")),
    row("gt", |n, b| plain(n, b, "greater")),
    row("greater", |n, b| plain(n, b, "greater")),
    row("greater_equal", |n, b| plain(n, b, "greater_equal")),
    row("float_power", float_power),
    row("heaviside", heaviside),
    row("hypot", hypot),
    row("isclose", isclose),
    row("ldexp", ldexp),
    row("logaddexp2", logaddexp2),
    row("le", |n, b| plain(n, b, "less_equal")),
    row("less", |n, b| plain(n, b, "less")),
    row("less_equal", |n, b| plain(n, b, "less_equal")),
    row("lerp", lerp),
    row("logaddexp", logaddexp),
    row("logical_and", |n, b| logical(n, b, "logical_and")),
    row("logical_or", |n, b| logical(n, b, "logical_or")),
    row("logical_xor", |n, b| logical(n, b, "logical_xor")),
    row("lt", |n, b| plain(n, b, "less")),
    row("masked_fill", masked_fill),
    row("maximum", |n, b| plain(n, b, "maximum")),
    row("max.other", |n, b| plain(n, b, "maximum")),
    row("minimum", |n, b| plain(n, b, "minimum")),
    row("min.other", |n, b| plain(n, b, "minimum")),
    row("mul", |n, b| plain(n, b, "multiply")),
    row("multiply", |n, b| plain(n, b, "multiply")),
    row("ne", |n, b| plain(n, b, "not_equal")),
    row("not_equal", |n, b| plain(n, b, "not_equal")),
    row("pow", power),
    row("remainder", |n, b| plain(n, b, "floor_mod")),
    row("rsub", rsub),
    row("sub", |n, b| sum(n, b, "subtract")),
    row("subtract", |n, b| sum(n, b, "subtract")),
    row("where", select),
    row("special_xlogy", xlogy),
    row("xlogy", xlogy),
];

/// The two operands in their common type.
fn pair(n: &Node<'_>, b: &mut GraphBuilder) -> Result<[Value; 2]> {
    let (lhs, rhs) = (n.operand("self")?, n.operand("other")?);
    let element = result_type(&[&lhs, &rhs]);
    Ok([lhs.cast(b, element)?, rhs.cast(b, element)?])
}

/// As [`pair`], with whole numbers as floats.
fn floats(n: &Node<'_>, b: &mut GraphBuilder) -> Result<[Value; 2]> {
    let [lhs, rhs] = pair(n, b)?;
    let element = as_float(lhs.element());
    Ok([b.cast(&lhs, element)?, b.cast(&rhs, element)?])
}

/// An operator of numbers. Of booleans, sums are "or", and products "and".
fn of_numbers(b: &mut GraphBuilder, op: &str, [lhs, rhs]: &[Value; 2]) -> Result<Value> {
    if lhs.element() != Element::Bool {
        return b.binary(op, lhs, rhs);
    }
    match op {
        "add" | "maximum" => b.binary("logical_or", lhs, rhs),
        "multiply" | "minimum" => b.binary("logical_and", lhs, rhs),
        "equal" | "not_equal" => b.binary(op, lhs, rhs),
        "less" | "less_equal" | "greater" | "greater_equal" => {
            let (lhs, rhs) = (b.cast(lhs, Element::U8)?, b.cast(rhs, Element::U8)?);
            b.binary(op, &lhs, &rhs)
        }
        _ => Err("booleans have no such operator".into()),
    }
}

fn plain(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Value> {
    let operands = pair(n, b)?;
    of_numbers(b, op, &operands)
}

/// The greater or lesser one of two operands, or the other one where one is no number.
fn of_numbers_only(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Value> {
    let [x, y] = pair(n, b)?;
    let both = of_numbers(b, op, &[x.clone(), y.clone()])?;
    if !x.element().is_float() {
        return Ok(both);
    }
    let (no_x, no_y) = (b.unary("isnan", &x)?, b.unary("isnan", &y)?);
    let rest = b.op("where", &[no_y, x, both], &[])?;
    b.op("where", &[no_x, y, rest], &[])
}

/// self + alpha * other, or the difference.
fn sum(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Value> {
    let [lhs, rhs] = pair(n, b)?;
    let rhs = scaled(n, b, rhs, "alpha")?;
    of_numbers(b, op, &[lhs, rhs])
}

fn rsub(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let [lhs, rhs] = pair(n, b)?;
    let lhs = scaled(n, b, lhs, "alpha")?;
    b.binary("subtract", &rhs, &lhs)
}

/// A tensor times a number that an argument gives.
pub fn scaled(n: &Node<'_>, b: &mut GraphBuilder, x: Value, factor: &str) -> Result<Value> {
    match n.number(factor)? {
        None => Ok(x),
        Some(factor) if factor.known() == Some(1.0) => Ok(x),
        Some(factor) => {
            let factor = factor.cast(b, x.element())?;
            b.binary("multiply", &x, &factor)
        }
    }
}

/// self + value * tensor1 op tensor2.
fn third(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Value> {
    let operands = ["self", "tensor1", "tensor2"].map(|name| n.operand(name));
    let [x, lhs, rhs] = operands;
    let (x, lhs, rhs) = (x?, lhs?, rhs?);
    let element = result_type(&[&x, &lhs, &rhs]);
    let (x, lhs, rhs) = (
        x.cast(b, element)?,
        lhs.cast(b, element)?,
        rhs.cast(b, element)?,
    );
    let both = b.binary(op, &lhs, &rhs)?;
    let both = scaled(n, b, both, "value")?;
    b.binary("add", &x, &both)
}

fn bits(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Value> {
    let [lhs, rhs] = pair(n, b)?;
    let op = match (op, lhs.element()) {
        ("bitwise_and", Element::Bool) => "logical_and",
        ("bitwise_or", Element::Bool) => "logical_or",
        ("bitwise_xor", Element::Bool) => "logical_xor",
        _ => op,
    };
    b.binary(op, &lhs, &rhs)
}

fn logical(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Value> {
    let (lhs, rhs) = (n.operand("self")?, n.operand("other")?);
    let (lhs, rhs) = (lhs.cast(b, Element::Bool)?, rhs.cast(b, Element::Bool)?);
    b.binary(op, &lhs, &rhs)
}

/// The quotient of floats, or one that is rounded.
fn divide(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    match n.text("rounding_mode")? {
        None => {
            let [lhs, rhs] = floats(n, b)?;
            b.binary("divide", &lhs, &rhs)
        }
        Some("floor") => plain(n, b, "floor_divide"),
        Some("trunc") => plain(n, b, "trunc_divide"),
        Some(other) => Err(format!("argument 'rounding_mode' is '{other}'")),
    }
}

fn clamp(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    bounded(n, b, Some("min"), Some("max"))
}

/// A tensor between bounds, which are numbers or tensors.
fn bounded(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    low: Option<&str>,
    high: Option<&str>,
) -> Result<Value> {
    let x = n.operand("self")?;
    let bound = |name: Option<&str>| match name {
        Some(name) if n.has(name) => n.operand(name).map(Some),
        _ => Ok(None),
    };
    let (low, high) = (bound(low)?, bound(high)?);
    let all: Vec<&Operand> = [Some(&x), low.as_ref(), high.as_ref()]
        .into_iter()
        .flatten()
        .collect();
    let element = result_type(&all);
    let mut x = x.cast(b, element)?;
    let number = |bound: &Option<Operand>, missing: f64| match bound {
        None => Some(missing),
        Some(Operand::Number(number)) => number.known(),
        Some(Operand::Tensor(_)) => None,
    };
    if let (Some(low), Some(high)) = (
        number(&low, f64::NEG_INFINITY),
        number(&high, f64::INFINITY),
    ) && low <= high
        && element.is_float()
    {
        return clipped(b, &x, low, high);
    }
    for (op, bound) in [("maximum", low), ("minimum", high)] {
        if let Some(bound) = bound {
            let bound = bound.cast(b, element)?;
            x = b.binary(op, &x, &bound)?;
        }
    }
    Ok(x)
}

/// A power. Squares, and roots, are computed as such.
fn power(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (base, exponent) = (n.operand("self")?, n.operand("exponent")?);
    let element = result_type(&[&base, &exponent]);
    let x = base.cast(b, element)?;
    let known = match &exponent {
        Operand::Number(number) => number.known(),
        Operand::Tensor(_) => None,
    };
    match known {
        Some(0.0) => b.full(element, x.dims(), 1.0),
        Some(1.0) => Ok(x),
        Some(2.0) => b.binary("multiply", &x, &x),
        Some(3.0) => {
            let square = b.binary("multiply", &x, &x)?;
            b.binary("multiply", &square, &x)
        }
        Some(0.5) if element.is_float() => b.unary("sqrt", &x),
        Some(-0.5) if element.is_float() => b.unary("rsqrt", &x),
        Some(-1.0) if element.is_float() => {
            let one = b.scalar(element, 1.0);
            b.binary("divide", &one, &x)
        }
        _ if element.is_float() => {
            let exponent = exponent.cast(b, element)?;
            b.binary("power", &x, &exponent)
        }
        _ => {
            let exponent = exponent.cast(b, element)?;
            power_of_integers(b, &x, &exponent)
        }
    }
}

/// A power of integers, which overflows as products do: those powers are multiplied whose exponents are bits of the exponent.
fn power_of_integers(b: &mut GraphBuilder, x: &Value, exponent: &Value) -> Result<Value> {
    let element = x.element();
    let mut power = b.scalar(element, 1.0);
    let (mut square, mut rest) = (x.clone(), exponent.clone());
    let one = b.scalar(element, 1.0);
    let known = exponent.scalar().filter(|exponent| *exponent >= 0.0);
    let bits = match known {
        Some(exponent) => i64::from(64 - (exponent as u64).leading_zeros()),
        None => element.bits() as i64,
    };
    for bit in 0..bits {
        let last = b.binary("bitwise_and", &rest, &one)?;
        let is_set = b.with_scalar("not_equal", &last, 0.0)?;
        let more = b.binary("multiply", &power, &square)?;
        power = b.op("where", &[is_set, more, power], &[])?;
        if bit + 1 < bits {
            square = b.binary("multiply", &square, &square)?;
            rest = b.binary("right_shift", &rest, &one)?;
        }
    }
    if known.is_some() {
        return b.broadcast(&power, x.dims());
    }
    // With a negative exponent, the power of a number is a fraction, which is rounded to 0. Powers of 1 and -1 are none.
    let is_unit = b.binary("multiply", x, x)?;
    let is_unit = b.binary("equal", &is_unit, &one)?;
    let zero = b.scalar(element, 0.0);
    let inverse = b.op("where", &[is_unit, power.clone(), zero], &[])?;
    let is_below = b.with_scalar("less", exponent, 0.0)?;
    b.op("where", &[is_below, inverse, power], &[])
}

/// self + weight * (end - self).
fn lerp(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (start, end) = (n.tensor("self")?, n.tensor("end")?);
    let weight = n.operand("weight")?.cast(b, start.element())?;
    let distance = b.binary("subtract", &end, &start)?;
    let part = b.binary("multiply", &weight, &distance)?;
    b.binary("add", &start, &part)
}

fn logaddexp(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let [lhs, rhs] = pair(n, b)?;
    let greater = b.binary("maximum", &lhs, &rhs)?;
    let difference = b.binary("subtract", &lhs, &rhs)?;
    let size = b.unary("abs", &difference)?;
    let negative = b.unary("negative", &size)?;
    let exp = b.unary("exp", &negative)?;
    let shifted = b.with_scalar("add", &exp, 1.0)?;
    let log = b.unary("log", &shifted)?;
    b.binary("add", &greater, &log)
}

fn hypot(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let [lhs, rhs] = pair(n, b)?;
    let (lhs, rhs) = (
        b.binary("multiply", &lhs, &lhs)?,
        b.binary("multiply", &rhs, &rhs)?,
    );
    let sum = b.binary("add", &lhs, &rhs)?;
    b.unary("sqrt", &sum)
}

fn copysign(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let [size, sign] = floats(n, b)?;
    let size = b.unary("abs", &size)?;
    let negative = b.unary("negative", &size)?;
    let is_negative = is_negative(b, &sign)?;
    b.op("where", &[is_negative, negative, size], &[])
}

/// 0 for numbers below 0, 1 for those above, and else a number that is given.
fn heaviside(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, values) = (n.tensor("self")?, n.tensor("values")?);
    let is_above = b.with_scalar("greater", &x, 0.0)?;
    let step = b.cast(&is_above, x.element())?;
    let is_zero = b.with_scalar("equal", &x, 0.0)?;
    b.op("where", &[is_zero, values, step], &[])
}

/// Whether numbers differ by little. Equal infinities do.
fn isclose(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let [x, y] = pair(n, b)?;
    let equal = b.binary("equal", &x, &y)?;
    let element = as_float(x.element());
    let (x, y) = (b.cast(&x, element)?, b.cast(&y, element)?);
    let size = b.unary("abs", &y)?;
    let bound = b.with_scalar("multiply", &size, n.float_or("rtol", 1e-5)?)?;
    let bound = b.with_scalar("add", &bound, n.float_or("atol", 1e-8)?)?;
    let difference = b.binary("subtract", &x, &y)?;
    let difference = b.unary("abs", &difference)?;
    let is_near = b.binary("less_equal", &difference, &bound)?;
    let is_finite = b.unary("isfinite", &difference)?;
    let is_near = b.binary("logical_and", &is_near, &is_finite)?;
    let close = b.binary("logical_or", &equal, &is_near)?;
    if !n.bool_or("equal_nan", false)? {
        return Ok(close);
    }
    let (of_x, of_y) = (b.unary("isnan", &x)?, b.unary("isnan", &y)?);
    let both = b.binary("logical_and", &of_x, &of_y)?;
    b.binary("logical_or", &close, &both)
}

/// A power in 64 bits.
fn float_power(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (base, exponent) = (n.operand("self")?, n.operand("exponent")?);
    let (base, exponent) = (base.cast(b, Element::F64)?, exponent.cast(b, Element::F64)?);
    b.binary("power", &base, &exponent)
}

/// The logarithm to base 2 of the sum of powers of 2.
fn logaddexp2(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let [lhs, rhs] = pair(n, b)?;
    let greater = b.binary("maximum", &lhs, &rhs)?;
    let difference = b.binary("subtract", &lhs, &rhs)?;
    let size = b.unary("abs", &difference)?;
    let exponent = b.with_scalar("multiply", &size, -std::f64::consts::LN_2)?;
    let power = b.unary("exp", &exponent)?;
    let shifted = b.with_scalar("add", &power, 1.0)?;
    let log = b.unary("log2", &shifted)?;
    b.binary("add", &greater, &log)
}

/// A number times a power of 2.
fn ldexp(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let [x, exponent] = floats(n, b)?;
    let two = b.scalar(x.element(), 2.0);
    let power = b.binary("power", &two, &exponent)?;
    b.binary("multiply", &x, &power)
}

/// The angle of the point (other, self).
fn atan2(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let [y, x] = floats(n, b)?;
    angle(b, &y, &x)
}

/// self * log(other), which is 0 where self is.
fn xlogy(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let [x, y] = floats(n, b)?;
    let log = b.unary("log", &y)?;
    let product = b.binary("multiply", &x, &log)?;
    let is_zero = b.with_scalar("equal", &x, 0.0)?;
    let zero = b.scalar(x.element(), 0.0);
    let result = b.op("where", &[is_zero, zero, product], &[])?;
    // Nothing is lost of what is no number.
    let is_nan = b.unary("isnan", &y)?;
    b.op("where", &[is_nan, y, result], &[])
}

/// A number where a mask holds; the result has the type of the tensor.
fn masked_fill(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let (x, mask, value) = (n.tensor("self")?, n.tensor("mask")?, n.operand("value")?);
    let value = value.cast(b, x.element())?;
    let mask = b.cast(&mask, Element::Bool)?;
    b.op("where", &[mask, value, x], &[])
}

fn select(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let condition = n.tensor("condition")?;
    let (yes, no) = (n.operand("self")?, n.operand("other")?);
    let element = result_type(&[&yes, &no]);
    let (yes, no) = (yes.cast(b, element)?, no.cast(b, element)?);
    let condition = b.cast(&condition, Element::Bool)?;
    let chosen = broadcast_shapes(yes.dims(), no.dims())?;
    let shape = broadcast_shapes(condition.dims(), &chosen)?;
    let result = b.op("where", &[condition, yes, no], &[])?;
    b.broadcast(&result, &shape)
}
