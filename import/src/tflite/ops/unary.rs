//! Functions of one tensor, element by element.

use super::{
    row::{Row, complex, floats, row},
    table,
};
use crate::{
    compose::{activation, quantise::fake_quantised},
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    tflite::{
        fixed::{self, Factor},
        fixed_root,
        grain::Grain,
        node::Node,
    },
};
use relay_dialects::element::Element;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("ABS", |n, b| {
        table::function(n, b, |b, x| b.unary("abs", x))
    }),
    row("CEIL", |n, b| {
        table::function(n, b, |b, x| b.unary("ceil", x))
    }),
    row("COS", |n, b| {
        table::function(n, b, |b, x| b.unary("cos", x))
    }),
    row("EXP", |n, b| {
        table::function(n, b, |b, x| b.unary("exp", x))
    }),
    row("FLOOR", |n, b| {
        table::function(n, b, |b, x| b.unary("floor", x))
    }),
    row("LOG", logarithm),
    row("LOGICAL_NOT", |n, b| unary(n, b, "logical_not")),
    floats("NEG", |n, b| unary(n, b, "negative")),
    row("ROUND", |n, b| {
        table::function(n, b, |b, x| b.unary("round", x))
    }),
    row("RSQRT", inverse_root),
    row("SIGN", |n, b| {
        table::function(n, b, |b, x| b.unary("sign", x))
    }),
    row("SIN", |n, b| {
        table::function(n, b, |b, x| b.unary("sin", x))
    }),
    row("SQRT", root),
    row("SQUARE", |n, b| {
        table::function(n, b, |b, x| b.binary("multiply", x, x))
    }),
    complex("CAST", cast),
    row("BITCAST", bitcast),
    row("QUANTIZE", quantize),
    row("DEQUANTIZE", dequantize),
    row("FAKE_QUANT", fake_quant),
    row("DENSIFY", |n, _| Ok(vec![n.input(0)?])),
    row("ZEROS_LIKE", zeros_like),
];

fn unary(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    Ok(vec![b.unary(op, &n.input(0)?)?])
}

/// The logarithm. Of integers, what is below zero becomes the least number, as zero does.
fn logarithm(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    if !n.is_quantised(0) {
        return unary(n, b, "log");
    }
    table::function(n, b, |b, x| {
        let x = b.with_scalar("maximum", x, 0.0)?;
        b.unary("log", &x)
    })
}

/// The square root. The kernel for integers drops what is behind the point.
fn root(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    if !n.is_quantised(0) {
        return unary(n, b, "sqrt");
    }
    let scale = n.grain_of_result(0)?.scale()?;
    table::steps(n, b, |b, x| {
        let root = b.unary("sqrt", x)?;
        let steps = b.with_scalar("divide", &root, scale.into())?;
        b.unary("floor", &steps)
    })
}

/// One over the square root. The kernel for bytes computes in fixed point, and so does the table here.
fn inverse_root(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    if !n.is_quantised(0) || n.grain(0)?.element.bits() > 8 {
        return table::function(n, b, |b, x| b.unary("rsqrt", x));
    }
    let (from, to) = (n.grain(0)?, n.grain_of_result(0)?);
    let factor = Factor::of(1.0 / f64::from(from.scale()?.sqrt() * to.scale()?));
    let (zero, shift) = (from.zero()?, to.zero()?);
    let [least, greatest] = to.range(None, None)?.map(|bound| bound as i64);
    table::of_bytes(n, b, |byte| match byte - zero {
        // The kernel returns the greatest byte for zero and for negative numbers.
        ..=0 => greatest,
        steps => (fixed_root::inverse_root(steps as i32, factor) + shift).clamp(least, greatest),
    })
}

fn cast(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.ignore("in_data_type")?;
    n.ignore("out_data_type")?;
    let (x, to) = (n.input(0)?, n.element(0)?);
    if to == Element::Bool && x.element() != Element::Bool {
        let zero = b.scalar(x.element(), 0.0);
        return Ok(vec![b.binary("not_equal", &x, &zero)?]);
    }
    Ok(vec![b.cast(&x, to)?])
}

fn bitcast(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, to) = (n.input(0)?, n.element(0)?);
    if x.element() == to {
        return Ok(vec![x]);
    }
    if x.element().bytes() != to.bytes() {
        return Err(format!(
            "a change from {:?} to {to:?}, which is of another size, is not supported",
            x.element()
        ));
    }
    Ok(vec![b.op(
        "reinterpret",
        &[x],
        &[("dtype", Param::Type(to))],
    )?])
}

/// Floats as integers, or integers in other steps.
fn quantize(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, to) = (n.input(0)?, n.grain_of_result(0)?);
    if !n.is_quantised(0) {
        return Ok(vec![rounded(b, &x, &to)?]);
    }
    let from = n.grain(0)?;
    let factor = f64::from(from.scale()?) / f64::from(to.scale()?);
    let steps = fixed::distances(b, &x, from.zero()?)?;
    let steps = match factor == 1.0 {
        true => steps,
        false => fixed::scaled(b, &steps, &[factor], 0)?,
    };
    let range = to.range(None, None)?;
    Ok(vec![fixed::narrowed(
        b,
        &steps,
        to.zero()?,
        range,
        to.element,
    )?])
}

/// Floats as the nearest integers; of two as near, as the one farther from zero.
fn rounded(b: &mut GraphBuilder, x: &Value, to: &Grain) -> Result<Value> {
    if to.scales.len() > 1 {
        return to.quantised(b, x);
    }
    let steps = b.with_scalar("divide", x, f64::from(to.scale()?))?;
    let steps = activation::round_from_zero(b, &steps)?;
    let [least, greatest] = to.range(None, None)?;
    let zero = to.zero()? as f64;
    let cut = activation::clipped(b, &steps, least - zero, greatest - zero)?;
    let words = b.cast(&cut, Element::I32)?;
    let moved = match zero {
        0.0 => words,
        zero => b.with_scalar("add", &words, zero)?,
    };
    b.cast(&moved, to.element)
}

fn dequantize(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, to) = (n.input(0)?, n.element(0)?);
    let numbers = match n.is_quantised(0) {
        true => n.grain(0)?.dequantised(b, &x)?,
        false if x.element().is_float() => x,
        false => {
            return Err(format!(
                "{:?} without a scale do not stand for numbers",
                x.element()
            ));
        }
    };
    Ok(vec![b.cast(&numbers, to)?])
}

/// Floats with the errors of integers of some bits, whose range is moved so that it has zero.
fn fake_quant(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let range = (n.float("min")? as f32, n.float("max")? as f32);
    let (bits, is_narrow) = (n.int("num_bits")?, n.flag("narrow_range")?);
    Ok(vec![fake_quantised(b, &x, range, bits, is_narrow)?])
}

fn zeros_like(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    Ok(vec![b.full(x.element(), x.dims(), 0.0)?])
}
