//! What convolutions and pools have in common.

use crate::transform::in_range;
use relay_dialects::{
    dim::Dim,
    index,
    ir::{Builder, Value},
    ops::arith,
    relay::ops::window::Window,
    te::{Role, build},
};

/// The names of the axes of images in a layout of `rank` dimensions, of which `space` are the spatial ones.
pub fn image_axes(space: &[usize], rank: usize) -> Vec<String> {
    let names = space_axes(space.len());
    let mut others = ["n", "c", "c.block"].into_iter();
    let axes = (0..rank).map(|at| match space.iter().position(|dim| *dim == at) {
        Some(dim) => names[dim].to_string(),
        None => others.next().map_or_else(|| format!("i{at}"), String::from),
    });
    axes.collect()
}

/// The names of the axes along one to three spatial dimensions.
pub fn space_axes(rank: usize) -> &'static [&'static str] {
    &["z", "y", "x"][3 - rank.min(3)..]
}

/// Images, of which `space` are the spatial dimensions, with `value` around them: a stage of its own. `widths` holds
/// before and after of each dimension, negative where data is cut off; the data itself if all are 0.
///
/// # Errors
/// If 64 bits do not hold an extent.
pub fn padded(
    b: &Builder,
    data: Value,
    space: &[usize],
    widths: &[(i64, i64)],
    value: f64,
) -> Result<Value, String> {
    if widths.iter().all(|width| *width == (0, 0)) {
        return Ok(data);
    }
    let ty = data.ty();
    let dims = ty.dims();
    let sides = dims.iter().zip(widths);
    let shape = sides.map(|(dim, (before, after))| dim.plus(before + after));
    let shape: Vec<Dim> = shape.collect::<Result<_, _>>()?;
    let ends = dims
        .iter()
        .zip(widths)
        .map(|(dim, (before, _))| dim.plus(*before));
    let ends: Vec<Dim> = ends.collect::<Result<_, _>>()?;
    let padded = build::compute(b, "pad", &shape, ty.element(), |b, indices| {
        read_padded(b, data, indices, (widths, &ends), value)
    });
    build::with_role(padded, Role::Pad);
    Ok(build::name_axes(padded, &image_axes(space, shape.len())))
}

/// The element at `indices` of the padded tensor, in which the data end at `ends`.
fn read_padded(
    b: &Builder,
    data: Value,
    indices: &[Value],
    (widths, ends): (&[(i64, i64)], &[Dim]),
    value: f64,
) -> Value {
    let mut inside: Option<Value> = None;
    let mut source = indices.to_vec();
    for (dim, &(before, after)) in widths.iter().enumerate() {
        if (before, after) == (0, 0) {
            continue;
        }
        if before > 0 || after > 0 {
            let here = in_range(b, indices[dim], Dim::Known(before), ends[dim]);
            inside = Some(inside.map_or(here, |others| arith::AndI::build(b, others, here)));
        }
        source[dim] = index::sub(b, indices[dim], b.index(before));
    }
    let Some(inside) = inside else {
        return build::read(b, data, &source);
    };
    build::if_then_else(
        b,
        inside,
        |b| build::read(b, data, &source),
        |b| b.constant(data.ty().element(), value),
    )
}

/// Where the window at `position` covers the padded data with its element `offset`, in spatial
/// dimension `dim`.
pub fn covered(b: &Builder, window: &Window, dim: usize, position: Value, offset: Value) -> Value {
    let start = index::scale(b, position, window.strides[dim]);
    index::add(b, start, index::scale(b, offset, window.dilation[dim]))
}
