//! Normalisations.

use super::reduce::along;
use crate::graph::{
    attr::Param,
    builder::GraphBuilder,
    error::Result,
    value::{Value, are_equal},
};
use relay_dialects::element::Element;

/// Fails unless `value` has one number per channel.
pub fn check_channels(what: &str, value: &Value, x: &Value) -> Result<()> {
    if x.rank() < 2 {
        return Err(format!(
            "the input has rank {}, expected at least 2",
            x.rank()
        ));
    }
    if !are_equal(value.dims(), &x.dims()[1..2]) {
        return Err(format!(
            "{what} has shape {:?}, expected one value for each of {} channels",
            value.dims(),
            x.dims()[1]
        ));
    }
    Ok(())
}

/// Normalises each channel of each sample. Each channel has a scale and a bias.
pub fn normalized_channels(
    b: &mut GraphBuilder,
    operands: &[Value; 3],
    epsilon: f64,
) -> Result<Value> {
    let [x, scale, bias] = operands;
    check_channels("scale", scale, x)?;
    check_channels("bias", bias, x)?;
    let attrs = [("axis", Param::Int(1)), ("epsilon", Param::Float(epsilon))];
    b.op("nn.instance_norm", operands, &attrs)
}

/// Normalises over `first` and all axes that follow, scales and moves. With one axis it is one op; with several, or where the mean and the
/// inverse of the deviation are asked for and returned, too, it is written out. These two are of f32, whatever the input is of; the result
/// is of the scale's type.
pub fn normalized(
    b: &mut GraphBuilder,
    (x, scale, bias): (&Value, &Value, Option<Value>),
    (first, epsilon): (usize, f64),
    with_moments: bool,
) -> Result<Vec<Value>> {
    let extent = x.dims()[first];
    let result_element = scale.element();
    let last = first + 1 == x.rank() && scale.dims() == [extent];
    if last && !with_moments {
        let scale = b.cast(scale, x.element())?;
        let bias = match bias {
            Some(bias) => {
                let bias = b.cast(&bias, x.element())?;
                b.broadcast(&bias, &[extent])?
            }
            None => b.full(x.element(), &[extent], 0.0)?,
        };
        let attrs = [
            ("axis", Param::Int(first as i64)),
            ("epsilon", Param::Float(epsilon)),
        ];
        let operands = [x.clone(), scale, bias];
        let result = b.op("nn.layer_norm", &operands, &attrs)?;
        return Ok(vec![b.cast(&result, result_element)?]);
    }
    let axes: Vec<usize> = (first..x.rank()).collect();
    let [x, scale] = [widened(b, x)?, widened(b, scale)?];
    let mean = mean(b, &x, &axes)?;
    let difference = b.binary("subtract", &x, &mean)?;
    let square = b.binary("multiply", &difference, &difference)?;
    let variance = self::mean(b, &square, &axes)?;
    let shifted = b.with_scalar("add", &variance, epsilon)?;
    let inverse = b.unary("rsqrt", &shifted)?;
    let normal = b.binary("multiply", &difference, &inverse)?;
    let mut result = b.binary("multiply", &normal, &scale)?;
    if let Some(bias) = bias {
        let bias = widened(b, &bias)?;
        result = b.binary("add", &result, &bias)?;
    }
    Ok(vec![
        b.cast(&result, result_element)?,
        b.cast(&mean, Element::F32)?,
        b.cast(&inverse, Element::F32)?,
    ])
}

/// A tensor in the type that a normalisation computes in: narrow floats become f32, so that only the result is rounded.
pub fn widened(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    match x.element().is_narrow_float() {
        true => b.cast(x, Element::F32),
        false => Ok(x.clone()),
    }
}

/// The numbers divided by the root of the mean of the squares over `first` and all axes that follow, and scaled; and what they are
/// multiplied by for that, in f32.
pub fn by_root_of_squares(
    b: &mut GraphBuilder,
    (x, scale): (&Value, &Value),
    (first, epsilon): (usize, f64),
) -> Result<[Value; 2]> {
    let axes: Vec<usize> = (first..x.rank()).collect();
    let result_element = scale.element();
    let [x, scale] = [widened(b, x)?, widened(b, scale)?];
    let square = b.binary("multiply", &x, &x)?;
    let mean = mean(b, &square, &axes)?;
    let shifted = b.with_scalar("add", &mean, epsilon)?;
    let inverse = b.unary("rsqrt", &shifted)?;
    let normal = b.binary("multiply", &x, &inverse)?;
    let result = b.binary("multiply", &normal, &scale)?;
    Ok([
        b.cast(&result, result_element)?,
        b.cast(&inverse, Element::F32)?,
    ])
}

pub fn mean(b: &mut GraphBuilder, x: &Value, axes: &[usize]) -> Result<Value> {
    along(b, "mean", x, (axes, true))
}
