//! Shapes.

use super::{gather::few_known, slice::sliced};
use crate::graph::{
    attr::Param,
    builder::GraphBuilder,
    constant::check_dims,
    error::Result,
    value::{Value, normalize_axes, normalize_axis},
};
use relay_dialects::dim::{self, Dim};

/// The integers of a tensor, as sizes: numbers, forms of open dimensions, or what the model computes.
///
/// # Errors
/// If nothing can be known of them.
pub fn sizes(b: &mut GraphBuilder, list: &Value) -> Result<Vec<Dim>> {
    match (few_known(list), list.elements()) {
        (Some(known), _) => Ok(dim::dims(&known)),
        (None, Some(forms)) => Ok(forms.to_vec()),
        (None, None) => b.sizes_of(list),
    }
}

/// A tensor in a shape in which one number may be -1: what is left.
///
/// # Errors
/// If the tensor does not have as many elements, or several numbers are -1.
pub fn reshaped(b: &mut GraphBuilder, x: &Value, asked: &[Dim]) -> Result<Value> {
    reshaped_to(b, x, asked.to_vec(), asked)
}

/// As [`reshaped`]; messages say that `asked` was asked for.
pub fn reshaped_to(
    b: &mut GraphBuilder,
    x: &Value,
    mut shape: Vec<Dim>,
    asked: &[Dim],
) -> Result<Value> {
    let free: Vec<usize> = (0..shape.len()).filter(|axis| shape[*axis] == -1).collect();
    match free[..] {
        [] => {}
        [axis] => {
            shape[axis] = Dim::Known(1);
            check_dims(&shape)?;
            let (count, known) = (dim::product(x.dims())?, dim::product(&shape)?);
            let wrong = || format!("cannot reshape {:?} to {asked:?}", x.dims());
            shape[axis] = match (count, known) {
                (_, Dim::Known(0)) => return Err(wrong()),
                (Dim::Known(count), Dim::Known(known)) if count % known != 0 => return Err(wrong()),
                (count, known) => count.floor_div(known)?,
            };
        }
        _ => return Err(format!("shape {asked:?} has more than one -1")),
    }
    check_dims(&shape)?;
    b.reshape(x, &shape)
}

/// The parts of an axis of these extents.
///
/// # Errors
/// If they are not the whole axis.
pub fn parts(b: &mut GraphBuilder, x: &Value, axis: usize, extents: &[i64]) -> Result<Vec<Value>> {
    let mut start = 0i64;
    let mut made = Vec::with_capacity(extents.len());
    for &extent in extents {
        let end = (extent >= 0).then(|| start.checked_add(extent)).flatten();
        let end = end.ok_or_else(|| format!("parts of extents {extents:?}"))?;
        made.push((start, end));
        start = end;
    }
    if dim::unify(x.dims()[axis], start).is_none() {
        return Err(format!(
            "parts of extents {extents:?} are not dimension {axis} of {:?}",
            x.dims()
        ));
    }
    if x.is_known() || made.len() == 1 {
        let part =
            |(start, end): &(i64, i64)| sliced(b, x, &[(axis, (*start).into(), (*end).into(), 1)]);
        return made.iter().map(part).collect();
    }
    let cuts = made.iter().skip(1).map(|(start, _)| *start).collect();
    let attrs = [
        ("indices", Param::Ints(cuts)),
        ("axis", Param::Int(axis as i64)),
    ];
    b.ops("split", std::slice::from_ref(x), &attrs)
}

/// The parts of an axis of one extent each, as many as `count`.
///
/// # Errors
/// If the axis is open, or has no such parts.
pub fn equal_parts(
    b: &mut GraphBuilder,
    x: &Value,
    axis: usize,
    count: usize,
) -> Result<Vec<Value>> {
    let extent = x.extent(axis)?;
    let number = count as i64;
    match number > 0 && extent % number == 0 {
        true => parts(b, x, axis, &vec![extent / number; count]),
        false => Err(format!(
            "{count} equal parts of dimension {axis} of {:?}",
            x.dims()
        )),
    }
}

/// The parts of an axis of these extents. One of them may be -1: the part that the others leave.
///
/// # Errors
/// As [`parts`], or if the axis is open and an extent is -1.
pub fn parts_and_rest(
    b: &mut GraphBuilder,
    x: &Value,
    axis: usize,
    mut extents: Vec<i64>,
) -> Result<Vec<Value>> {
    let known = extents.iter().filter(|extent| **extent >= 0);
    let known = known.fold(0i64, |sum, extent| sum.saturating_add(*extent));
    if let Some(rest) = extents.iter_mut().find(|extent| **extent == -1) {
        *rest = x.extent(axis)? - known;
    }
    parts(b, x, axis, &extents)
}

/// The tensors along an axis, without the axis.
///
/// # Errors
/// If the axis has another extent.
pub fn unstacked(b: &mut GraphBuilder, x: &Value, axis: usize, count: usize) -> Result<Vec<Value>> {
    let mut dims = x.dims().to_vec();
    dims.remove(axis);
    let made = parts(b, x, axis, &vec![1; count])?;
    made.iter().map(|part| b.reshape(part, &dims)).collect()
}

/// Tensors of one shape along a new axis, which counts from the result's rank if it is negative.
///
/// # Errors
/// If there are none, or they have different ranks.
pub fn stacked(b: &mut GraphBuilder, tensors: &[Value], axis: i64) -> Result<Value> {
    let first = tensors.first().ok_or("there are no inputs")?;
    let axis = normalize_axis(axis, first.rank() + 1)?;
    let parts = tensors.iter().map(|tensor| {
        if tensor.rank() != first.rank() {
            let shapes = (first.dims(), tensor.dims());
            return Err(format!(
                "inputs of shapes {:?} and {:?}",
                shapes.0, shapes.1
            ));
        }
        with_axis(b, tensor, axis)
    });
    let parts: Vec<Value> = parts.collect::<Result<_>>()?;
    b.concatenate(&parts, axis)
}

/// A tensor with a new axis of extent 1.
pub fn with_axis(b: &mut GraphBuilder, x: &Value, axis: usize) -> Result<Value> {
    let mut dims = x.dims().to_vec();
    dims.insert(axis, Dim::Known(1));
    b.reshape(x, &dims)
}

/// A tensor without some axes of extent 1; without all of them if none is given.
///
/// # Errors
/// If an axis has another extent.
pub fn squeezed(b: &mut GraphBuilder, x: &Value, axes: &[i64]) -> Result<Value> {
    let axes = normalize_axes(axes, x.rank())?;
    let is_other = |axis: &&usize| dim::unify(x.dims()[**axis], 1).is_none();
    if let Some(axis) = axes.iter().find(is_other) {
        return Err(format!("dimension {axis} of {:?} is not 1", x.dims()));
    }
    let is_dropped = |axis: usize| match axes.is_empty() {
        true => x.dims()[axis] == 1,
        false => axes.contains(&axis),
    };
    let kept = (0..x.rank()).filter(|axis| !is_dropped(*axis));
    let kept: Vec<Dim> = kept.map(|axis| x.dims()[axis]).collect();
    b.reshape(x, &kept)
}

/// A tensor with its axes in another order.
///
/// # Errors
/// If the axes are no permutation.
pub fn transposed(b: &mut GraphBuilder, x: &Value, axes: &[i64]) -> Result<Value> {
    if normalize_axes(axes, x.rank())?.len() != x.rank() {
        return Err(format!(
            "axes {axes:?} are no order of {} dimensions",
            x.rank()
        ));
    }
    let order = x.axes(axes)?;
    b.transpose(x, &order)
}

/// A tensor whose elements are in the opposite order along some axes.
///
/// # Errors
/// If an axis repeats, or is out of range.
pub fn reversed(b: &mut GraphBuilder, x: &Value, axes: &[i64]) -> Result<Value> {
    let mut made = x.clone();
    for axis in normalize_axes(axes, x.rank())? {
        made = b.op("reverse", &[made], &[("axis", Param::Int(axis as i64))])?;
    }
    Ok(made)
}

/// A tensor repeated along each axis.
///
/// # Errors
/// If there is not one number for each axis, or one is negative.
pub fn tiled(b: &mut GraphBuilder, x: &Value, times: &[Dim]) -> Result<Value> {
    let is_negative = |times: &Dim| times.known().is_some_and(|times| times < 0);
    if times.len() != x.rank() || times.iter().any(is_negative) {
        return Err(format!("{times:?} times a tensor of rank {}", x.rank()));
    }
    let dims = x.dims().iter().zip(times);
    let dims: Vec<Dim> = dims
        .map(|(dim, times)| dim.times(*times))
        .collect::<Result<_>>()?;
    check_dims(&dims)?;
    let known: Option<Vec<i64>> = times.iter().map(|times| times.known()).collect();
    if let Some(known) = known {
        return b.op(
            "tile",
            std::slice::from_ref(x),
            &[("reps", Param::Ints(known))],
        );
    }
    // Each axis follows a new one, along which it is repeated.
    let apart = x.dims().iter().flat_map(|dim| [Dim::Known(1), *dim]);
    let apart = b.reshape(x, &apart.collect::<Vec<Dim>>())?;
    let more = times.iter().zip(x.dims());
    let more: Vec<Dim> = more.flat_map(|(times, dim)| [*times, *dim]).collect();
    let repeated = b.broadcast(&apart, &more)?;
    b.reshape(&repeated, &dims)
}

/// A tensor whose elements are all one number.
///
/// # Errors
/// If the shape is out of range, or `value` has several elements.
pub fn filled(b: &mut GraphBuilder, shape: Vec<Dim>, value: &Value) -> Result<Value> {
    check_dims(&shape)?;
    let value = b.reshape_to_scalar(value)?;
    match value.scalar() {
        Some(number) => b.full(value.element(), &shape, number),
        None => b.op("full", &[value], &[("shape", Param::Dims(shape))]),
    }
}
