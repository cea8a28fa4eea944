//! Images sampled at positions that are computed.

use super::row::{Row, row};
pub(super) use crate::compose::grid::{Mode, Outside, Tap, clipped};
use crate::compose::grid::{affine_positions, sampled};
use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    onnx::node::Node,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("AffineGrid", 20, affine_grid),
    row("GridSample", 16, grid_sample),
];

/// A grid holds, for each sample, its position on each axis, that on the last axis first. -1 and 1 are the centres of the outer elements if
/// `align_corners` is set, else their edges.
fn grid_sample(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let (x, grid) = (n.input(0)?, n.input(1)?);
    let mode = match n.attr_str_or("mode", "linear")?.as_str() {
        "nearest" => Mode::Nearest,
        "linear" | "bilinear" => Mode::Linear,
        "cubic" | "bicubic" => Mode::Cubic,
        other => return Err(format!("attribute 'mode' is '{other}'")),
    };
    let outside = match n.attr_str_or("padding_mode", "zeros")?.as_str() {
        "zeros" => Outside::Zeros,
        "border" => Outside::Border,
        "reflection" => Outside::Reflection,
        other => return Err(format!("attribute 'padding_mode' is '{other}'")),
    };
    let aligned = n.attr_bool_or("align_corners", false)?;
    Ok(vec![sampled(b, (&x, &grid), (mode, outside, aligned))?])
}

/// The positions that an image's elements have after each sample's affine map, in a grid as [`grid_sample`] takes it. A map's last column is
/// what it adds.
fn affine_grid(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(2)?;
    let maps = n.input(0)?;
    let size = n.dims(1, "the size")?;
    let aligned = n.attr_bool_or("align_corners", false)?;
    Ok(vec![affine_positions(b, &maps, &size, aligned)?])
}
