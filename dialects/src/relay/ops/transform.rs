//! Shapes, slices and layouts.

use super::{columns::*, keyword, one_dim, rule};
use crate::relay::relation::MAX_NEW_AXES;
use crate::{
    dim::{self, Dim},
    element::{Element, Elements},
    ir::{Attr, Op, Type},
    relay::{
        Call, Folded, Layout, TensorType,
        operands::{Follows, Known, as_result},
        relation::{broadcast_shapes, identity, normalize_axis, show},
    },
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("reshape", Injective, ANY, Moves, reshape)
        .view()
        .with_fold(fold_same_type),
    Row::new("view_as", Injective, ANY, Moves, view_as).view(),
    Row::new("transpose", Injective, ANY, Moves, transpose)
        .with_operands(transposed)
        .with_fold(fold_transpose),
    Row::new("squeeze", Injective, ANY, Moves, squeeze)
        .view()
        .with_fold(fold_same_type),
    Row::new("expand_dims", Broadcast, ANY, Moves, expand_dims).view(),
    Row::new("concatenate", Injective, ANY, Moves, concatenate)
        .with_layout(Concatenate)
        .with_fold(fold_same_type),
    Row::new("split", Injective, ANY, Moves, split),
    Row::new("strided_slice", Injective, ANY, Moves, strided_slice).with_layout(Slice),
    Row::new("take", Injective, ANY, Moves, take),
    Row::new("broadcast_to", Broadcast, ANY, Moves, broadcast_to).with_fold(fold_same_type),
    Row::new("tile", Broadcast, ANY, Moves, tile),
    Row::new("layout_transform", Injective, ANY, Moves, layout_transform)
        .with_fold(fold_layout)
        .filling_with_zeros(),
    Row::new("stack", Injective, ANY, Moves, stack),
    Row::new("gather", Injective, ANY, Moves, gather),
    Row::new("arange", Injective, NUMBERS, Amplifies, arange),
    Row::new("full", Elemwise, ANY, Moves, full),
    Row::new("full_like", Elemwise, ANY, Moves, full_like).with_operands(as_result),
    Row::new("zeros", Elemwise, ANY, Moves, init),
    Row::new("iota", Injective, ANY, Moves, iota),
    Row::new("ones", Elemwise, ANY, Moves, init),
    Row::new("zeros_like", Elemwise, ANY, Moves, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
    Row::new("ones_like", Elemwise, ANY, Moves, identity)
        .with_operands(as_result)
        .with_layout(Elementwise),
];

fn fold_same_type(op: Op, _constants: &[Option<Attr>]) -> Option<Folded> {
    super::same_type(op)
}

fn fold_transpose(op: Op, _constants: &[Option<Attr>]) -> Option<Folded> {
    let axes = op.attr("axes")?.as_ints()?;
    let identity = axes
        .iter()
        .enumerate()
        .all(|(position, axis)| position as i64 == *axis);
    identity.then(|| Folded::Value(op.operand(0)))
}

fn fold_layout(op: Op, _constants: &[Option<Attr>]) -> Option<Folded> {
    (op.attr("src_layout")? == op.attr("dst_layout")?).then(|| Folded::Value(op.operand(0)))
}

fn one<D: Into<Dim>>(shape: Vec<D>, call: &Call) -> Result<Vec<TensorType>, String> {
    Ok(vec![TensorType::new(shape, call.inputs[0].element)])
}

pub(super) fn reshape(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0].shape;
    let mut shape = call.attrs.dims("newshape")?;
    let open: Vec<usize> = (0..shape.len()).filter(|&axis| shape[axis] == -1).collect();
    let is_negative = |dim: &Dim| dim.known().is_some_and(|extent| extent < -1);
    if open.len() > 1 || shape.iter().any(is_negative) {
        return Err(format!(
            "newshape {shape:?} has more than one -1, or a negative dimension (C1)"
        ));
    }
    let known: Vec<Dim> = shape.iter().copied().filter(|dim| *dim != -1).collect();
    let left = left_over(dim::product(data)?, dim::product(&known)?, !open.is_empty())?;
    let Some(left) = left else {
        let (data, shape) = (show(data), show(&shape));
        return Err(format!("{data} does not reshape to {shape} (C2)"));
    };
    open.iter().for_each(|&axis| shape[axis] = left);
    one(shape, call)
}

fn view_as(call: &Call) -> Result<Vec<TensorType>, String> {
    let shape = call.attrs.dims("newshape")?;
    if shape.iter().copied().any(is_negative) {
        return Err(format!("newshape {shape:?} has a negative dimension (C1)"));
    }
    one(shape, call)
}

/// What is left of the elements of a tensor for its one open dimension, or 1; `None` where the others do not divide them.
fn left_over(total: Dim, others: Dim, is_open: bool) -> Result<Option<Dim>, String> {
    Ok(match (total, others) {
        (Dim::Known(total), Dim::Known(0)) => (total == 0 && !is_open).then_some(Dim::Known(1)),
        (Dim::Known(total), Dim::Known(others)) => {
            let left = (total % others == 0).then(|| total / others);
            left.filter(|&left| left == 1 || is_open).map(Dim::Known)
        }
        (total, others) if is_open => {
            let left = total.floor_div(others)?;
            dim::unify(left.times(others)?, total).map(|_| left)
        }
        (total, others) => dim::unify(total, others).map(|_| Dim::Known(1)),
    })
}

fn transpose(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let axes = call.attrs.ints("axes")?;
    let mut sorted = axes.clone();
    sorted.sort_unstable();
    if sorted != (0..data.rank() as i64).collect::<Vec<_>>() {
        return Err(format!(
            "axes {axes:?} are not an order of {} dimensions (C1)",
            data.rank()
        ));
    }
    let shape: Vec<Dim> = axes.iter().map(|&axis| data.shape[axis as usize]).collect();
    one(shape, call)
}

/// The data of a transpose: its dimensions are those of the result in another order.
fn transposed(known: &Known) -> Result<Follows, String> {
    let axes = known.attrs.ints("axes")?;
    let data = known.result().and_then(|result| {
        let at = |axis: usize| axes.iter().position(|from| *from == axis as i64);
        let shape = (0..axes.len()).map(|axis| result.shape.get(at(axis)?).copied());
        let shape = shape.collect::<Option<Vec<Dim>>>()?;
        (shape.len() == result.rank()).then(|| TensorType::new(shape, result.element))
    });
    Ok(vec![data])
}

fn squeeze(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let mut dropped = Vec::new();
    for axis in call.attrs.ints("axis")? {
        let axis = normalize_axis(axis, data.rank()).map_err(rule("C1"))?;
        if dropped.contains(&axis) {
            return Err(format!("axis {axis} is given twice (C1)"));
        }
        if dim::unify(data.shape[axis], 1).is_none() {
            let extent = data.shape[axis];
            return Err(format!("dimension {axis} is {extent}, not 1 (C2)"));
        }
        dropped.push(axis);
    }
    let kept = (0..data.rank()).filter(|axis| !dropped.contains(axis));
    let shape: Vec<Dim> = kept.map(|axis| data.shape[axis]).collect();
    one(shape, call)
}

fn expand_dims(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let asked = call.attrs.int("num_newaxis")?;
    let count = usize::try_from(asked)
        .ok()
        .filter(|&count| count <= MAX_NEW_AXES);
    let count =
        count.ok_or_else(|| format!("num_newaxis {asked} is not from 0 to {MAX_NEW_AXES} (C2)"))?;
    // A position for a new dimension: before one of the others, or after the last.
    let axis = normalize_axis(call.attrs.int("axis")?, data.rank() + 1).map_err(rule("C1"))?;
    let mut shape = data.shape.clone();
    shape.splice(axis..axis, vec![Dim::Known(1); count]);
    one(shape, call)
}

pub(super) fn concatenate(call: &Call) -> Result<Vec<TensorType>, String> {
    let Some((first, rest)) = call.inputs.split_first() else {
        return Err("takes at least one operand (C1)".into());
    };
    let axis = normalize_axis(call.attrs.int("axis")?, first.rank()).map_err(rule("C2"))?;
    let mut shape = first.shape.clone();
    for input in rest {
        if input.element != first.element {
            let (one, other) = (first.element, input.element);
            return Err(format!("element types {one} and {other} differ (C4)"));
        }
        shape = joined(&shape, &input.shape, axis).map_err(rule("C3"))?;
    }
    one(shape, call)
}

/// The shape of two tensors concatenated along `axis`; their other dimensions are the same.
fn joined(first: &[Dim], second: &[Dim], axis: usize) -> Result<Vec<Dim>, String> {
    let differ = || {
        let (first, second) = (show(first), show(second));
        format!("{first} and {second} differ beside axis {axis}")
    };
    if first.len() != second.len() {
        return Err(differ());
    }
    (first.iter().zip(second).enumerate())
        .map(|(dim, (&a, &b))| {
            if dim == axis {
                a.plus(b)
            } else {
                dim::unify(a, b).ok_or_else(differ)
            }
        })
        .collect()
}

fn split(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let axis = normalize_axis(call.attrs.int("axis")?, data.rank()).map_err(rule("C1"))?;
    let mut cuts = vec![0];
    cuts.extend(call.attrs.ints("indices")?);
    let extent = data.shape[axis];
    let is_beyond = |cut: &i64| dim::at_most(Dim::Known(*cut), extent).is_none();
    if cuts.iter().any(is_beyond) || cuts.windows(2).any(|pair| pair[0] > pair[1]) {
        return Err(format!(
            "indices {:?} do not ascend within dimension {axis} (C2)",
            &cuts[1..]
        ));
    }
    let mut cuts: Vec<Dim> = cuts.into_iter().map(Dim::Known).collect();
    cuts.push(extent);
    cuts.windows(2)
        .map(|pair| {
            let mut shape = data.shape.clone();
            shape[axis] = pair[1].minus(pair[0])?;
            Ok(TensorType::new(shape, data.element))
        })
        .collect()
}

/// The first subscript, the stride and the number of elements that a slice takes of a dimension.
pub fn slice_range(begin: i64, end: i64, stride: i64, dim: i64) -> (i64, i64, i64) {
    let place = |bound: i64, low: i64, high: i64| {
        (if bound < 0 {
            bound.saturating_add(dim)
        } else {
            bound
        })
        .clamp(low, high)
    };
    let (first, last) = if stride > 0 {
        (place(begin, 0, dim), place(end, 0, dim))
    } else {
        (place(begin, -1, dim - 1), place(end, -1, dim - 1))
    };
    let distance = if stride > 0 {
        last - first
    } else {
        first - last
    };
    // The quotient is rounded up without an addition that might overflow.
    let steps = |distance: i64| ((distance - 1) / stride).abs() + 1;
    let count = if distance > 0 { steps(distance) } else { 0 };
    (first, stride, count)
}

/// No subscript is as large, or as far before the first one. Ends that lie beyond all elements are common, and sums of them
/// would leave 64 bits.
const BEYOND: i64 = i64::MAX / 2;
const BEFORE: i64 = -BEYOND;

/// The first subscript and the number of elements that a slice takes of a dimension.
///
/// # Errors
/// If 64 bits do not hold them, or a bound that is a form may be negative.
pub fn slice_of((begin, end, stride): (Dim, Dim, i64), dim: Dim) -> Result<(Dim, Dim), String> {
    if let (Some(begin), Some(end), Some(extent)) = (begin.known(), end.known(), dim.known()) {
        let (first, _, count) = slice_range(begin, end, stride, extent);
        return Ok((Dim::Known(first), Dim::Known(count)));
    }
    let place = |bound: Dim, low: Dim, high: Dim| match bound {
        Dim::Known(BEYOND..) => Ok(high),
        Dim::Known(..=BEFORE) => Ok(low),
        Dim::Known(..0) => dim.plus(bound)?.max(low)?.min(high),
        Dim::Open(_) if bound.max(0)? != bound => {
            Err(format!("a slice's bound of {bound} may be negative"))
        }
        _ => high.min(bound)?.max(low),
    };
    let (low, high) = match stride > 0 {
        true => (Dim::Known(0), dim),
        false => (Dim::Known(-1), dim.minus(1)?),
    };
    let (first, last) = (place(begin, low, high)?, place(end, low, high)?);
    let distance = match stride > 0 {
        true => last.minus(first)?,
        false => first.minus(last)?,
    };
    let step = stride.checked_abs().ok_or("a stride exceeds 64 bits")?;
    Ok((first, distance.max(0)?.ceil_div(step)?))
}

fn strided_slice(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let (begin, end) = (call.attrs.dims("begin")?, call.attrs.dims("end")?);
    let (strides, axes) = (call.attrs.ints("strides")?, call.attrs.ints("axes")?);
    if [begin.len(), end.len(), strides.len()]
        .iter()
        .any(|length| *length != axes.len())
    {
        return Err("begin, end, strides and axes differ in length (C1)".into());
    }
    let mut shape = data.shape.clone();
    let mut sliced = Vec::new();
    for (position, &axis) in axes.iter().enumerate() {
        let axis = normalize_axis(axis, data.rank()).map_err(rule("C2"))?;
        if sliced.contains(&axis) {
            return Err(format!("axis {axis} is given twice (C2)"));
        }
        sliced.push(axis);
        if strides[position] == 0 {
            return Err("a stride is 0 (C3)".into());
        }
        let range = (begin[position], end[position], strides[position]);
        shape[axis] = slice_of(range, data.shape[axis]).map_err(rule("C4"))?.1;
    }
    one(shape, call)
}

/// Whether elements can be subscripts.
pub(super) fn are_subscripts(ty: Type) -> bool {
    Element::of(ty).is_some_and(|element| Elements::INTEGERS.contains(element))
}

fn take(call: &Call) -> Result<Vec<TensorType>, String> {
    let (data, indices) = (&call.inputs[0], &call.inputs[1]);
    if !are_subscripts(indices.element) {
        return Err(format!(
            "indices are of {}, expected integers (C1)",
            indices.element
        ));
    }
    keyword(call, "mode", &["clip", "wrap", "fast"]).map_err(rule("C3"))?;
    let axis = normalize_axis(call.attrs.int("axis")?, data.rank()).map_err(rule("C2"))?;
    if data.shape[axis] == 0 && !indices.shape.contains(&Dim::Known(0)) {
        return Err(format!("there are no elements along axis {axis} (C4)"));
    }
    let mut shape = data.shape.clone();
    shape.splice(axis..=axis, indices.shape.iter().copied());
    one(shape, call)
}

fn broadcast_to(call: &Call) -> Result<Vec<TensorType>, String> {
    let shape = call.attrs.dims("shape")?;
    if shape.iter().copied().any(is_negative) {
        return Err(format!("shape {shape:?} has a negative dimension (C1)"));
    }
    let data = &call.inputs[0].shape;
    // One of which nothing is known may turn out to be 1.
    let smallest: Vec<Dim> = (data.iter())
        .map(|&dim| {
            if dim == Dim::Unknown {
                Dim::Known(1)
            } else {
                dim
            }
        })
        .collect();
    if broadcast_shapes(&smallest, &shape).as_ref() != Ok(&shape) {
        let (data, shape) = (show(data), show(&shape));
        return Err(format!("{data} does not broadcast to {shape} (C2)"));
    }
    one(shape, call)
}

fn tile(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let reps = call.attrs.ints("reps")?;
    if reps.len() != data.rank() || reps.iter().any(|&rep| rep < 0) {
        return Err(format!(
            "reps {reps:?} are not one count per dimension of {} (C1)",
            show(&data.shape)
        ));
    }
    let repeated = data.shape.iter().zip(&reps);
    let shape: Result<Vec<Dim>, String> = repeated.map(|(&dim, &rep)| dim.times(rep)).collect();
    one(shape?, call)
}

fn layout_transform(call: &Call) -> Result<Vec<TensorType>, String> {
    let (from, to) = (call.attrs.str("src_layout")?, call.attrs.str("dst_layout")?);
    let parse = |text: &str| Layout::parse(text).map_err(rule("C1"));
    let shape = parse(&from)?
        .convert(&call.inputs[0].shape, &parse(&to)?)
        .map_err(|reason| format!("{from} to {to}: {reason} (C2)"))?;
    one(shape, call)
}

fn stack(call: &Call) -> Result<Vec<TensorType>, String> {
    let Some((first, rest)) = call.inputs.split_first() else {
        return Err("takes at least one operand (C1)".into());
    };
    if let Some(other) = rest.iter().find(|input| *input != first) {
        return Err(format!(
            "operands of types {} and {} differ (C1)",
            first.to_type(),
            other.to_type()
        ));
    }
    let axis = normalize_axis(call.attrs.int("axis")?, first.rank() + 1)
        .map_err(|reason| format!("{reason} (C2)"))?;
    let mut shape = first.shape.clone();
    shape.insert(axis, Dim::Known(call.inputs.len() as i64));
    one(shape, call)
}

/// The axis of data that indices, one for each element, choose from.
pub(super) fn axis_of_indices(
    call: &Call,
    (data, indices): (&TensorType, &TensorType),
) -> Result<usize, String> {
    if !are_subscripts(indices.element) || indices.rank() != data.rank() {
        return Err(format!(
            "indices of type {} are not integers of rank {} (C1)",
            indices.to_type(),
            data.rank()
        ));
    }
    let axis = normalize_axis(call.attrs.int("axis")?, data.rank())
        .map_err(|reason| format!("{reason} (C2)"))?;
    if data.shape[axis] == 0 && !indices.shape.contains(&Dim::Known(0)) {
        return Err(format!("there are no elements along axis {axis} (C2)"));
    }
    Ok(axis)
}

fn gather(call: &Call) -> Result<Vec<TensorType>, String> {
    let (data, indices) = (&call.inputs[0], &call.inputs[1]);
    let axis = axis_of_indices(call, (data, indices))?;
    let same = |dim: usize| dim::unify(data.shape[dim], indices.shape[dim]).is_some();
    if let Some(other) = (0..data.rank()).find(|&dim| dim != axis && !same(dim)) {
        return Err(format!(
            "data {} and indices {} differ in dimension {other} (C3)",
            show(&data.shape),
            show(&indices.shape)
        ));
    }
    one(indices.shape.clone(), call)
}

/// Whether a dimension is certain to be below 0.
fn is_negative(dim: Dim) -> bool {
    dim.known().is_some_and(|extent| extent < 0)
}

fn check_fill(fill: &TensorType) -> Result<(), String> {
    if fill.rank() == 0 {
        return Ok(());
    }
    Err(format!(
        "fill_value has rank {}, expected 0 (C1)",
        fill.rank()
    ))
}

/// A tensor of the attribute `shape`.
fn filled(call: &Call, element: Type) -> Result<Vec<TensorType>, String> {
    let shape = call.attrs.dims("shape")?;
    if shape.iter().copied().any(is_negative) {
        return Err(format!("shape {shape:?} has a negative dimension (C2)"));
    }
    super::element(element).map_err(rule("C3"))?;
    Ok(vec![TensorType::new(shape, element)])
}

fn init(call: &Call) -> Result<Vec<TensorType>, String> {
    filled(call, call.attrs.ty("dtype")?)
}

fn iota(call: &Call) -> Result<Vec<TensorType>, String> {
    normalize_axis(call.attrs.int("axis")?, call.attrs.dims("shape")?.len()).map_err(rule("C1"))?;
    init(call)
}

fn arange(call: &Call) -> Result<Vec<TensorType>, String> {
    let (start, step) = (&call.inputs[0], &call.inputs[1]);
    if start.rank() != 0 || step.rank() != 0 || start.element != step.element {
        let (start, step) = (start.to_type(), step.to_type());
        return Err(format!(
            "{start} and {step} are no two numbers of one type (C1)"
        ));
    }
    let count = one_dim(&call.attrs, "count").map_err(rule("C2"))?;
    Ok(vec![TensorType::new(vec![count], start.element)])
}

fn full(call: &Call) -> Result<Vec<TensorType>, String> {
    check_fill(&call.inputs[0])?;
    match call.attrs.get("dtype") {
        Some(_) => init(call),
        None => filled(call, call.inputs[0].element),
    }
}

fn full_like(call: &Call) -> Result<Vec<TensorType>, String> {
    check_fill(&call.inputs[1])?;
    identity(call)
}
