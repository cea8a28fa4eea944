//! Parts of tensors, and tensors put together.

use super::{
    alias,
    range::{bound, range},
    row::{Row, row, rows},
    shape::axes,
};
use crate::{
    compose::{shape::reshaped, slice::sliced},
    graph::{
        attr::Param,
        builder::GraphBuilder,
        constant::{Const, Numbers},
        error::Result,
        value::{Value, broadcast_shapes, normalize_axis},
    },
    torch::{
        item::{Item, Operand},
        node::Node,
        promote::of_values,
    },
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("cat", cat),
    rows("chunk", chunk).view(alias::part),
    row("concat", cat),
    row("concatenate", cat),
    row("diagonal", |n, b| {
        let x = n.tensor("self")?;
        let axes = (x.axis(n.int_or("dim1", 0)?)?, x.axis(n.int_or("dim2", 1)?)?);
        diagonal(b, &x, axes, n.int_or("offset", 0)?)
    })
    .view(alias::unwritten),
    row("flipud", |n, b| reversed(b, &n.tensor("self")?, 0)),
    row("fliplr", |n, b| reversed(b, &n.tensor("self")?, 1)),
    rows("broadcast_tensors", broadcast_tensors),
    rows("dsplit", |n, b| parts_along(n, b, 2)).view(alias::unwritten),
    rows("hsplit", |n, b| {
        let axis = usize::from(n.tensor("self")?.rank() > 1);
        parts_along(n, b, axis)
    })
    .view(alias::unwritten),
    rows("vsplit", |n, b| parts_along(n, b, 0)).view(alias::unwritten),
    row("flip", flip),
    row("narrow", narrow).view(alias::narrowed),
    row("roll", roll),
    row("rot90", rot90),
    row("select", select).view(alias::select),
    row("select_copy", select),
    row("slice", slice).view(alias::sliced),
    row("slice_copy", slice),
    rows("split", split).view(alias::part),
    rows("split_copy", split),
    rows("split_with_sizes", |n, b| split_by(n, b, "split_sizes")).view(alias::part),
    rows("split_with_sizes_copy", |n, b| {
        split_by(n, b, "split_sizes")
    }),
    rows("split.sizes", |n, b| split_by(n, b, "split_size")).view(alias::part),
    row("stack", stack),
    rows("tensor_split.indices", split_at).view(alias::unwritten),
    rows("tensor_split.sections", tensor_split).view(alias::unwritten),
    rows("unbind", unbind).view(alias::part),
    row("unfold", unfold).view(alias::unwritten),
    row("hstack", |n, b| {
        let parts = n.tensors("tensors")?;
        let axis = usize::from(parts.first().is_some_and(|part| part.rank() > 1));
        joined(b, &parts, axis as i64)
    }),
    row("row_stack", |n, b| joined(b, &n.tensors("tensors")?, 0)),
    rows("unsafe_chunk", chunk),
    rows("unsafe_split", split),
    rows("unsafe_split_with_sizes", |n, b| {
        split_by(n, b, "split_sizes")
    }),
    row("vstack", |n, b| joined(b, &n.tensors("tensors")?, 0)),
];

/// Tensors one behind the other, in their common type. An empty list of rank 1 counts as nothing.
fn cat(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    joined(b, &n.tensors("tensors")?, n.int_or("dim", 0)?)
}

fn joined(b: &mut GraphBuilder, parts: &[Value], axis: i64) -> Result<Value> {
    let element = of_values(parts);
    let rank = parts.iter().map(Value::rank).max().unwrap_or(0);
    let is_part = |part: &&Value| part.rank() == rank || part.dims() != [Dim::Known(0)];
    let parts = parts
        .iter()
        .filter(is_part)
        .map(|part| b.cast(part, element));
    let parts: Vec<Value> = parts.collect::<Result<_>>()?;
    let first = parts.first().ok_or("there is nothing to join")?;
    let axis = first.axis(axis)?;
    b.concatenate(&parts, axis)
}

fn stack(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let parts = n.tensors("tensors")?;
    let element = of_values(&parts);
    let rank = parts.first().map_or(0, Value::rank);
    let axis = normalize_axis(n.int_or("dim", 0)?, rank + 1)?;
    let parts = parts.iter().map(|part| {
        let part = b.cast(part, element)?;
        let mut shape = part.dims().to_vec();
        shape.insert(axis.min(shape.len()), Dim::Known(1));
        b.reshape(&part, &shape)
    });
    let parts: Vec<Value> = parts.collect::<Result<_>>()?;
    b.concatenate(&parts, axis)
}

/// The elements at a subscript of an axis, which the result lacks.
fn select(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let axis = x.axis(n.required_int("dim")?)?;
    let index = n.dim(b, "index")?.ok_or("argument 'index' is missing")?;
    let part = at(b, &x, axis, index)?;
    let mut shape = part.dims().to_vec();
    shape.remove(axis);
    b.reshape(&part, &shape)
}

/// The elements at a subscript of an axis, which counts from the end if negative.
fn at(b: &mut GraphBuilder, x: &Value, axis: usize, index: Dim) -> Result<Value> {
    let extent = x.dims()[axis];
    let from = match index {
        Dim::Known(index) if index < 0 => extent.plus(index)?,
        index => index,
    };
    if let (Some(from), Some(extent)) = (from.known(), extent.known())
        && !(0..extent).contains(&from)
    {
        return Err(format!(
            "subscript {index} is out of range for extent {extent}"
        ));
    }
    sliced(b, x, &[(axis, from, from.plus(1)?, 1)])
}

fn slice(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let axis = x.axis(n.int_or("dim", 0)?)?;
    let extent = x.dims()[axis];
    let (start, end, step) = range(n, b, extent)?;
    match start == 0 && end == extent && step == 1 {
        true => Ok(x),
        false => sliced(b, &x, &[(axis, start, end, step)]),
    }
}

fn narrow(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let axis = x.axis(n.required_int("dim")?)?;
    let start = match n.operand("start")? {
        Operand::Tensor(start) => {
            let start = b.cast(&start, Element::I64)?;
            Item::Number(b.reshape_to_scalar(&start)?).dim(b)?
        }
        Operand::Number(_) => n.dim(b, "start")?.ok_or("argument 'start' is missing")?,
    };
    let length = n.dim(b, "length")?.ok_or("argument 'length' is missing")?;
    let start = bound(start, x.dims()[axis])?;
    sliced(b, &x, &[(axis, start, start.plus(length)?, 1)])
}

/// The most parts of a tensor: each is an operator.
const MOST_PARTS: i64 = 1 << 12;

/// Parts of so many elements along an axis, the last of which may be smaller.
fn parts(b: &mut GraphBuilder, x: &Value, axis: usize, sizes: &[Dim]) -> Result<Vec<Value>> {
    let mut start = Dim::Known(0);
    let mut parts = Vec::with_capacity(sizes.len());
    for size in sizes {
        let end = start.plus(*size)?;
        parts.push(sliced(b, x, &[(axis, start, end, 1)])?);
        start = end;
    }
    Ok(parts)
}

fn equal_parts(b: &mut GraphBuilder, x: &Value, axis: usize, size: i64) -> Result<Vec<Value>> {
    let extent = x.extent(axis)?;
    if size < 1 {
        return match extent {
            0 => Ok(vec![x.clone()]),
            _ => Err(format!("parts of {size} elements")),
        };
    }
    check_count(extent / size)?;
    let starts = (0..extent.max(1)).step_by(size as usize);
    let sizes = starts.map(|start| Dim::Known(size.min(extent - start)));
    parts(b, x, axis, &sizes.collect::<Vec<_>>())
}

fn check_count(parts: i64) -> Result<()> {
    match parts <= MOST_PARTS {
        true => Ok(()),
        false => Err(format!(
            "{parts} parts are too many; up to {MOST_PARTS} are supported"
        )),
    }
}

fn split(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.tensor("self")?;
    let axis = x.axis(n.int_or("dim", 0)?)?;
    equal_parts(b, &x, axis, n.required_int("split_size")?)
}

fn split_by(n: &Node<'_>, b: &mut GraphBuilder, name: &str) -> Result<Vec<Value>> {
    let x = n.tensor("self")?;
    let axis = x.axis(n.int_or("dim", 0)?)?;
    let sizes = n.dims(b, name)?.unwrap_or_default();
    parts(b, &x, axis, &sizes)
}

fn chunk(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.tensor("self")?;
    let axis = x.axis(n.int_or("dim", 0)?)?;
    let count = n.required_int("chunks")?;
    if count < 1 {
        return Err(format!("argument 'chunks' is {count}"));
    }
    check_count(count)?;
    let extent = x.dims()[axis];
    let Some(known) = extent.known() else {
        let size = extent.ceil_div(count)?;
        let mut sizes = vec![size; count as usize - 1];
        sizes.push(extent.minus(size.times(count - 1)?)?);
        return parts(b, &x, axis, &sizes);
    };
    equal_parts(b, &x, axis, (known + count - 1) / count)
}

fn parts_along(n: &Node<'_>, b: &mut GraphBuilder, axis: usize) -> Result<Vec<Value>> {
    let x = n.tensor("self")?;
    let count = n.required_int("sections")?;
    even(b, &x, axis, count)
}

fn tensor_split(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.tensor("self")?;
    let axis = x.axis(n.int_or("dim", 0)?)?;
    even(b, &x, axis, n.required_int("sections")?)
}

/// Parts that begin at places. A place is bounded as that of a slice is, and one before the place ahead of it ends an empty part.
fn split_at(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.tensor("self")?;
    let axis = x.axis(n.int_or("dim", 0)?)?;
    let extent = x.dims()[axis];
    let places = n.dims(b, "indices")?.unwrap_or_default();
    check_count(places.len() as i64)?;
    let mut start = Dim::Known(0);
    let mut parts = Vec::with_capacity(places.len() + 1);
    for place in places.into_iter().chain([extent]) {
        let place = bound(place, extent)?;
        parts.push(sliced(b, &x, &[(axis, start, start.max(place)?, 1)])?);
        start = place;
    }
    Ok(parts)
}

/// Parts that differ by one element at most, the larger ones first.
fn even(b: &mut GraphBuilder, x: &Value, axis: usize, count: i64) -> Result<Vec<Value>> {
    if count < 1 || axis >= x.rank() {
        return Err(format!("{count} parts of {:?}", x.dims()));
    }
    check_count(count)?;
    let extent = x.extent(axis)?;
    let sizes =
        (0..count).map(|part| Dim::Known(extent / count + i64::from(part < extent % count)));
    parts(b, x, axis, &sizes.collect::<Vec<_>>())
}

fn unbind(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let x = n.tensor("self")?;
    let axis = x.axis(n.int_or("dim", 0)?)?;
    let parts = equal_parts(b, &x, axis, 1)?;
    let mut shape = x.dims().to_vec();
    shape.remove(axis);
    parts.iter().map(|part| b.reshape(part, &shape)).collect()
}

fn reversed(b: &mut GraphBuilder, x: &Value, axis: usize) -> Result<Value> {
    let axis = x.axis(axis as i64)?;
    b.op(
        "reverse",
        std::slice::from_ref(x),
        &[("axis", Param::Int(axis as i64))],
    )
}

/// Tensors in the shape that all of them have together.
fn broadcast_tensors(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    let tensors = n.tensors("tensors")?;
    let mut shape = Vec::new();
    for tensor in &tensors {
        shape = broadcast_shapes(&shape, tensor.dims())?;
    }
    let wide = tensors.iter().map(|tensor| b.broadcast(tensor, &shape));
    wide.collect()
}

fn flip(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let mut x = n.tensor("self")?;
    for axis in axes(n, "dims", &x)? {
        x = b.op("reverse", &[x], &[("axis", Param::Int(axis as i64))])?;
    }
    Ok(x)
}

/// The last elements of an axis before the others.
fn roll(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let shifts = n.ints("shifts")?.unwrap_or_default();
    let axes = axes(n, "dims", &x)?;
    if axes.is_empty() {
        let flat = reshaped(b, &x, &[Dim::Known(-1)])?;
        let rolled = rolled(b, &flat, 0, shifts.first().copied().unwrap_or(0))?;
        return b.reshape(&rolled, x.dims());
    }
    let mut result = x;
    for (axis, shift) in axes.into_iter().zip(shifts) {
        result = rolled(b, &result, axis, shift)?;
    }
    Ok(result)
}

fn rolled(b: &mut GraphBuilder, x: &Value, axis: usize, shift: i64) -> Result<Value> {
    let extent = x.dims()[axis];
    let cut = match extent.known() {
        Some(0) => return Ok(x.clone()),
        Some(extent) => Dim::Known((-shift).rem_euclid(extent)),
        // A shift is smaller than an extent that is open.
        None if shift < 0 => Dim::Known(-shift),
        None => extent.minus(shift)?,
    };
    if cut == 0 {
        return Ok(x.clone());
    }
    let last = sliced(b, x, &[(axis, cut, extent, 1)])?;
    let first = sliced(b, x, &[(axis, Dim::Known(0), cut, 1)])?;
    b.concatenate(&[last, first], axis)
}

/// The diagonal of two axes, as the last axis.
pub fn diagonal(
    b: &mut GraphBuilder,
    x: &Value,
    (first, second): (usize, usize),
    offset: i64,
) -> Result<Value> {
    let others = (0..x.rank()).filter(|axis| ![first, second].contains(axis));
    let order: Vec<usize> = others.chain([first, second]).collect();
    let moved = b.transpose(x, &order)?;
    let (rows, columns) = (x.extent(first)?, x.extent(second)?);
    let (row, column) = ((-offset).max(0), offset.max(0));
    let length = (rows - row).min(columns - column).max(0);
    let mut shape = moved.dims()[..x.rank() - 2].to_vec();
    shape.push(Dim::Known(rows * columns));
    let flat = b.reshape(&moved, &shape)?;
    let axis = shape.len() - 1;
    let start = row * columns + column;
    let end = start + (length - 1).max(0) * (columns + 1) + i64::from(length > 0);
    sliced(
        b,
        &flat,
        &[(axis, Dim::Known(start), Dim::Known(end), columns + 1)],
    )
}

/// The most elements of windows whose places are computed while a model is imported.
const MOST_PLACES: i64 = 1 << 24;

/// Windows of an axis, whose elements become a new last axis.
fn unfold(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let mut x = n.tensor("self")?;
    let is_scalar = x.rank() == 0;
    if is_scalar {
        x = b.reshape(&x, &[1])?;
    }
    let axis = x.axis(n.required_int("dimension")?)?;
    let (size, step) = (n.required_int("size")?, n.required_int("step")?);
    let extent = x.extent(axis)?;
    let most = (extent / step.max(1) + 1).saturating_mul(size);
    if step < 1 || !(0..=extent).contains(&size) || most > MOST_PLACES {
        return Err(format!(
            "windows of {size} in steps of {step} do not fit {extent} elements"
        ));
    }
    let count = (extent - size) / step + 1;
    let from: Vec<i64> = (0..count)
        .flat_map(|window| (0..size).map(move |place| window * step + place))
        .collect();
    let from = b.known(Const::new(
        Element::I64,
        vec![count, size],
        &Numbers::ints(&from),
    ));
    let taken = b.taken(&x, &from, axis)?;
    let mut order: Vec<usize> = (0..taken.rank())
        .filter(|other| *other != axis + 1)
        .collect();
    order.push(axis + 1);
    match is_scalar {
        true => b.reshape(&taken, &[size]),
        false => b.transpose(&taken, &order),
    }
}

/// A quarter turn of two axes, so often.
fn rot90(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let x = n.tensor("self")?;
    let axes = match axes(n, "dims", &x)?[..] {
        [first, second] => [first, second],
        [] if x.rank() > 1 => [0, 1],
        _ => return Err("argument 'dims' does not name two axes".into()),
    };
    let reversed = |b: &mut GraphBuilder, x: &Value, axis: usize| {
        b.op(
            "reverse",
            std::slice::from_ref(x),
            &[("axis", Param::Int(axis as i64))],
        )
    };
    let mut order: Vec<usize> = (0..x.rank()).collect();
    order.swap(axes[0], axes[1]);
    match n.int_or("k", 1)?.rem_euclid(4) {
        0 => Ok(x),
        1 => {
            let mirrored = reversed(b, &x, axes[1])?;
            b.transpose(&mirrored, &order)
        }
        2 => {
            let mirrored = reversed(b, &x, axes[0])?;
            reversed(b, &mirrored, axes[1])
        }
        _ => {
            let turned = b.transpose(&x, &order)?;
            reversed(b, &turned, axes[1])
        }
    }
}
