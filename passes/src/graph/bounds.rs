//! How large numbers can be.

use super::constants::floats;
use relay_dialects::{
    Element,
    ir::{Op, Value},
    names::relay,
    relay::{Attrs, build::splat, ops::qnn::EXACT_F32},
};

/// The most operators that lie between a value and those that bound it.
const DEPTH: usize = 12;

/// An upper bound of the magnitudes of a value's elements, if one follows from its operators. A value with a bound has no element that is
/// infinite or NaN.
pub fn magnitude(value: Value) -> Option<f64> {
    within(value, DEPTH)
}

fn within(value: Value, depth: usize) -> Option<f64> {
    let depth = depth.checked_sub(1)?;
    if let Some(element) = Element::of(value.ty().element()).filter(|element| element.is_integer())
    {
        return Some(element.greatest().max(-element.least()));
    }
    let op = value.def()?;
    let operand = |number: usize| within(op.operand(number), depth);
    match op.name().as_str() {
        relay::CONSTANT => of_constant(value),
        relay::CAST | relay::NN_RELU | relay::NN_MAX_POOL2D => operand(0),
        relay::ROUND => Some(operand(0)? + 1.0),
        relay::CLIP => of_clip(op, operand(0)?),
        relay::ADD | relay::SUBTRACT => Some(operand(0)? + operand(1)?),
        relay::MULTIPLY => Some(operand(0)? * operand(1)?),
        relay::SIGMOID | relay::TANH => operand(0).map(|_| 1.0),
        relay::QNN_CONTRIB_DEPTHWISE_CONV2D_NCHWC => Some(EXACT_F32 as f64),
        _ => None,
    }
}

fn of_constant(value: Value) -> Option<f64> {
    if let Some(number) = splat(value) {
        return Some(number.abs()).filter(|number| number.is_finite());
    }
    if !value.ty().element().is_f32() {
        return None;
    }
    let mut magnitudes = floats(value)?
        .into_iter()
        .map(|number| f64::from(number.abs()));
    magnitudes.try_fold(0.0, |most: f64, number| {
        number.is_finite().then(|| most.max(number))
    })
}

/// The bound of a clip. NaN passes a clip, so that its operand must have a bound, too.
fn of_clip(clip: Op, operand: f64) -> Option<f64> {
    let attrs = Attrs::of(clip);
    let (least, greatest) = (attrs.float("a_min").ok()?, attrs.float("a_max").ok()?);
    Some(operand.min(least.abs().max(greatest.abs())))
}
