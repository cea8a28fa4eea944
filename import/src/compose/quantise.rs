//! Quantisation of floats.

use super::{
    activation::{clipped, round_from_zero},
    reduce::along,
};
use crate::graph::{builder::GraphBuilder, error::Result, value::Value};

/// Floats with the errors of integers of some bits, whose range is moved so that it has zero.
///
/// # Errors
/// If the range or the number of bits is not valid.
pub fn fake_quantised(
    b: &mut GraphBuilder,
    x: &Value,
    (least, greatest): (f32, f32),
    bits: i64,
    is_narrow: bool,
) -> Result<Value> {
    if !(2..=16).contains(&bits) || least.partial_cmp(&greatest) != Some(std::cmp::Ordering::Less) {
        return Err(format!(
            "{bits} bits for the range from {least} to {greatest} are not valid"
        ));
    }
    let (low, high) = (f32::from(u8::from(is_narrow)), ((1u32 << bits) - 1) as f32);
    let scale = (greatest - least) / (high - low);
    let zero = (low - least / scale).clamp(low, high).round();
    let (start, end) = ((low - zero) * scale, (high - zero) * scale);
    let cut = clipped(b, x, start.into(), end.into())?;
    let distance = b.with_scalar("subtract", &cut, start.into())?;
    let steps = b.with_scalar("multiply", &distance, (1.0 / scale).into())?;
    let steps = round_from_zero(b, &steps)?;
    let numbers = b.with_scalar("multiply", &steps, scale.into())?;
    b.with_scalar("add", &numbers, start.into())
}

/// The same, of a range that the model computes, or of one for each element of the last axis.
///
/// # Errors
/// If the number of bits is not valid.
pub fn fake_quantised_between(
    b: &mut GraphBuilder,
    x: &Value,
    [least, greatest]: [&Value; 2],
    bits: i64,
    is_narrow: bool,
) -> Result<Value> {
    if !(2..=16).contains(&bits) {
        return Err(format!("{bits} bits are not valid"));
    }
    let (low, high) = (f64::from(u8::from(is_narrow)), ((1u32 << bits) - 1).into());
    let range = b.binary("subtract", greatest, least)?;
    let scale = b.with_scalar("divide", &range, high - low)?;
    let below = b.binary("divide", least, &scale)?;
    let zero = less(b, low, &below)?;
    let zero = clipped(b, &zero, low, high)?;
    let zero = round_from_zero(b, &zero)?;
    let start = less(b, low, &zero)?;
    let start = b.binary("multiply", &start, &scale)?;
    let end = less(b, high, &zero)?;
    let end = b.binary("multiply", &end, &scale)?;
    let cut = between(b, x, [&start, &end])?;
    let distance = b.binary("subtract", &cut, &start)?;
    let inverse = b.scalar(scale.element(), 1.0);
    let inverse = b.binary("divide", &inverse, &scale)?;
    let steps = b.binary("multiply", &distance, &inverse)?;
    let steps = round_from_zero(b, &steps)?;
    let numbers = b.binary("multiply", &steps, &scale)?;
    b.binary("add", &numbers, &start)
}

/// A number less a tensor.
fn less(b: &mut GraphBuilder, number: f64, x: &Value) -> Result<Value> {
    let number = b.scalar(x.element(), number);
    b.binary("subtract", &number, x)
}

/// Numbers that are not in a range become its nearest end.
pub fn between(b: &mut GraphBuilder, x: &Value, [least, greatest]: [&Value; 2]) -> Result<Value> {
    let cut = b.binary("minimum", x, greatest)?;
    b.binary("maximum", &cut, least)
}

/// The scale by which a tensor's range and 0 fill the integers from 0 to a greatest one, and the least number of this range. A tensor of zeros has
/// the scale that is given for it.
///
/// # Errors
/// Of the operators that compute it.
pub fn scale_of_range(
    b: &mut GraphBuilder,
    x: &Value,
    (integer, of_zeros): (f64, f64),
) -> Result<(Value, Value)> {
    let axes: Vec<usize> = (0..x.rank()).collect();
    let mut end = |reduce: &str, limit: &str| {
        let end = along(b, reduce, x, (&axes, false))?;
        b.with_scalar(limit, &end, 0.0)
    };
    let (greatest, least) = (end("max", "maximum")?, end("min", "minimum")?);
    let width = b.binary("subtract", &greatest, &least)?;
    let scale = b.with_scalar("divide", &width, integer)?;
    let is_zero = b.with_scalar("equal", &width, 0.0)?;
    let of_zeros = b.scalar(x.element(), of_zeros);
    let scale = b.op("where", &[is_zero, of_zeros, scale], &[])?;
    Ok((scale, least))
}

/// A symmetric scale: integers are numbers times it.
pub struct Scale {
    /// What numbers are multiplied by.
    pub scale: Value,
    /// What integers are multiplied by.
    pub inverse: Value,
    /// The numbers that the least and the greatest integer stand for.
    pub range: [Value; 2],
}

/// The greatest scale by which no number of a range is an integer outside of `low` to `high`.
///
/// # Errors
/// Of the operators that compute it.
pub fn scale_of(
    b: &mut GraphBuilder,
    [least, greatest]: [&Value; 2],
    (low, high): (f64, f64),
) -> Result<Scale> {
    let (below, of_below) = side(b, least, low)?;
    let (above, of_above) = side(b, greatest, high)?;
    let is_below = b.binary("less", &below, &above)?;
    let scale = b.binary("minimum", &below, &above)?;
    let choose = |b: &mut GraphBuilder, one: &Value, other: &Value| {
        let all = [is_below.clone(), one.clone(), other.clone()];
        b.op("where", &all, &[])
    };
    let inverse = choose(b, &of_below, &of_above)?;
    let first = b.with_scalar("multiply", &inverse, low)?;
    let last = b.with_scalar("multiply", &inverse, high)?;
    let range = [choose(b, least, &first)?, choose(b, &last, greatest)?];
    Ok(Scale {
        scale,
        inverse,
        range,
    })
}

/// The scale by which a number at the end of a range is an integer, and its inverse. It is no limit if the two have not the same sign.
fn side(b: &mut GraphBuilder, number: &Value, integer: f64) -> Result<(Value, Value)> {
    let none = b.full(number.element(), number.dims(), f32::MAX.into())?;
    if integer == 0.0 {
        return Ok((none.clone(), none));
    }
    let sign = b.with_scalar("multiply", number, integer)?;
    let is_limit = b.with_scalar("greater", &sign, 0.0)?;
    let of = b.scalar(number.element(), integer);
    let scale = b.binary("divide", &of, number)?;
    let scale = b.op("where", &[is_limit, scale, none], &[])?;
    Ok((scale, b.with_scalar("divide", number, integer)?))
}
