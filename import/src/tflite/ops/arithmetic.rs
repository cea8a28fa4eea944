//! Functions of two tensors, which broadcast.

use super::{
    activation::Activation,
    row::{Row, floats, row},
};
use crate::{
    compose::activation::angle,
    graph::{builder::GraphBuilder, error::Result, value::Value},
    tflite::{fixed, grain::Grain, node::Node},
};
use relay_dialects::element::Element;

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("ADD", |n, b| sum(n, b, "add")),
    row("SUB", |n, b| sum(n, b, "subtract")),
    row("MUL", product),
    floats("DIV", |n, b| fused(n, b, "divide")),
    row("ADD_N", add_n),
    row("MAXIMUM", |n, b| binary(n, b, "maximum")),
    row("MINIMUM", |n, b| binary(n, b, "minimum")),
    floats("POW", |n, b| binary(n, b, "power")),
    floats("FLOOR_DIV", |n, b| binary(n, b, "floor_divide")),
    floats("FLOOR_MOD", |n, b| binary(n, b, "floor_mod")),
    floats("SQUARED_DIFFERENCE", squared_difference),
    floats("ATAN2", atan2),
    floats("EQUAL", |n, b| binary(n, b, "equal")),
    floats("NOT_EQUAL", |n, b| binary(n, b, "not_equal")),
    floats("LESS", |n, b| binary(n, b, "less")),
    floats("LESS_EQUAL", |n, b| binary(n, b, "less_equal")),
    floats("GREATER", |n, b| binary(n, b, "greater")),
    floats("GREATER_EQUAL", |n, b| binary(n, b, "greater_equal")),
    row("LOGICAL_AND", |n, b| binary(n, b, "logical_and")),
    row("LOGICAL_OR", |n, b| binary(n, b, "logical_or")),
    row("BITWISE_XOR", |n, b| binary(n, b, "bitwise_xor")),
    row("RIGHT_SHIFT", |n, b| binary(n, b, "right_shift")),
    row("STABLEHLO_ADD", |n, b| binary(n, b, "add")),
    row("STABLEHLO_MULTIPLY", |n, b| binary(n, b, "multiply")),
    row("STABLEHLO_MAXIMUM", |n, b| binary(n, b, "maximum")),
    row("STABLEHLO_MINIMUM", |n, b| binary(n, b, "minimum")),
    row("STABLEHLO_SHIFT_LEFT", |n, b| binary(n, b, "left_shift")),
];

fn binary(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    let (x, y) = (n.input(0)?, n.input(1)?);
    Ok(vec![b.binary(op, &x, &y)?])
}

/// With an activation.
fn fused(n: &Node<'_>, b: &mut GraphBuilder, op: &str) -> Result<Vec<Value>> {
    let activation = Activation::of(n)?;
    let made = binary(n, b, op)?;
    made.iter()
        .map(|value| activation.apply(b, value))
        .collect()
}

/// The bits by which kernels widen integers before they add them.
const WIDENING: u32 = 20;
/// Those of integers of 16 bits.
const WIDENING_OF_WORDS: u32 = 15;

/// A sum or a difference.
fn sum(n: &Node<'_>, b: &mut GraphBuilder, op: &'static str) -> Result<Vec<Value>> {
    n.ignore("pot_scale_int16")?;
    if !n.is_quantised(0) {
        return fused(n, b, op);
    }
    let (lhs, rhs, to) = (n.grain(0)?, n.grain(1)?, n.grain_of_result(0)?);
    let bits = match to.element {
        Element::I16 => WIDENING_OF_WORDS,
        _ => WIDENING,
    };
    let (of_lhs, of_rhs) = (lhs.scale()?, rhs.scale()?);
    // Twice the larger scale keeps each part of the sum below 1/2.
    let twice = f64::from(2.0 * of_lhs.max(of_rhs));
    let part = |b: &mut GraphBuilder, place: usize, grain: &Grain, scale: f32| {
        let steps = fixed::distances(b, &n.input(place)?, grain.zero()?)?;
        let steps = fixed::shifted(b, &steps, bits)?;
        fixed::scaled(b, &steps, &[f64::from(scale) / twice], 0)
    };
    let lhs = part(b, 0, &lhs, of_lhs)?;
    let rhs = part(b, 1, &rhs, of_rhs)?;
    let sum = b.binary(op, &lhs, &rhs)?;
    let step = f64::from((1u32 << bits) as f32 * to.scale()?);
    let scaled = fixed::scaled(b, &sum, &[twice / step], 0)?;
    let range = Activation::of(n)?.range(&to)?;
    Ok(vec![fixed::narrowed(
        b,
        &scaled,
        to.zero()?,
        range,
        to.element,
    )?])
}

fn product(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    if !n.is_quantised(0) {
        return fused(n, b, "multiply");
    }
    let (of_lhs, of_rhs) = (n.grain(0)?, n.grain(1)?);
    let lhs = fixed::distances(b, &n.input(0)?, of_lhs.zero()?)?;
    let rhs = fixed::distances(b, &n.input(1)?, of_rhs.zero()?)?;
    let product = b.binary("multiply", &lhs, &rhs)?;
    let activation = Activation::of(n)?;
    let to = n.grain_of_result(0)?;
    let factor = f64::from(of_lhs.scale()? * of_rhs.scale()? / to.scale()?);
    let scaled = fixed::scaled(b, &product, &[factor], 0)?;
    let range = activation.range(&to)?;
    Ok(vec![fixed::narrowed(
        b,
        &scaled,
        to.zero()?,
        range,
        to.element,
    )?])
}

fn add_n(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let inputs = n.inputs()?;
    let (first, others) = inputs.split_first().ok_or("there are no inputs")?;
    let mut sum = first.clone();
    for other in others {
        sum = b.binary("add", &sum, other)?;
    }
    Ok(vec![sum])
}

fn squared_difference(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let difference = b.binary("subtract", &n.input(0)?, &n.input(1)?)?;
    Ok(vec![b.binary("multiply", &difference, &difference)?])
}

fn atan2(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    Ok(vec![angle(b, &n.input(0)?, &n.input(1)?)?])
}
