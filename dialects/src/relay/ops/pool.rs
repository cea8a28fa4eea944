//! Pools.

use super::{columns::*, rule, window::Window};
use crate::dim::Dim;
use crate::relay::layout::Axis;
use crate::relay::{Call, Layout, TensorType};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("nn.max_pool1d", OutElemwiseFusable, NUMBERS, Averages, pool),
    Row::new("nn.max_pool2d", OutElemwiseFusable, NUMBERS, Averages, pool).with_layout(Spatial),
    Row::new("nn.max_pool3d", OutElemwiseFusable, NUMBERS, Averages, pool),
    Row::new("nn.avg_pool1d", OutElemwiseFusable, NUMBERS, Averages, pool),
    Row::new("nn.avg_pool2d", OutElemwiseFusable, NUMBERS, Averages, pool).with_layout(Spatial),
    Row::new("nn.avg_pool3d", OutElemwiseFusable, NUMBERS, Averages, pool),
    Row::new(
        "nn.adaptive_max_pool1d",
        OutElemwiseFusable,
        NUMBERS,
        Averages,
        |call| adaptive_pool(call, 1),
    ),
    Row::new(
        "nn.adaptive_max_pool2d",
        OutElemwiseFusable,
        NUMBERS,
        Averages,
        |call| adaptive_pool(call, 2),
    )
    .with_layout(Spatial),
    Row::new(
        "nn.adaptive_max_pool3d",
        OutElemwiseFusable,
        NUMBERS,
        Averages,
        |call| adaptive_pool(call, 3),
    ),
    Row::new(
        "nn.adaptive_avg_pool1d",
        OutElemwiseFusable,
        NUMBERS,
        Averages,
        |call| adaptive_pool(call, 1),
    ),
    Row::new(
        "nn.adaptive_avg_pool2d",
        OutElemwiseFusable,
        NUMBERS,
        Averages,
        |call| adaptive_pool(call, 2),
    )
    .with_layout(Spatial),
    Row::new(
        "nn.adaptive_avg_pool3d",
        OutElemwiseFusable,
        NUMBERS,
        Averages,
        |call| adaptive_pool(call, 3),
    ),
    Row::new(
        "nn.global_max_pool2d",
        OutElemwiseFusable,
        NUMBERS,
        Averages,
        global_pool,
    )
    .with_layout(Spatial),
    Row::new(
        "nn.global_avg_pool2d",
        OutElemwiseFusable,
        NUMBERS,
        Averages,
        global_pool,
    )
    .with_layout(Spatial),
];

/// Where the spatial dimensions are.
fn spatial(call: &Call) -> Result<Vec<usize>, String> {
    let text = call.attrs.str("layout")?;
    let layout = Layout::parse(&text).map_err(rule("C1"))?;
    if let Err(reason) = layout.fits("data", &call.inputs[0].shape) {
        return Err(format!("{reason} for layout {text} (C1)"));
    }
    let is_known = |axis: &Axis| match axis.factor {
        None => "NCDHW".contains(axis.letter),
        Some(_) => "NC".contains(axis.letter),
    };
    if !layout.axes().iter().all(is_known) {
        return Err(format!(
            "layout '{text}' names or splits a dimension that is neither batch nor channel (C1)"
        ));
    }
    Ok(layout.spatial())
}

pub(super) fn pool(call: &Call) -> Result<Vec<TensorType>, String> {
    let dims = spatial(call)?;
    let data = &call.inputs[0];
    let size = call.attrs.ints("pool_size")?;
    if size.len() != dims.len() || size.iter().any(|&size| size < 1) {
        return Err(format!(
            "pool_size {size:?} is not one extent per spatial dimension (C2)"
        ));
    }
    let space: Vec<Dim> = dims.iter().map(|&dim| data.shape[dim]).collect();
    let space = Window::of(&call.attrs, &size)?.positions(&space, call.attrs.bool("ceil_mode")?)?;
    let mut shape = data.shape.clone();
    for (dim, extent) in dims.into_iter().zip(space) {
        shape[dim] = extent;
    }
    Ok(vec![TensorType::new(shape, data.element)])
}

fn global_pool(call: &Call) -> Result<Vec<TensorType>, String> {
    let mut shape = call.inputs[0].shape.clone();
    for dim in spatial(call)? {
        shape[dim] = Dim::Known(1);
    }
    Ok(vec![TensorType::new(shape, call.inputs[0].element)])
}

/// The extents of the result. `output_size` holds one per spatial dimension, one for all of them, or none, which
/// means the data's.
fn adaptive_pool(call: &Call, count: usize) -> Result<Vec<TensorType>, String> {
    let dims = spatial(call)?;
    let size = call.attrs.ints("output_size")?;
    if dims.len() != count {
        return Err(format!(
            "layout {} does not have {count} spatial dimensions (C1)",
            call.attrs.str("layout")?
        ));
    }
    if ![0, 1, count].contains(&size.len()) || size.iter().any(|&size| size < 1) {
        return Err(format!(
            "output_size {size:?} is not an extent for each of {count} spatial dimensions (C2)"
        ));
    }
    let mut result = call.inputs[0].clone();
    for (position, &dim) in dims.iter().enumerate() {
        if result.shape[dim] == 0 {
            return Err(format!("dimension {dim} has no elements (C3)"));
        }
        if let Some(&extent) = size.get(position).or(size.first()) {
            result.shape[dim] = Dim::Known(extent);
        }
    }
    Ok(vec![result])
}
