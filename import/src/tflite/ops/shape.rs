//! Operators that move elements, or make them of sizes.

use super::row::{Row, row};
use crate::{
    compose::{
        activation::round_from_zero,
        shape::{
            equal_parts, filled, parts_and_rest, reshaped, reversed, squeezed, stacked, tiled,
            transposed, unstacked, with_axis,
        },
    },
    graph::{
        attr::Param,
        builder::GraphBuilder,
        error::Result,
        value::{Value, broadcast_shapes, normalize_axis},
    },
    tflite::{fixed, node::Node},
};
use relay_dialects::{
    dim::{self, Dim},
    element::Element,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("RESHAPE", reshape),
    row("SQUEEZE", squeeze),
    row("EXPAND_DIMS", expand_dims),
    row("SHAPE", shape),
    row("RANK", rank),
    row("TRANSPOSE", |n, b| {
        Ok(vec![transposed(b, &n.input(0)?, &n.known(1)?)?])
    }),
    row("PACK", pack),
    row("UNPACK", unpack),
    row("CONCATENATION", concatenation),
    row("SPLIT", split),
    row("SPLIT_V", split_v),
    row("TILE", |n, b| {
        let times = dim::dims(&n.known(1)?);
        Ok(vec![tiled(b, &n.input(0)?, &times)?])
    }),
    row("BROADCAST_TO", broadcast_to),
    row("BROADCAST_ARGS", broadcast_args),
    row("FILL", fill),
    row("RANGE", range),
    row("REVERSE_V2", |n, b| {
        Ok(vec![reversed(b, &n.input(0)?, &n.known(1)?)?])
    }),
    row("REVERSE_SEQUENCE", reverse_sequence),
];

/// An axis counted from the end if negative.
pub fn axis_of(axis: i64, rank: usize) -> Result<usize> {
    normalize_axis(axis, rank)
}

/// The one axis that an input says.
pub fn known_axis(n: &Node<'_>, place: usize, rank: usize) -> Result<usize> {
    match n.known(place)?[..] {
        [axis] => normalize_axis(axis, rank),
        ref other => Err(format!(
            "input {place} has {} axes, expected one",
            other.len()
        )),
    }
}

fn reshape(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let option = n.ints("new_shape")?;
    let asked = match n.optional(1) {
        Some(list) if list.rank() == 1 => n.sizes(b, 1)?,
        _ => option.into_iter().map(Dim::Known).collect(),
    };
    Ok(vec![reshaped(b, &x, &asked)?])
}

fn squeeze(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let axes = n.ints("squeeze_dims")?;
    Ok(vec![squeezed(b, &n.input(0)?, &axes)?])
}

fn expand_dims(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let axis = known_axis(n, 1, x.rank() + 1)?;
    Ok(vec![with_axis(b, &x, axis)?])
}

/// The shape is known, at least as forms; it becomes no op.
fn shape(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.ignore("out_type")?;
    let sizes = b.sizes(n.input(0)?.dims());
    Ok(vec![b.cast(&sizes, n.element(0)?)?])
}

fn rank(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    Ok(vec![b.scalar(n.element(0)?, n.input(0)?.rank() as f64)])
}

fn pack(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.ignore("values_count")?;
    let inputs = n.inputs()?;
    Ok(vec![stacked(b, &inputs, n.int("axis")?)?])
}

/// A count of parts: a file's node names a tensor for each.
fn check_parts(n: &Node<'_>, count: i64) -> Result<usize> {
    let fine = usize::try_from(count).ok();
    let fine = fine.filter(|count| *count > 0 && *count <= n.results());
    fine.ok_or_else(|| format!("{count} parts, where the node has {} outputs", n.results()))
}

fn unpack(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let axis = normalize_axis(n.int("axis")?, x.rank())?;
    unstacked(b, &x, axis, check_parts(n, n.int("num")?)?)
}

fn split(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(1)?;
    let axis = known_axis(n, 0, x.rank())?;
    let count = check_parts(n, n.int("num_splits")?)?;
    equal_parts(b, &x, axis, count)
}

fn split_v(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    n.ignore("num_splits")?;
    let axis = known_axis(n, 2, x.rank())?;
    let extents = n.known(1)?;
    check_parts(n, extents.len() as i64)?;
    parts_and_rest(b, &x, axis, extents)
}

/// Quantised parts are requantised to the result's scale.
fn concatenation(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    if n.byte("fused_activation_function")? != 0 {
        return Err("a concatenation with an activation is not supported".into());
    }
    let mut inputs = n.inputs()?;
    let rank = inputs.first().ok_or("there are no inputs")?.rank();
    let axis = normalize_axis(n.int("axis")?, rank)?;
    for (place, input) in inputs.iter_mut().enumerate() {
        if !n.is_quantised(place) {
            continue;
        }
        let (from, to) = (n.grain(place)?, n.grain_of_result(0)?);
        if (from.scale()?, from.zero()?) == (to.scale()?, to.zero()?) {
            continue;
        }
        *input = requantised(n, b, input, place)?;
    }
    Ok(vec![b.concatenate(&inputs, axis)?])
}

/// A part in the steps of the result. Kernels compute those of bytes without a sign in floats.
fn requantised(n: &Node<'_>, b: &mut GraphBuilder, x: &Value, place: usize) -> Result<Value> {
    let (from, to) = (n.grain(place)?, n.grain_of_result(0)?);
    let range = to.range(None, None)?;
    if from.element == Element::U8 {
        let scale = from.scale()? * (1.0 / to.scale()?);
        let bias = -(from.zero()? as f32) * scale;
        let steps = b.cast(x, Element::F32)?;
        let steps = b.with_scalar("multiply", &steps, scale.into())?;
        let steps = b.with_scalar("add", &steps, bias.into())?;
        let steps = round_from_zero(b, &steps)?;
        let words = b.cast(&steps, Element::I32)?;
        return fixed::narrowed(b, &words, to.zero()?, range, to.element);
    }
    let factor = f64::from(from.scale()?) / f64::from(to.scale()?);
    let steps = fixed::distances(b, x, from.zero()?)?;
    let steps = fixed::scaled(b, &steps, &[factor], 0)?;
    fixed::narrowed(b, &steps, to.zero()?, range, to.element)
}

fn broadcast_to(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.input(0)?;
    let shape = n.sizes(b, 1)?;
    Ok(vec![b.broadcast(&x, &shape)?])
}

/// The shape to which two shapes broadcast.
fn broadcast_args(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let (lhs, rhs) = (n.sizes(b, 0)?, n.sizes(b, 1)?);
    let sizes = b.sizes(&broadcast_shapes(&lhs, &rhs)?);
    Ok(vec![b.cast(&sizes, n.element(0)?)?])
}

fn fill(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let shape = n.sizes(b, 0)?;
    Ok(vec![filled(b, shape, &n.input(1)?)?])
}

/// From a number on, in steps, before another number.
fn range(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let [start, limit, step] = [0, 1, 2].map(|place| n.input(place));
    let (start, limit, step) = (start?, limit?, step?);
    let element = start.element();
    let count = match (start.scalar(), limit.scalar(), step.scalar()) {
        (_, _, Some(0.0)) => return Err("a step of 0".into()),
        (Some(start), Some(limit), Some(step)) => {
            let count = ((limit - start) / step).ceil().max(0.0);
            if count > crate::graph::constant::MAX_ELEMENTS as f64 {
                return Err(format!("{count} numbers are too many"));
            }
            Dim::Known(count as i64)
        }
        (_, _, Some(1.0)) if element.is_integer() => {
            let forms = [0, 1].map(|place| n.sizes_of_number(b, place));
            let [start, limit] = forms;
            limit?.minus(start?)?.max(Dim::Known(0))?
        }
        _ => {
            return Err(
                "a range whose limits are computed is supported for whole steps of 1 only".into(),
            );
        }
    };
    let operands = [&start, &step].map(|value| b.reshape_to_scalar(value));
    let [start, step] = operands;
    Ok(vec![b.op(
        "arange",
        &[start?, step?],
        &[("count", Param::Dims(vec![count]))],
    )?])
}

fn reverse_sequence(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let attrs = [
        ("seq_axis", Param::Int(n.int("seq_dim")?)),
        ("batch_axis", Param::Int(n.int("batch_dim")?)),
    ];
    Ok(vec![b.op("reverse_sequence", &n.inputs()?, &attrs)?])
}
