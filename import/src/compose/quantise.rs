//! Quantisation of floats.

use super::activation::{clipped, round_from_zero};
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
