//! Elementwise arithmetic, comparison and logic.

use super::row::{Row, row};
use crate::{
    graph::{
        builder::GraphBuilder,
        constant::Const,
        error::Result,
        value::{Value, are_equal, broadcasts},
    },
    onnx::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("Abs", 1, |n, b| unary(n, b, "abs")),
    row("Acos", 7, |n, b| unary(n, b, "acos")),
    row("Acosh", 9, |n, b| unary(n, b, "acosh")),
    row("Add", 1, |n, b| binary(n, b, "add")),
    row("And", 1, |n, b| binary(n, b, "logical_and")),
    row("Asin", 7, |n, b| unary(n, b, "asin")),
    row("Asinh", 9, |n, b| unary(n, b, "asinh")),
    row("Atan", 7, |n, b| unary(n, b, "atan")),
    row("Atanh", 9, |n, b| unary(n, b, "atanh")),
    row("BitShift", 11, bit_shift),
    row("BitwiseAnd", 18, |n, b| binary(n, b, "bitwise_and")),
    row("BitwiseNot", 18, |n, b| unary(n, b, "bitwise_not")),
    row("BitwiseOr", 18, |n, b| binary(n, b, "bitwise_or")),
    row("BitwiseXor", 18, |n, b| binary(n, b, "bitwise_xor")),
    row("Ceil", 1, |n, b| unary(n, b, "ceil")),
    row("Cos", 7, |n, b| unary(n, b, "cos")),
    row("Cosh", 9, |n, b| unary(n, b, "cosh")),
    row("Div", 1, |n, b| binary(n, b, "divide")),
    row("Equal", 1, |n, b| binary(n, b, "equal")),
    row("Erf", 9, |n, b| unary(n, b, "erf")),
    row("Exp", 1, |n, b| unary(n, b, "exp")),
    row("Floor", 1, |n, b| unary(n, b, "floor")),
    row("Greater", 1, |n, b| binary(n, b, "greater")),
    row("GreaterOrEqual", 12, |n, b| binary(n, b, "greater_equal")),
    row("IsInf", 10, is_infinite),
    row("IsNaN", 9, |n, b| unary(n, b, "isnan")),
    row("Less", 1, |n, b| binary(n, b, "less")),
    row("LessOrEqual", 12, |n, b| binary(n, b, "less_equal")),
    row("Log", 1, |n, b| unary(n, b, "log")),
    row("Max", 1, |n, b| variadic(n, b, "maximum")),
    row("Mean", 1, mean),
    row("Min", 1, |n, b| variadic(n, b, "minimum")),
    row("Mod", 10, modulo),
    row("Mul", 1, |n, b| binary(n, b, "multiply")),
    row("Neg", 1, |n, b| unary(n, b, "negative")),
    row("Not", 1, |n, b| unary(n, b, "logical_not")),
    row("Or", 1, |n, b| binary(n, b, "logical_or")),
    row("Pow", 1, pow),
    row("Reciprocal", 1, reciprocal),
    row("Round", 11, |n, b| unary(n, b, "round")),
    row("Sign", 9, |n, b| unary(n, b, "sign")),
    row("Sin", 7, |n, b| unary(n, b, "sin")),
    row("Sinh", 9, |n, b| unary(n, b, "sinh")),
    row("Sqrt", 1, |n, b| unary(n, b, "sqrt")),
    row("Sub", 1, |n, b| binary(n, b, "subtract")),
    row("Sum", 1, |n, b| variadic(n, b, "add")),
    row("Tan", 7, |n, b| unary(n, b, "tan")),
    row("Where", 9, select),
    row("Xor", 1, |n, b| binary(n, b, "logical_xor")),
];

fn unary(n: &Node<'_>, b: &mut GraphBuilder, name: &str) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    // These four are for floats; on integers they do nothing.
    if matches!(name, "floor" | "ceil") && !x.element().is_float() {
        return Ok(vec![x]);
    }
    Ok(vec![b.unary(name, &x)?])
}

fn binary(n: &Node<'_>, b: &mut GraphBuilder, name: &str) -> Result<Vec<Value>> {
    let [x, y] = operands(n, b)?;
    Ok(vec![b.binary(name, &x, &y)?])
}

/// The two operands. They broadcast as numpy's arrays do; before operator set 7 only the second one does, and only where the node says so.
fn operands(n: &Node<'_>, b: &mut GraphBuilder) -> Result<[Value; 2]> {
    n.check_inputs(2)?;
    let (x, y) = (n.input(0)?, n.input(1)?);
    if n.opset >= 7 {
        return Ok([x, y]);
    }
    let axis = n.attr_i64("axis")?;
    if n.attr_bool_or("broadcast", false)? {
        let y = with_axes_of(b, &x, &y, axis)?;
        return Ok([x, y]);
    }
    match are_equal(x.dims(), y.dims()) {
        true => Ok([x, y]),
        false => Err(format!(
            "shapes {:?} and {:?} differ, and attribute 'broadcast' is not 1",
            x.dims(),
            y.dims()
        )),
    }
}

/// An operand in a shape that broadcasts to that of `x`: its axes are those of `x` from `axis` on, by default the last ones.
fn with_axes_of(b: &mut GraphBuilder, x: &Value, y: &Value, axis: Option<i64>) -> Result<Value> {
    let (rank, own) = (x.rank(), y.rank());
    let first = match axis {
        Some(axis) if own > 0 => Some(x.axis(axis)?),
        _ => rank.checked_sub(own),
    };
    let behind = first.and_then(|first| rank.checked_sub(first + own));
    let ones = vec![Dim::Known(1); behind.unwrap_or(0)];
    let shape = [y.dims(), &ones].concat();
    match behind {
        Some(_) if broadcasts(&shape, x.dims()) => b.reshape(y, &shape),
        _ => Err(format!(
            "shape {:?} does not broadcast to {:?} with the axes from {axis:?} on",
            y.dims(),
            x.dims()
        )),
    }
}

fn variadic(n: &Node<'_>, b: &mut GraphBuilder, name: &str) -> Result<Vec<Value>> {
    Ok(vec![fold(n, b, name)?])
}

/// Applies a binary op from left to right over all inputs.
fn fold(n: &Node<'_>, b: &mut GraphBuilder, name: &str) -> Result<Value> {
    let inputs = n.variadic()?;
    let mut result = inputs[0].clone();
    for input in &inputs[1..] {
        result = b.binary(name, &result, input)?;
    }
    Ok(result)
}

fn mean(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let sum = fold(n, b, "add")?;
    let count = n.variadic()?.len();
    Ok(vec![b.with_scalar("divide", &sum, count as f64)?])
}

fn reciprocal(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let one = b.scalar(x.element(), 1.0);
    Ok(vec![b.binary("divide", &one, &x)?])
}

/// Of the infinities, one may be left out.
fn is_infinite(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(1)?;
    let x = n.input(0)?;
    let negative = n.attr_bool_or("detect_negative", true)?;
    let positive = n.attr_bool_or("detect_positive", true)?;
    let infinity = match (negative, positive) {
        (true, true) => return Ok(vec![b.unary("isinf", &x)?]),
        (false, true) => f64::INFINITY,
        (true, false) => f64::NEG_INFINITY,
        (false, false) => return Ok(vec![b.full(Element::Bool, x.dims(), 0.0)?]),
    };
    Ok(vec![b.with_scalar("equal", &x, infinity)?])
}

fn bit_shift(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let name = match n.attr_str_or("direction", "")?.as_str() {
        "LEFT" => "left_shift",
        "RIGHT" => "right_shift",
        other => return Err(format!("direction '{other}' is neither LEFT nor RIGHT")),
    };
    binary(n, b, name)
}

/// The remainder has the sign of the divisor, or, as in C, of the dividend.
fn modulo(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let (x, y) = (n.input(0)?, n.input(1)?);
    let fmod = n.attr_bool_or("fmod", false)?;
    Ok(vec![b.binary(
        if fmod { "mod" } else { "floor_mod" },
        &x,
        &y,
    )?])
}

/// The result has the type of the base; the exponent may be of another type.
fn pow(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let [base, exponent] = operands(n, b)?;
    if exponent.scalar() == Some(2.0) && exponent.rank() <= base.rank() {
        return Ok(vec![b.binary("multiply", &base, &base)?]);
    }
    let element = type_of_power(base.element(), &exponent);
    let (wide, exponent) = (b.cast(&base, element)?, b.cast(&exponent, element)?);
    let power = b.binary("power", &wide, &exponent)?;
    Ok(vec![b.cast(&power, base.element())?])
}

/// The type that a power is computed in: a float that holds the base and the exponent.
fn type_of_power(base: Element, exponent: &Value) -> Element {
    use Element::{F64, I32, I64, U32, U64};
    match (base, exponent.element()) {
        (F64, _) | (_, F64) => F64,
        (base, _) if !base.is_float() => F64,
        // The sign of a power depends on whether the exponent is odd, which f32 does not hold of every integer.
        (_, I32 | I64 | U32 | U64) if !is_exact_in_f32(exponent) => F64,
        (base, exponent) if base == exponent => base,
        _ => Element::F32,
    }
}

/// Whether integers are known, and f32 holds them.
fn is_exact_in_f32(integers: &Value) -> bool {
    let most = f64::from(1 << f32::MANTISSA_DIGITS);
    let numbers = integers.constant().map(Const::to_floats);
    numbers.is_some_and(|numbers| numbers.iter().all(|number| number.abs() <= most))
}

fn select(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let operands = [n.input(0)?, n.input(1)?, n.input(2)?];
    if operands[0].element() != Element::Bool {
        return Err("the condition (input 0) is not boolean".into());
    }
    Ok(vec![b.op("where", &operands, &[])?])
}
