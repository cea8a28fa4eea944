//! Marks on values.

use crate::{Compute, Expression, scalar, transform::reshape};
use relay_dialects::{ir::Value, ops::math, relay::relation::normalize_axis, te::build};

/// The family's rows.
pub const ROWS: &[(&str, Compute)] = &[
    ("annotation.stop_fusion", reshape),
    ("annotation.checkpoint", reshape),
    ("annotation.cast_hint", reshape),
    ("annotation.compiler_begin", reshape),
    ("annotation.compiler_end", reshape),
    ("op.annotation.simulated_quantize", simulated_quantize),
];

fn simulated_quantize(e: &Expression<'_>) -> Result<Vec<Value>, String> {
    let is_the_data = e.attrs().int("kind")? == 0;
    let axis = match e.inputs[1].ty().dims().len() {
        0 => None,
        _ => Some(normalize_axis(
            e.attrs().int("axis")?,
            e.inputs[0].ty().dims().len(),
        )?),
    };
    e.elements(|b, indices| {
        let x = build::read(b, e.inputs[0], indices);
        if is_the_data {
            return x;
        }
        let own: Vec<Value> = axis.map(|axis| indices[axis]).into_iter().collect();
        let scale = build::read(b, e.inputs[1], &own);
        let [low, high] = [2, 3].map(|operand| build::read(b, e.inputs[operand], &[]));
        let scaled = scalar::div(b, x, scale);
        let clipped = scalar::max(b, scalar::min(b, scaled, high), low);
        scalar::mul(b, math::Round::build(b, clipped), scale)
    })
}
