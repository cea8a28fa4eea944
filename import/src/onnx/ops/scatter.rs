//! Elements that indices replace.

use super::{
    gather::{check_indices, few_known},
    row::{Row, row},
    subscript::{one_axis, subscripts},
};
pub(super) use crate::compose::scatter::{scattered, written};
use crate::{
    graph::{
        attr::Param,
        builder::GraphBuilder,
        error::Result,
        value::{Value, are_equal},
    },
    onnx::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("Scatter", 9, scatter_elements).until(10),
    row("ScatterElements", 11, scatter_elements),
    row("ScatterND", 11, scatter_nd),
    row("TensorScatter", 24, tensor_scatter),
];

/// Reads `reduction`, by Relay's name.
fn reduction(n: &Node<'_>) -> Result<&'static str> {
    match n.attr_str_or("reduction", "none")?.as_str() {
        "none" => Ok("update"),
        "add" => Ok("add"),
        "mul" => Ok("mul"),
        "max" => Ok("max"),
        "min" => Ok("min"),
        other => Err(format!("attribute 'reduction' is '{other}'")),
    }
}

/// The subscripts of a list are in the last dimension of the indices; Relay has them in the first one.
fn scatter_nd(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let (x, indices, updates) = (n.input(0)?, n.input(1)?, n.input(2)?);
    let Some(last) = indices.rank().checked_sub(1) else {
        return Err("the indices (input 1) are a scalar".into());
    };
    check_lists(&indices, x.dims())?;
    let axes: Vec<usize> = [last].into_iter().chain(0..last).collect();
    let indices = b.transpose(&indices, &axes)?;
    let mode = [("mode", Param::Str(reduction(n)?))];
    Ok(vec![b.op("scatter_nd", &[x, indices, updates], &mode)?])
}

/// Checks that lists of subscripts that are known and few are in range, from the end if negative.
fn check_lists(indices: &Value, dims: &[Dim]) -> Result<()> {
    let Some(known) = few_known(indices) else {
        return Ok(());
    };
    let length = indices.shape()?.last().copied().unwrap_or(1).max(1);
    for list in known.chunks(length as usize) {
        let mut subscripts = list.iter().zip(dims);
        let is_in =
            |(at, dim): (&i64, &Dim)| dim.known().is_none_or(|dim| (-dim..dim).contains(at));
        if !subscripts.all(is_in) {
            return Err(format!(
                "indices {list:?} are out of range for extents {dims:?}"
            ));
        }
    }
    Ok(())
}

/// Each index is a subscript of one axis; the others are those of the index itself.
fn scatter_elements(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let (x, indices, updates) = (n.input(0)?, n.input(1)?, n.input(2)?);
    let axis = x.axis(n.attr_i64_or("axis", 0)?)?;
    check_indices(b, &indices, x.dims()[axis])?;
    let result = scattered(b, [x, indices, updates], (axis, reduction(n)?))?;
    Ok(vec![result])
}

/// New entries of a cache, which follow each other on an axis from each sample's start on. A circular cache's first entry follows its last.
fn tensor_scatter(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let (cache, update) = (n.input(0)?, n.input(1)?);
    let axis = cache.axis(n.attr_i64_or("axis", -2)?)?;
    let circular = match n.attr_str_or("mode", "linear")?.as_str() {
        "linear" => false,
        "circular" => true,
        other => return Err(format!("attribute 'mode' is '{other}'")),
    };
    let mut fitting = cache.dims().to_vec();
    let length = update.dims().get(axis).copied().unwrap_or(Dim::Known(0));
    fitting[axis] = match (fitting[axis].known(), length.known()) {
        (Some(room), Some(length)) => Dim::Known(room.min(length)),
        _ => length,
    };
    if axis == 0 || !are_equal(update.dims(), &fitting) {
        return Err(format!(
            "an update of shape {:?} does not fit a cache of shape {:?} on axis {axis}",
            update.dims(),
            cache.dims()
        ));
    }
    if fitting.contains(&Dim::Known(0)) {
        return Ok(vec![cache]);
    }
    let write = if circular { written_around } else { written };
    Ok(vec![write(b, [cache, update], axis, n.optional(2))?])
}

/// A cache with an update along an axis, of each sample from its start on, if there are starts, and at its beginning again behind its end.
fn written_around(
    b: &mut GraphBuilder,
    [cache, update]: [Value; 2],
    axis: usize,
    starts: Option<Value>,
) -> Result<Value> {
    let shape = update.dims().to_vec();
    let mut places = subscripts(b, cache.rank(), axis, shape[axis])?;
    if let Some(starts) = starts {
        let starts = b.cast(&starts, Element::I64)?;
        let starts = b.reshape(&starts, &one_axis(cache.rank(), 0, shape[0]))?;
        places = b.binary("add", &starts, &places)?;
    }
    let places = b.with_size("floor_mod", &places, cache.dims()[axis])?;
    let places = b.broadcast(&places, &shape)?;
    scattered(b, [cache, places, update], (axis, "update"))
}
