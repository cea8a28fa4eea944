//! Slices, and elements that subscripts choose.

use super::{
    row::{Row, row},
    shape::axis_of,
};
use crate::{
    compose::{
        gather::{columns, gathered, taken_inside},
        masked_slice::{Masks, masked_slice},
        slice::{computed_slice, sized_slice, updated_slice},
    },
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    tflite::node::Node,
};
use relay_dialects::{dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("SLICE", slice),
    row("STRIDED_SLICE", strided_slice),
    row("DYNAMIC_UPDATE_SLICE", dynamic_update_slice),
    row("GATHER", gather),
    row("GATHER_ND", gather_nd),
    row("EMBEDDING_LOOKUP", embedding_lookup),
    row("SCATTER_ND", scatter_nd),
    row("SPARSE_TO_DENSE", sparse_to_dense),
];

/// From a subscript on, so many elements; -1 for all that follow.
fn slice(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, begins) = (n.input(0)?, n.input(1)?);
    let sizes = n.sizes(b, 2)?;
    if !begins.is_known() || !n.input(2)?.is_known() {
        return Ok(vec![computed_slice(b, &x, &begins, &sizes)?]);
    }
    let begins = n.sizes(b, 1)?;
    Ok(vec![sized_slice(b, &x, &begins, &sizes)?])
}

fn strided_slice(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let masks = Masks {
        begin: n.int("begin_mask")?,
        end: n.int("end_mask")?,
        ellipsis: n.int("ellipsis_mask")?,
        new: n.int("new_axis_mask")?,
        shrink: n.int("shrink_axis_mask")?,
        is_offset: n.flag("offset")?,
    };
    let bounds = (&n.sizes(b, 1)?[..], &n.sizes(b, 2)?[..], &n.known(3)?[..]);
    Ok(vec![masked_slice(b, &n.input(0)?, &masks, bounds)?])
}

/// Data with other elements from computed subscripts on.
fn dynamic_update_slice(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let operands = [n.input(0)?, n.input(1)?, n.input(2)?];
    Ok(vec![updated_slice(b, operands)?])
}

fn gather(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (x, places) = (n.input(0)?, n.input(1)?);
    let axis = axis_of(n.int("axis")?, x.rank())?;
    let batches = n.int("batch_dims")?;
    Ok(vec![gathered(b, (&x, &places), axis, batches)?])
}

fn gather_nd(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let lists = columns(b, &n.input(1)?)?;
    let attrs = [("batch_dims", Param::Int(0))];
    Ok(vec![b.op("gather_nd", &[n.input(0)?, lists], &attrs)?])
}

fn embedding_lookup(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (places, mut table) = (n.input(0)?, n.input(1)?);
    if n.is_quantised(1) && !n.is_quantised_result(0)? {
        table = n.grain(1)?.dequantised(b, &table)?;
    }
    Ok(vec![taken_inside(b, &table, &places, 0)?])
}

/// Updates that are added up in a tensor of zeros.
fn scatter_nd(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (lists, updates, shape) = (n.input(0)?, n.input(1)?, n.sizes(b, 2)?);
    let zeros = b.full(updates.element(), &shape, 0.0)?;
    let lists = columns(b, &lists)?;
    let mode = match updates.element() {
        Element::Bool => "update",
        _ => "add",
    };
    Ok(vec![b.op(
        "scatter_nd",
        &[zeros, lists, updates],
        &[("mode", Param::Str(mode))],
    )?])
}

fn sparse_to_dense(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.ignore("validate_indices")?;
    let (places, values, fill) = (n.input(0)?, n.input(2)?, n.input(3)?);
    let shape = n.sizes(b, 1)?;
    let rank = shape.len() as i64;
    let count = dim::product(places.dims())?.floor_div(rank.max(1))?;
    let lists = b.reshape(&places, &[count, rank.into()])?;
    let lists = columns(b, &lists)?;
    let fill = b.reshape_to_scalar(&fill)?;
    let filled = b.broadcast(&fill, &shape)?;
    let values = match values.rank() {
        0 => b.broadcast(&values, &[count])?,
        _ => values,
    };
    Ok(vec![b.op(
        "scatter_nd",
        &[filled, lists, values],
        &[("mode", Param::Str("update"))],
    )?])
}
