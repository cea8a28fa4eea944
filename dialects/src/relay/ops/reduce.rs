//! Reductions over axes.

use super::columns::*;
use crate::{
    dim::Dim,
    ir::Type,
    relay::{
        Call, TensorType,
        relation::{broadcast_shapes, normalize_axis, show},
    },
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("sum", CommReduce, NUMBERS, Sums, reduce)
        .with_layout(Reduce)
        .with_schedule(Schedule::Reduce),
    Row::new("mean", CommReduce, NUMBERS, Sums, reduce)
        .with_layout(Reduce)
        .with_schedule(Schedule::Reduce),
    Row::new("max", CommReduce, VALUES, Near, reduce)
        .with_layout(Reduce)
        .with_schedule(Schedule::Reduce),
    Row::new("min", CommReduce, VALUES, Near, reduce)
        .with_layout(Reduce)
        .with_schedule(Schedule::Reduce),
    Row::new("prod", CommReduce, NUMBERS, Sums, reduce).with_schedule(Schedule::Reduce),
    Row::new("all", CommReduce, BOOLEANS, Decides, reduce).with_schedule(Schedule::Reduce),
    Row::new("any", CommReduce, BOOLEANS, Decides, reduce).with_schedule(Schedule::Reduce),
    Row::new("argmax", CommReduce, NUMBERS, Decides, arg_reduce),
    Row::new("argmin", CommReduce, NUMBERS, Decides, arg_reduce),
    Row::new("variance", CommReduce, FLOATS, Sums, variance).with_schedule(Schedule::Reduce),
];

/// The axes that a reduction runs over, in ascending order: all of them if `axis` is empty.
///
/// # Errors
/// If an axis is out of range or given twice (C1).
pub fn reduced_axes(axis: &[i64], exclude: bool, rank: usize) -> Result<Vec<usize>, String> {
    let mut given: Vec<usize> = Vec::new();
    for &axis in axis {
        let axis = normalize_axis(axis, rank).map_err(super::rule("C1"))?;
        if given.contains(&axis) {
            return Err(format!("axis {axis} is given twice (C1)"));
        }
        given.push(axis);
    }
    if axis.is_empty() && !exclude {
        return Ok((0..rank).collect());
    }
    Ok((0..rank)
        .filter(|axis| given.contains(axis) != exclude)
        .collect())
}

fn reduce(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let axes = reduced_axes(
        &call.attrs.ints("axis")?,
        call.attrs.bool("exclude")?,
        data.rank(),
    )?;
    Ok(vec![TensorType::new(
        reduced_shape(&data.shape, &axes, call.attrs.bool("keepdims")?),
        data.element,
    )])
}

/// The shape after a reduction over `axes`; `keepdims` leaves dimensions of 1 behind.
pub fn reduced_shape(shape: &[Dim], axes: &[usize], keepdims: bool) -> Vec<Dim> {
    let dims = shape.iter().enumerate();
    if keepdims {
        dims.map(|(axis, dim)| match axes.contains(&axis) {
            true => Dim::Known(1),
            false => *dim,
        })
        .collect()
    } else {
        dims.filter(|(axis, _)| !axes.contains(axis))
            .map(|(_, dim)| *dim)
            .collect()
    }
}

fn arg_reduce(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let axis = call.attrs.ints("axis")?;
    if axis.len() != 1 {
        return Err(format!("takes one axis, not {} (C2)", axis.len()));
    }
    let axes = reduced_axes(&axis, false, data.rank())?;
    let shape = reduced_shape(&data.shape, &axes, call.attrs.bool("keepdims")?);
    Ok(vec![TensorType::new(shape, Type::int(call.ctx, 64))])
}

fn variance(call: &Call) -> Result<Vec<TensorType>, String> {
    let (data, mean) = (&call.inputs[0], &call.inputs[1]);
    let broadcast = broadcast_shapes(&data.shape, &mean.shape);
    if mean.rank() != data.rank() || broadcast.as_ref() != Ok(&data.shape) {
        return Err(format!(
            "mean {} is not of the rank of data {}, or does not broadcast to it (C2)",
            show(&mean.shape),
            show(&data.shape)
        ));
    }
    if mean.element != data.element {
        return Err(format!(
            "data of {} and mean of {} are not of one type (C3)",
            data.element, mean.element
        ));
    }
    reduce(call)
}
