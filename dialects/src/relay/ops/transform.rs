//! Shapes, slices and layouts.

use crate::{
    ir::{Attr, DYNAMIC, Op, Type},
    relay::{
        Call, Folded, Layout,
        Pattern::{Broadcast, Elemwise, Injective},
        Row, TensorType,
        relation::{broadcast_shapes, identity, normalize_axis, show},
    },
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("reshape", Injective, reshape).with_fold(fold_same_type),
    Row::new("transpose", Injective, transpose).with_fold(fold_transpose),
    Row::new("squeeze", Injective, squeeze).with_fold(fold_same_type),
    Row::new("expand_dims", Broadcast, expand_dims),
    Row::new("concatenate", Injective, concatenate).with_fold(fold_same_type),
    Row::new("split", Injective, split),
    Row::new("strided_slice", Injective, strided_slice),
    Row::new("take", Injective, take),
    Row::new("broadcast_to", Broadcast, broadcast_to).with_fold(fold_same_type),
    Row::new("tile", Broadcast, tile),
    Row::new("layout_transform", Injective, layout_transform).with_fold(fold_layout),
    Row::new("stack", Injective, stack),
    Row::new("gather", Injective, gather),
    Row::new("full", Elemwise, full),
    Row::new("full_like", Elemwise, full_like),
    Row::new("zeros", Elemwise, init),
    Row::new("ones", Elemwise, init),
    Row::new("zeros_like", Elemwise, identity),
    Row::new("ones_like", Elemwise, identity),
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

fn one(shape: Vec<i64>, call: &Call) -> Result<Vec<TensorType>, String> {
    Ok(vec![TensorType::new(shape, call.inputs[0].element)])
}

/// The product of static dimensions; `None` if one is dynamic.
fn count(shape: &[i64]) -> Option<i64> {
    shape.iter().try_fold(1i64, |product, &dim| {
        if dim == DYNAMIC {
            None
        } else {
            product.checked_mul(dim)
        }
    })
}

fn reshape(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0].shape;
    let mut shape = call.attrs.ints("newshape")?;
    let open: Vec<usize> = (0..shape.len()).filter(|&axis| shape[axis] == -1).collect();
    if open.len() > 1 || shape.iter().any(|&dim| dim < -1) {
        return Err(format!(
            "newshape {} has more than one -1, or a negative dimension",
            show(&shape)
        ));
    }
    let Some(total) = count(data) else {
        shape
            .iter_mut()
            .filter(|dim| **dim == -1)
            .for_each(|dim| *dim = DYNAMIC);
        return one(shape, call);
    };
    let known: i64 = shape.iter().filter(|dim| **dim != -1).product();
    if let [axis] = open[..] {
        if known == 0 || total % known != 0 {
            return Err(format!(
                "{} does not reshape to {}",
                show(data),
                show(&shape)
            ));
        }
        shape[axis] = total / known;
    } else if known != total {
        return Err(format!(
            "{} does not reshape to {}",
            show(data),
            show(&shape)
        ));
    }
    one(shape, call)
}

fn transpose(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let axes = call.attrs.ints("axes")?;
    let mut sorted = axes.clone();
    sorted.sort_unstable();
    if sorted != (0..data.rank() as i64).collect::<Vec<_>>() {
        return Err(format!(
            "axes {axes:?} are not an order of {} dimensions",
            data.rank()
        ));
    }
    one(
        axes.iter().map(|&axis| data.shape[axis as usize]).collect(),
        call,
    )
}

fn squeeze(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let mut dropped = Vec::new();
    for axis in call.attrs.ints("axis")? {
        let axis = normalize_axis(axis, data.rank())?;
        if data.shape[axis] != 1 && data.shape[axis] != DYNAMIC {
            return Err(format!("dimension {axis} is {}, not 1", data.shape[axis]));
        }
        dropped.push(axis);
    }
    let kept = (0..data.rank()).filter(|axis| !dropped.contains(axis));
    one(kept.map(|axis| data.shape[axis]).collect(), call)
}

fn expand_dims(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let count =
        usize::try_from(call.attrs.int("num_newaxis")?).map_err(|_| "num_newaxis is negative")?;
    // The axis is one of the result, whose rank is one larger for this purpose.
    let axis = normalize_axis(call.attrs.int("axis")?, data.rank() + 1)?;
    let mut shape = data.shape.clone();
    shape.splice(axis..axis, vec![1; count]);
    one(shape, call)
}

fn concatenate(call: &Call) -> Result<Vec<TensorType>, String> {
    let Some(first) = call.inputs.first() else {
        return Err("takes at least one operand".into());
    };
    let axis = normalize_axis(call.attrs.int("axis")?, first.rank())?;
    let mut shape = first.shape.clone();
    shape[axis] = 0;
    for input in &call.inputs {
        let fits = input.rank() == first.rank()
            && input.element == first.element
            && (0..first.rank()).all(|dim| dim == axis || input.shape[dim] == first.shape[dim]);
        if !fits {
            return Err(format!(
                "{} and {} differ beside axis {axis}",
                show(&first.shape),
                show(&input.shape)
            ));
        }
        shape[axis] = if shape[axis] == DYNAMIC || input.shape[axis] == DYNAMIC {
            DYNAMIC
        } else {
            shape[axis] + input.shape[axis]
        };
    }
    one(shape, call)
}

fn split(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let axis = normalize_axis(call.attrs.int("axis")?, data.rank())?;
    let mut cuts = vec![0];
    cuts.extend(call.attrs.ints("indices")?);
    let extent = data.shape[axis];
    let beyond = extent != DYNAMIC && cuts.iter().any(|&cut| cut > extent);
    if beyond || cuts.windows(2).any(|pair| pair[0] > pair[1]) {
        return Err(format!(
            "indices {:?} do not ascend within dimension {axis}",
            &cuts[1..]
        ));
    }
    cuts.push(extent);
    Ok(cuts
        .windows(2)
        .map(|pair| {
            let mut shape = data.shape.clone();
            shape[axis] = if pair[1] == DYNAMIC {
                DYNAMIC
            } else {
                pair[1] - pair[0]
            };
            TensorType::new(shape, data.element)
        })
        .collect())
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
    if stride > 0 {
        let (first, last) = (place(begin, 0, dim), place(end, 0, dim));
        (first, stride, ((last - first + stride - 1) / stride).max(0))
    } else {
        let (first, last) = (place(begin, -1, dim - 1), place(end, -1, dim - 1));
        (
            first,
            stride,
            ((first - last - stride - 1) / -stride).max(0),
        )
    }
}

fn strided_slice(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let (begin, end) = (call.attrs.ints("begin")?, call.attrs.ints("end")?);
    let (strides, axes) = (call.attrs.ints("strides")?, call.attrs.ints("axes")?);
    if [begin.len(), end.len(), strides.len()]
        .iter()
        .any(|length| *length != axes.len())
    {
        return Err("begin, end, strides and axes differ in length".into());
    }
    let mut shape = data.shape.clone();
    for (position, &axis) in axes.iter().enumerate() {
        let axis = normalize_axis(axis, data.rank())?;
        if strides[position] == 0 {
            return Err("a stride is 0".into());
        }
        if data.shape[axis] != DYNAMIC {
            shape[axis] = slice_range(
                begin[position],
                end[position],
                strides[position],
                data.shape[axis],
            )
            .2;
        }
    }
    one(shape, call)
}

fn is_integer(ty: Type) -> bool {
    ty.is_int() && !ty.is_bool()
}

fn take(call: &Call) -> Result<Vec<TensorType>, String> {
    let (data, indices) = (&call.inputs[0], &call.inputs[1]);
    if !is_integer(indices.element) {
        return Err(format!(
            "indices are of {}, expected integers",
            indices.element
        ));
    }
    let mode = call.attrs.str("mode")?;
    if !["clip", "wrap", "fast"].contains(&mode.as_str()) {
        return Err(format!("mode '{mode}' is none of clip, wrap, fast"));
    }
    let axis = normalize_axis(call.attrs.int("axis")?, data.rank())?;
    let mut shape = data.shape.clone();
    shape.splice(axis..=axis, indices.shape.iter().copied());
    one(shape, call)
}

fn broadcast_to(call: &Call) -> Result<Vec<TensorType>, String> {
    let shape = call.attrs.ints("shape")?;
    let data = &call.inputs[0].shape;
    if broadcast_shapes(data, &shape)? != shape {
        return Err(format!(
            "{} does not broadcast to {}",
            show(data),
            show(&shape)
        ));
    }
    one(shape, call)
}

fn tile(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let reps = call.attrs.ints("reps")?;
    if reps.len() != data.rank() || reps.iter().any(|&rep| rep < 0) {
        return Err(format!(
            "reps {reps:?} are not one count per dimension of {}",
            show(&data.shape)
        ));
    }
    one(
        data.shape
            .iter()
            .zip(&reps)
            .map(|(dim, rep)| if *dim == DYNAMIC { DYNAMIC } else { dim * rep })
            .collect(),
        call,
    )
}

fn layout_transform(call: &Call) -> Result<Vec<TensorType>, String> {
    let (from, to) = (call.attrs.str("src_layout")?, call.attrs.str("dst_layout")?);
    let shape = Layout::parse(&from)?
        .convert(&call.inputs[0].shape, &Layout::parse(&to)?)
        .map_err(|reason| format!("{from} to {to}: {reason}"))?;
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
    shape.insert(axis, call.inputs.len() as i64);
    one(shape, call)
}

fn gather(call: &Call) -> Result<Vec<TensorType>, String> {
    let (data, indices) = (&call.inputs[0], &call.inputs[1]);
    if !is_integer(indices.element) || indices.rank() != data.rank() {
        return Err(format!(
            "indices of type {} are not integers of rank {} (C1)",
            indices.to_type(),
            data.rank()
        ));
    }
    let axis = normalize_axis(call.attrs.int("axis")?, data.rank())
        .map_err(|reason| format!("{reason} (C2)"))?;
    if data.shape[axis] == 0 || indices.shape[axis] == 0 {
        return Err(format!("there are no elements along axis {axis} (C2)"));
    }
    let same = |dim: usize| {
        let (a, b) = (data.shape[dim], indices.shape[dim]);
        a == b || a == DYNAMIC || b == DYNAMIC
    };
    if let Some(other) = (0..data.rank()).find(|&dim| dim != axis && !same(dim)) {
        return Err(format!(
            "data {} and indices {} differ in dimension {other} (C3)",
            show(&data.shape),
            show(&indices.shape)
        ));
    }
    one(indices.shape.clone(), call)
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
    let shape = call.attrs.ints("shape")?;
    if shape.iter().any(|&dim| dim < 0) {
        return Err(format!("shape {shape:?} has a negative dimension (C2)"));
    }
    if !element.is_float() && !element.is_int() {
        return Err(format!("dtype is {element}, expected a number type (C3)"));
    }
    Ok(vec![TensorType::new(shape, element)])
}

fn init(call: &Call) -> Result<Vec<TensorType>, String> {
    filled(call, call.attrs.ty("dtype")?)
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
